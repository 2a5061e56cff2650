/** npm export `carabiner/chains`, for callers of any kind: what comes from them is parsed first. The wallet and the service use `load.ts`. */
import type { Chain, Known } from './chain.ts';
import { loadChain as load, loadPayloads } from './load.ts';
import type { SecretType } from './secret-type.ts';

export { AmountError, formatAmount, parseUnits, roundAmount } from './amount.ts';
export type { ChainCard } from './card.ts';
export type * from './chain.ts';
export type { Network, Networks, Token } from './network.ts';
export type * from './requests.ts';
export type { Payloads } from './requests/payloads.ts';
export { CARDS, CHAIN_NAMES, SECRET_TYPES, type SecretType } from './secret-type.ts';
export { loadPayloads } from './load.ts';
export { secretTypeOf } from './transaction-types.ts';

const loaded = new Map<SecretType, Chain>();

/** Signer, node client and everything else of a chain. Rejects with `chain.not-supported`. */
export async function loadChain(secretType: SecretType): Promise<Chain> {
  const chain = await load(secretType);
  if (!loaded.has(secretType)) loaded.set(secretType, forAnyCaller(chain));
  return loaded.get(secretType)!;
}

/** What a caller without types may get wrong is said in the chain's errors. A request that was parsed comes out of it as it went in. */
function forAnyCaller(chain: Chain): Chain {
  const { secretType, describeSigning, signData } = chain;
  const payloads = () => loadPayloads(secretType);
  return {
    ...chain,
    isAddress: (text, kind) => typeof text === 'string' && chain.isAddress(text, kind),
    prepare: async (request, from, node, known) =>
      chain.prepare((await payloads()).parse(request), from, node, { ...NOBODY, ...known }),
    build: async (body, from, node) => chain.build((await payloads()).parse(body), from, node),
    ...(describeSigning && {
      describeSigning: async (request, from, node, known, scene) =>
        describeSigning((await payloads()).parseSigning(request), from, node, { ...NOBODY, ...known }, scene),
    }),
    ...(signData && {
      signData: async (request, key) => signData((await payloads()).parseSigning(request), key),
    }),
  };
}

/** What a caller that keeps no record knows of addresses. */
const NOBODY: Known = { used: [], own: [], reported: [] };
