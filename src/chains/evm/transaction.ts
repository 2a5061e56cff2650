/** Preparing, signing and replacing transactions. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ConnectError } from '../../errors.ts';
import { type Claims, freeNonce, owed } from '../claims.ts';
import type { Coin, Known, Node, PrivateKey, Signed } from '../chain.ts';
import { type JsonRpc, rpcOf } from '../json-rpc.ts';
import { addressFacts } from '../known.ts';
import { listedToken } from '../listed-token.ts';
import { isCustom } from '../networks.ts';
import { invalid } from '../payloads.ts';
import { bytesOf, hexOf } from '../hex.ts';
import { signDigest } from '../secp256k1.ts';
import { type TokenFacts, unlistedSymbol } from '../token-facts.ts';
import { checksum } from './address.ts';
import { decodeCall, type Effect } from './calls.ts';
import type { EvmDraft, Facts } from './draft.ts';
import { serialize } from './envelope.ts';
import { bump, type FeeReads, feesOf, readFees } from './fees.ts';
import { type Intent, intentOf } from './intent.ts';
import { readBalance, readCode, readNonceOf, readSymbol, readTokenBalance } from './node.ts';
import type { EvmRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { type CallObject, estimate, simulate, type Trial, tryCall } from './simulation.ts';
import { involvedAddresses } from './token-effect.ts';

/** Cost of a transaction that only moves coins. */
const PLAIN_GAS = 21_000n;
/** Used where the node cannot estimate because the call fails: the user may still insist. */
const FALLBACK_GAS = 300_000n;

/**
 * Every default filled in. One round to the node; two when the site gives a decimal value of a token that nobody lists.
 */
