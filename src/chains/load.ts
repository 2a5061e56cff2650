/**
 * A chain is loaded from its folder, named by its secret type in lower case, or from the folder of its family: `index.ts` is the whole chain,
 * `payload.ts` its schemas, `address.ts` its addresses. Bundlers make each a lazy chunk.
 */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import type { EvmProfile } from './evm/profile.ts';
import type { Chain } from './chain.ts';
import type { DraftOf } from './drafts.ts';
import type { Payloads } from './requests/payloads.ts';
import { CARDS, didYouMean, SECRET_TYPES, type SecretType } from './secret-type.ts';
import type { UtxoProfile } from './utxo/profile.ts';

/** For networks already parsed by their schema. */
export async function loadChain<S extends SecretType>(secretType: S): Promise<Chain<DraftOf<S>>> {
  const { chain } = await loadPart<{ chain: Chain<DraftOf<S>> }>(
    secretType,
    'index',
    (folder) => import(`./${folder}/index.ts`),
  );
  return chain;
}

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export async function loadPayloads(secretType: SecretType): Promise<Payloads> {
  const { payloads } = await loadPart<{ payloads: Payloads }>(
    secretType,
    'payload',
    (folder) => import(`./${folder}/payload.ts`),
  );
  return payloads;
}

/** What `address.ts` of a chain's folder exports. */
export interface ChainAddresses {
  /**
   * The address in the one form that the chain shows. It may be of any network of the chain: a page does not know which one the wallet
   * uses. Throws an error whose message follows the field's name: `is required`, `is a Tron address, not a Bitcoin one`.
   */
  readAddress(value: unknown): string;
}

/** Only a chain's addresses: no signer, schema or node client. */
export function loadAddresses(secretType: SecretType): Promise<ChainAddresses> {
  return loadPart(secretType, 'address', (folder) => import(`./${folder}/address.ts`));
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

/** A module of a chain. `load` imports it from a folder. Rejects with `chain.not-supported`. */
export async function loadPart<T extends object>(
  secretType: SecretType,
  name: string,
  load: (folder: string) => Promise<unknown>,
): Promise<T> {
  const family = FAMILIES[secretType];
  if (!family) return (await load(folderOf(secretType))) as T;
  const key = `${secretType} ${name}`;
  const part = familyParts.get(key);
  if (part) return part as T;
  const [module, profile] = await Promise.all([load(family.folder), family.loadProfile()]);
  if (!familyParts.has(key)) familyParts.set(key, (module as FamilyModule).withProfile(profile));
  return familyParts.get(key) as T;
}

/** Rejects with `chain.not-supported`: the spec's parameters also name NEO, and untyped callers may name anything. */
export function folderOf(secretType: SecretType): string {
  const name = typeof secretType === 'string' ? secretType : typeof secretType;
  if (Object.hasOwn(CARDS, name)) return name.toLowerCase();
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
