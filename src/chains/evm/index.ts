/** The chains that run Ethereum's virtual machine, each by its profile. */
import type { Chain, SigningScene } from '../chain.ts';
import { hexOf } from '../../base/bytes.ts';
import { loadOnce } from '../modules.ts';
import { NOTHING_KNOWN } from '../approval/known.ts';
import { JsonRpc } from './json-rpc.ts';
import { address, claims, prepare, replace, sign, within } from './transaction.ts';
import { isAddress } from '../contracts/evm-address.ts';
import { balance, tokenBalances } from './balances.ts';
import { build } from './build.ts';
import { describe } from './describe.ts';
import type { EvmDraft } from './draft.ts';
import { broadcast, isOvertaken, receipt, status, tokenAt } from './node.ts';
import type { EvmRequest, EvmSignRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { worsened } from '../contracts/trial-runs.ts';

/** Loaded when data is to be signed: the approval of a transaction does not need it. */
const signing = loadOnce(() => import('./sign-data.ts'));

export function evmChain(profile: EvmProfile) {
  const { secretType, coin, slip44 } = profile;
  return {
    secretType,
    coin,
    gasCoin: coin,
    slip44,
    isAddress,
    // Not loaded for an approval.
    async deriveKey(seed, index) {
      const { deriveSecp256k1, readIndex } = await import('../keys/derivation.ts');
      return deriveSecp256k1(seed, `m/44'/${slip44}'/0'/0/${readIndex(index)}`);
    },
    importKey: async (text: string, password?: string) =>
      (await import('../keys/hex-key.ts')).importKey(text, password),
    exportKey: hexOf,
    address,
    node: (network, options = {}) => new JsonRpc(network, options),
    prepare: (request, from, node, known = NOTHING_KNOWN) => prepare(request, from, node, known, profile),
    describe: (draft) => describe(draft, profile),
    claims,
    sign,
    broadcast,
    isOvertaken,
    status,
    receipt,
    balance: (of, node) => balance(of, node, profile),
    tokenBalances: (of, tokens, node) => tokenBalances(of, tokens, node, profile),
    token: tokenAt,
    build: (body, from, node) => build(body, from, node, profile),
    within,
    incoming: () => import('./incoming.ts'),
    worsened,
    replace: (draft, how, node) => replace(draft, how, node, profile),
    maxSpendable: async (from, to, node, data) =>
      (await import('./max-spendable.ts')).maxSpendable(from, to, node, profile, data),
    describeSigning: async (request, from, node, known = NOTHING_KNOWN, scene?: SigningScene) =>
      (await signing()).describeSigning(request, from, node, known, profile, scene),
    signData: async (request, key) => (await signing()).signData(request, key, profile),
  } satisfies Chain<EvmDraft, EvmRequest, EvmSignRequest>;
}

export const withProfile = (profile: EvmProfile): { chain: ReturnType<typeof evmChain> } => ({
  chain: evmChain(profile),
});