export async function prepare(
  request: EvmRequest,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<EvmDraft> {
  if (request.network && !isCustom(node.network))
    throw new ConnectError('internal.error', 'The request names a node, and another one was asked.');
  return onItsChain(node, async (rpc) =>
    prepareIntent(await intentOf(request, from, rpc, profile), from, rpc, known, profile),
  );
}

export async function prepareIntent(
  intent: Intent,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<EvmDraft> {
  const { to, value, data } = intent;
  const effect = to === null || data === '0x' ? undefined : decodeCall(data).effect;
  const callObject: CallObject = {
    from,
    ...(to === null ? {} : { to }),
    value: `0x${value.toString(16)}`,
    ...(data === '0x' ? {} : { data }),
  };
  // Every call is made before the first await: they travel as one batch.
  const [mined, pending, fees, balance, code, token, estimated, simulated, called, chains] =
    await Promise.all([
      readNonceOf(node, from, 'latest'),
      readNonceOf(node, from, 'pending'),
      readFees(node, profile),
      readBalance(node, from),
      to === null ? undefined : readCode(node, to),
      effect && to !== null ? readToken(node, effect, from, to, profile.coin) : undefined,
      estimate(node, callObject),
      simulate(node, callObject),
      data === '0x' || to === null ? undefined : tryCall(node, callObject),
      isCustom(node.network) ? import('../well-known.ts') : undefined,
    ]);
  const rpc = rpcOf(node);
  const chainId = rpc.chainId!;
  const taken = (known.taken ?? []).filter((claims) => claims.chainId === chainId);
  const nonce = intent.nonce ?? freeNonce(Math.max(pending, mined), taken);
  if (nonce < mined) throw invalid('nonce', `was used already; the next one is ${mined}`);
  const plain = to !== null && data === '0x' && code === '0x';
  const gas = gasOf(intent.gas, plain, estimated, simulated);
  const price = feesOf(fees, intent.gasPrice, nonce < pending);
  const used = estimated.gas ?? simulated?.gas ?? gas;
  return {
    secretType: profile.secretType,
    network: rpc.network,
    ...(isCustom(rpc.network) ? { custom: rpc.network.custom } : {}),
    from,
    chainId,
    nonce,
    gas,
    ...pricesOf(price),
    to,
    value,
    data,
    facts: {
      host: rpc.host,
      chain: isCustom(rpc.network) ? chains?.chainName(chainId, rpc.network.named) : undefined,
      balance: max(balance - owed(taken, mined, nonce), 0n),
      gasPrice: price.expected,
      gasUsed: used < gas ? used : gas,
      code: code !== undefined && code !== '0x',
      minedNonce: mined,
      pendingNonce: pending,
      token,
      scaledBy: intent.scaledBy,
      willFail: whyItFails({ effect, gas, estimated, simulated, called }),
      changes: simulated?.changes,
      addresses: Object.fromEntries(
        involvedAddresses(to, effect).map((a) => [a.toLowerCase(), addressFacts(a, known)]),
      ),
    },
  };
}

export function claims(draft: EvmDraft): Claims {
  const { chainId, nonce, value, gas, facts } = draft;
  return { chainId, nonce, cost: value + gas * maxPrice(draft), nodeNext: facts.pendingNonce };
}

/** Offline and deterministic (RFC 6979). */
export async function sign(draft: EvmDraft, key: PrivateKey): Promise<Signed> {
  const digest = keccak_256(bytesOf(serialize(draft)));
  const raw = serialize(draft, await signDigest(digest, key));
  return { raw, hash: hexOf(keccak_256(bytesOf(raw))) };
}

/** The same nonce with prices high enough to take the place of `draft`; `cancel` sends nothing to the wallet itself. */
export async function replace(
  draft: EvmDraft,
  how: 'speed-up' | 'cancel',
  node: Node,
  profile: EvmProfile,
): Promise<EvmDraft> {
  return onItsChain(node, async (rpc) => {
    const [mined, pending, fees, balance] = await Promise.all([
      readNonceOf(rpc, draft.from, 'latest'),
      readNonceOf(rpc, draft.from, 'pending'),
      readFees(rpc, profile),
      readBalance(rpc, draft.from),
    ]);
    if (mined > draft.nonce)
      throw new ConnectError(
        'transaction.refused',
        'The transaction is no longer waiting: it was processed.',
        {
          reason: 'nonce too low',
        },
      );
    const cancel = how === 'cancel';
    const facts: Facts = {
      ...draft.facts,
      host: rpc.host,
      balance,
      minedNonce: mined,
      pendingNonce: pending,
      ...(cancel
        ? {
            gasUsed: PLAIN_GAS,
            code: false,
            token: undefined,
            scaledBy: undefined,
            willFail: undefined,
            changes: undefined,
            addresses: { [draft.from.toLowerCase()]: { familiar: true, reported: false } },
          }
        : {}),
    };
    const prices = outbid(draft, fees);
    return {
      ...draft,
      network: rpc.network,
      ...prices,
      ...(cancel ? { to: checksum(draft.from), value: 0n, data: '0x', gas: PLAIN_GAS } : {}),
      facts: { ...facts, gasPrice: expectedPrice(prices, fees) },
    };
  });
}

/** Words a chain-id mismatch of a node that the site chose as the site's mistake. */
export async function onItsChain<T>(node: Node, work: (rpc: JsonRpc) => Promise<T>): Promise<T> {
  try {
    return await work(rpcOf(node));
  } catch (error) {
    if (isCustom(node.network) && error instanceof ConnectError && error.details['reason'] === 'chain-id')
      throw invalid(
        'network.chainId',
        `is ${error.details['expected']}, but the node answers for chain id ${error.details['chainId']}`,
      );
    throw error;
  }
}

/** The price per gas that the transaction pays at most. */
export function maxPrice(draft: Pick<EvmDraft, 'gasPrice' | 'maxFeePerGas'>): bigint {
  return draft.gasPrice ?? draft.maxFeePerGas ?? 0n;
}

type Prices = Pick<EvmDraft, 'type' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

function pricesOf(fees: ReturnType<typeof feesOf>): Prices {
  const { expected: _, ...prices } = fees;
  return prices;
}

function outbid(draft: EvmDraft, reads: FeeReads): Prices {
  const now = feesOf(reads, draft.type === 0 ? reads.gasPrice : undefined);
  if (draft.type === 0 || now.type === 0)
    return { type: 0, gasPrice: max(bump(maxPrice(draft)), now.type === 0 ? now.gasPrice : reads.gasPrice) };
  const maxPriorityFeePerGas = max(bump(draft.maxPriorityFeePerGas!), now.maxPriorityFeePerGas);
  return {
    type: 2,
    maxPriorityFeePerGas,
    maxFeePerGas: max(max(bump(draft.maxFeePerGas!), now.maxFeePerGas), maxPriorityFeePerGas),
  };
}

function expectedPrice(prices: Prices, { baseFee }: FeeReads): bigint {
  if (prices.type === 0) return prices.gasPrice!;
  const price = baseFee + prices.maxPriorityFeePerGas!;
  return price < prices.maxFeePerGas! ? price : prices.maxFeePerGas!;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function gasOf(
  given: bigint | undefined,
  plain: boolean,
  estimated: Trial,
  simulated: Trial | undefined,
): bigint {
  if (given !== undefined && given > 0n) return given;
  if (plain && (estimated.gas === undefined || estimated.gas === PLAIN_GAS)) return PLAIN_GAS;
  const base = estimated.gas ?? (simulated?.willFail ? undefined : simulated?.gas) ?? FALLBACK_GAS;
  // State may change until the transaction is in a block.
  return (base * 6n + 4n) / 5n;
}

function whyItFails(run: {
  effect: Effect | undefined;
  gas: bigint;
  estimated: Trial;
  simulated: Trial | undefined;
  called: Trial | undefined;
}): string | undefined {
  const { effect, gas, estimated, simulated, called } = run;
  const reason = simulated?.willFail ?? called?.willFail ?? estimated.willFail;
  if (reason !== undefined) return reason;
  if (estimated.gas !== undefined && estimated.gas > gas) return `it needs ${estimated.gas} gas`;
  // Some tokens answer false where others revert.
  const returned = simulated?.returned ?? called?.returned;
  if (effect?.kind === 'token' && returned && /^0x0{64}$/.test(returned))
    return 'the token contract answers false';
  return undefined;
}

async function readToken(
  node: Node,
  effect: Effect,
  owner: string,
  called: string,
  coin: Coin,
): Promise<TokenFacts | undefined> {
  if (effect.kind === 'other') return undefined;
  const address = effect.kind === 'approval' && effect.token ? effect.token : called;
  const listed = listedToken(node.network.tokens, address);
  if (listed) {
    const balance = await readTokenBalance(node, address, owner);
    return { address: listed.address, symbol: listed.symbol, decimals: listed.decimals, balance };
  }
  const [symbol, balance] = await Promise.all([
    readSymbol(node, address),
    readTokenBalance(node, address, owner),
  ]);
  const trusted = [coin, ...node.network.tokens];
  return { address, symbol: unlistedSymbol(symbol, address, trusted), decimals: null, balance };
}
