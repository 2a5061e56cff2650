/**
 * npm export `carabiner/chains`, for outside callers: their networks and requests are first parsed by schemas. The wallet and the service,
 * which do that at their own boundaries, use `load.ts`.
 */
import { NOTHING_KNOWN } from './approval/known.ts';
import type { Chain } from './chain.ts';
import type { Draft } from './terms.ts';
import { type DraftOf, loadChain as load, loadPayloads } from './load.ts';
import { type Issue, RequestInvalidError } from '../base/errors.ts';
import type { Network } from './network.ts';
import { CARDS, type SecretType } from './secret-type.ts';
import { isCustom } from './nodes/networks.ts';

export { AmountError, formatAmount, parseUnits, roundAmount } from '../base/amount.ts';
export type { ChainCard } from './card.ts';
export type * from './chain.ts';
export type * from './approval/summary.ts';
export {
  type AeternityDraft,
  type DraftOf,
  type EvmDraft,
  loadPayloads,
  type TronDraft,
  type UtxoDraft,
  type VechainDraft,
} from './load.ts';
export type { Network, Networks, Token } from './network.ts';
export type * from './requests.ts';
export type { Payloads } from './requests/payloads.ts';
export { CARDS, CHAIN_NAMES, SECRET_TYPES, type SecretType } from './secret-type.ts';
export { secretTypeOf } from './transaction-types.ts';

const loaded = new Map<SecretType, unknown>();

/** Signer, node client and everything else of a chain. Rejects with `chain.not-supported`. */
export async function loadChain<S extends SecretType>(secretType: S): Promise<Chain<DraftOf<S>>> {
  const chain = await load(secretType);
  if (!loaded.has(secretType)) loaded.set(secretType, forAnyCaller(chain));
  return loaded.get(secretType) as Chain<DraftOf<S>>;
}

/** Reports mistakes of untyped callers by the chain's own errors. A request that was parsed before passes unchanged. */
function forAnyCaller<D extends Draft>(chain: Chain<D>): Chain<D> {
  const { secretType, describeSigning, signData } = chain;
  const payloads = () => loadPayloads(secretType);
  return {
    ...chain,
    node: (network, options) => chain.node(checkNetwork(network, secretType), options),
    isAddress: (text, kind) => typeof text === 'string' && chain.isAddress(text, kind),
    prepare: async (request, from, node, known) =>
      chain.prepare((await payloads()).parse(request), from, node, { ...NOTHING_KNOWN, ...known }),
    build: async (body, from, node) => chain.build((await payloads()).parse(body), from, node),
    ...(describeSigning && {
      describeSigning: async (request, from, node, known, scene) =>
        describeSigning(
          (await payloads()).parseSigning(request),
          from,
          node,
          { ...NOTHING_KNOWN, ...known },
          scene,
        ),
    }),
    ...(signData && {
      signData: async (request, key) => signData((await payloads()).parseSigning(request), key),
    }),
  };
}

/** A new recovery phrase (BIP-39, English) of 12, 15, 18, 21 or 24 words, from the platform's random numbers. */
export async function newPhrase(words = 12): Promise<string> {
  return (await import('./keys/phrase.ts')).makePhrase(words);
}

/**
 * The seed of a recovery phrase (BIP-39, English) of 12 to 24 words: the 64 bytes that `Chain.deriveKey` takes. Overwrite them with zeros after
 * use. Throws `request.invalid` at `phrase`, or at the word: `phrase.3`.
 */
export async function seedOfPhrase(phrase: string, passphrase = ''): Promise<Uint8Array> {
  return (await import('./keys/phrase.ts')).seedOf(phrase, passphrase);
}

/** The network as it is. Throws `request.invalid` that names every field that cannot be right: `network.nodes.0`. */
export function checkNetwork(network: Network, secretType: SecretType): Network {
  const issues: Issue[] = [];
  const check = (field: string, valid: boolean, message: string): void => {
    if (!valid) issues.push({ path: `network${field && `.${field}`}`, message });
  };
  if (typeof network !== 'object' || network === null)
    throw new RequestInvalidError([{ path: 'network', message: 'must be an object' }]);
  const fields: Readonly<Partial<Record<keyof Network, unknown>>> = network;
  const { chainId, genesis, kind, nodes, tokens } = fields;
  check('secretType', fields.secretType === secretType, `must be ${secretType}, as the chain’s`);
  for (const field of ['id', 'name'] as const)
    check(field, typeof fields[field] === 'string' && fields[field] !== '', 'is required: a text');
  check(
    'kind',
    ['mainnet', 'testnet', 'local'].includes(kind as string),
    'must be mainnet, testnet or local',
  );
  check(
    'chainId',
    chainId === undefined || (Number.isSafeInteger(chainId) && (chainId as number) > 0),
    'must be a whole number from 1, for example 1',
  );
  check('genesis', genesis === undefined || typeof genesis === 'string', 'must be a text');
  const signed = CARDS[secretType].signs;
  // For a node that the site chose, this is read from the node.
  if (signed && !isCustom(network)) check(signed, fields[signed] !== undefined, 'is required: it is signed');
  if (Array.isArray(nodes) && nodes.length > 0)
    for (const [i, url] of nodes.entries())
      check(
        `nodes.${i}`,
        isHttp(url),
        'must be a full http or https URL, for example https://node.example/rpc',
      );
  else check('nodes', false, 'must be a list of one URL or more');
  check('tokens', Array.isArray(tokens), 'must be a list; [] where no token is trusted');
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return network;
}

/** `fetch` refuses URLs with a user name. */
function isHttp(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password;
}
