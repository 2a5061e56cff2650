/** Bitcoin and Litecoin: one implementation, told apart by their parameters. */
import type { Chain, SigningScene } from '../chain.ts';
import { loadOnce } from '../modules.ts';
import { NOTHING_KNOWN } from '../approval/known.ts';
import { inJson } from '../requests/build-body.ts';
import { stateOn } from '../nodes/confirmations.ts';
import { invalid } from '../requests/payloads.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { isAddress, encodeBase58, p2wpkhAddress } from './address.ts';
import { describe } from './describe.ts';
import type { UtxoDraft } from './draft.ts';
import { balance, broadcast, nodeOf, readReceipt } from './node.ts';
import type { UtxoRequest, UtxoSignRequest } from './payload.ts';
import { claims, intentOf, maxSpendable, prepare, sign } from './transaction.ts';
import type { PrivateKey } from '../terms.ts';
import type { NetworkKind } from '../network.ts';
import { concat } from '../../base/bytes.ts';
import { publicKey } from '../keys/secp256k1.ts';
import type { UtxoProfile } from './profile.ts';
import { hash160 } from './script.ts';

/** Loaded when a message is to be signed. */
const signing = loadOnce(() => import('./sign-message.ts'));

export function utxoChain(params: UtxoProfile) {
  const { secretType, coin, slip44, type } = params;
  return {
    secretType,
    coin,
    gasCoin: coin,
    slip44,
    isAddress: (text, kind) => isAddress(params, text, kind),
    deriveKey: (seed, index) => deriveKey(params, seed, index),
    // Loaded on demand: approvals do not need it.
    importKey: async (text: string, _password?: string, kind?: NetworkKind) =>
      (await import('./import-key.ts')).importKey(params, text, kind),
    exportKey: (key, kind) => exportKey(params, key, kind),
    address: (key, kind) => address(params, key, kind),
    node: (network, options = {}) => nodeOf(network, options),
    prepare: (request, from, node, known = NOTHING_KNOWN) => prepare(params, request, from, node, known),
    describe: (draft) => describe(params, draft),
    claims,
    sign,
    broadcast,
    isOvertaken: async (hash, sender, node) => (await import('./replace.ts')).isOvertaken(hash, sender, node),
    status: async (hash, node) => stateOn(node.network, await readReceipt(hash, node)),
    receipt: readReceipt,
    balance: (owner, node) => balance(params, owner, node),
    tokenBalances: async () => [],
    token: async () => {
      throw invalid('tokenAddress', `cannot be: ${CHAIN_NAMES[secretType]} has no tokens`);
    },
    /** `value` is decimal text in satoshi. A native request comes back the same, in that form. */
    build: async (request) => {
      if (!('secretType' in request)) return inJson(request);
      const { to, value, data } = intentOf(params, request);
      return { type, walletId: request.walletId, to, value: value.toString(), ...(data && { data }) };
    },
    handover: () => import('./handover.ts'),
    incoming: () => import('./incoming.ts'),
    // Rare, so loaded when asked for.
    replace: async (draft, how, node) => (await import('./replace.ts')).replace(params, draft, how, node),
    sweep: {
      find: async (own, node) => (await import('./replace.ts')).find(params, own, node),
      prepare: async (own, node) => (await import('./replace.ts')).sweep(params, own, node),
    },
    combine: {
      find: async (own, node) => (await import('./replace.ts')).countMany(params, own, node),
      prepare: async (own, node) => (await import('./replace.ts')).combine(params, own, node),
    },
    maxSpendable: (from, to, node, data?: string) => maxSpendable(params, from, to, node, data),
    describeSigning: async (request, _from, _node, _known, scene?: SigningScene) =>
      (await signing()).describeSigning(request, scene),
    isSignedBy: async (request, answer, address) =>
      (await signing()).isSignedBy(params, request, answer, address),
    signData: async (request, key) => (await signing()).signMessage(params, request, key),
  } satisfies Chain<UtxoDraft, UtxoRequest, UtxoSignRequest>;
}

export const withProfile = (profile: UtxoProfile): { chain: ReturnType<typeof utxoChain> } => ({
  chain: utxoChain(profile),
});

/** Keys of P2WPKH wallets (BIP-84), and their export format. */
export function address(params: UtxoProfile, key: PrivateKey, kind: NetworkKind): string {
  return p2wpkhAddress(params, hash160(publicKey(key, 'compressed')), kind);
}

/** m/84'/coin'/0'/0/index of a BIP-39 seed. The same on test networks, so that a wallet has one key. */
export async function deriveKey(
  { slip44 }: UtxoProfile,
  seed: Uint8Array,
  index: number,
): Promise<PrivateKey> {
  const { deriveSecp256k1, readIndex } = await import('../keys/derivation.ts');
  return deriveSecp256k1(seed, `m/84'/${slip44}'/0'/0/${readIndex(index)}`);
}

/** WIF of the compressed public key. */
export function exportKey({ wif }: UtxoProfile, key: PrivateKey, kind: NetworkKind): string {
  return encodeBase58(wif[kind], concat(key, Uint8Array.of(1)));
}
