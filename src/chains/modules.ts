/**
 * A chain's modules are in its folder, named by its secret type in lower case, or in the folder of its family. Bundlers make each a lazy
 * chunk. What loads signers is in `load.ts`: a bundler keeps all that a module could load as soon as it is imported statically.
 */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import type { EvmProfile } from './evm/profile.ts';
import { CARDS, didYouMean, SECRET_TYPES, type SecretType } from './secret-type.ts';
import type { UtxoProfile } from './utxo/profile.ts';

/** What `address.ts` of a chain's folder exports. */
export interface ChainAddresses {
  /**
   * The address in the one form that the chain shows. It may be of any network of the chain: a page does not know which one the wallet
   * uses. Throws an error whose message follows the field's name: `is required`, `is a Tron address, not a Bitcoin one`.
   */
  readAddress(value: unknown): string;
}

/** Only a chain's addresses: no signer, schema or node client. */
export async function loadAddresses(secretType: SecretType): Promise<ChainAddresses> {
  return partOf(secretType, 'addresses', import(`./${folderOf(secretType)}/address.ts`));
}

/** Chains that share their code: the folder that has it, and what sets the chain apart. */
const FAMILIES: Partial<Record<SecretType, Family>> = {
  BITCOIN: { folder: 'utxo', loadProfile: async () => (await import('./bitcoin/profile.ts')).BITCOIN },
  ETHEREUM: { folder: 'evm', loadProfile: async () => (await import('./ethereum/profile.ts')).ETHEREUM },
  GOCHAIN: { folder: 'evm', loadProfile: async () => (await import('./gochain/profile.ts')).GOCHAIN },
  LITECOIN: { folder: 'utxo', loadProfile: async () => (await import('./litecoin/profile.ts')).LITECOIN },
};

interface Family {
  folder: 'evm' | 'utxo';
  loadProfile(): Promise<EvmProfile | UtxoProfile>;
}

/** A module of a family: with a chain's profile, what the same module of any other chain exports. */
interface FamilyModule {
  withProfile(profile: EvmProfile | UtxoProfile): object;
}

/** Parts that are made once from a family's module and a profile. */
const familyParts = new Map<string, object>();

/** What a module of a chain exports: of a family's, with the chain's profile. */
export async function partOf<T extends object>(
  secretType: SecretType,
  name: string,
  loading: Promise<unknown>,
): Promise<T> {
  const family = FAMILIES[secretType];
  if (!family) return (await loading) as T;
  const key = `${secretType} ${name}`;
  const made = familyParts.get(key);
  if (made) return made as T;
  const [module, profile] = await Promise.all([loading, family.loadProfile()]);
  const part = familyParts.get(key) ?? (module as FamilyModule).withProfile(profile);
  familyParts.set(key, part);
  return part as T;
}

/** The folder with a chain's modules. Rejects with `chain.not-supported`: the spec's parameters also name NEO, and untyped callers may name anything. */
export function folderOf(secretType: SecretType): string {
  const name = typeof secretType === 'string' ? secretType : typeof secretType;
  if (Object.hasOwn(CARDS, name)) return FAMILIES[name as SecretType]?.folder ?? name.toLowerCase();
  const all = SECRET_TYPES.join(', ');
  if (secretType === undefined || secretType === null)
    throw new RequestInvalidError([{ path: 'secretType', message: `is required: one of ${all}` }]);
  throw new ConnectError(
    'chain.not-supported',
    `${name} is not supported${didYouMean(name)}. Supported: ${all}.`,
    { secretType: name },
  );
}

/**
 * Caches `load`, which imports a module: asking the module loader again takes as long as a signature.
 * Failures are retried.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
