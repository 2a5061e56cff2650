/** Preparing, signing and replacing transactions. */
import { keccak256, SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { ConnectError } from '../../base/errors.ts';
import { type Claims, freeNonce, owed } from '../approval/claims.ts';
import type { Known, Node, PrivateKey, Signed } from '../terms.ts';
import { checkFrom, checkOwner, type Ownership } from '../approval/owner.ts';
import { type JsonRpc, rpcOf } from './json-rpc.ts';
import { addressFacts } from '../approval/known.ts';
import type { Network } from '../network.ts';
import { isCustom } from '../nodes/networks.ts';
import { coinOf } from '../secret-type.ts';
import { checkCoins } from '../requests/build-body.ts';
import { invalid } from '../requests/payloads.ts';
import { checksum, readHexAddress } from '../contracts/evm-address.ts';
import { involvedIn, movesToken, tokenQuestions } from '../contracts/deeds.ts';
import { hasDescriptors, readingOf } from '../contracts/readings.ts';
import { draftCoin, type EvmDraft, type Facts } from './draft.ts';
import { bump, type FeeReads, feesOf, readFees } from './fees.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import { readGas } from './gas.ts';
import { type Intent, type Plan, planOf } from './intent.ts';
import { readBalance, readCode, readNonceOf } from './node.ts';
import type { EvmRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { serialize, sizeOf } from './raw-transaction.ts';
import { readL1Fee, readSurcharge } from './surcharge.ts';
import { type CallObject, type Estimate, estimate, type Trial, tryOut } from './simulation.ts';
import { readTokens } from './token-reads.ts';

/** Every default filled in. One round trip to the node, and for what runs code a second, in which exactly that transaction is tried. */
export async function prepare(
  request: EvmRequest,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<EvmDraft> {
  checkFrom(from, (value) => readHexAddress(value, profile.secretType));
  if (request.network && !isCustom(node.network))
    throw new ConnectError('internal.error', 'The request names a node, and another one was asked.');
  return onItsChain(node, async (rpc) => {
    const context = { from, node: rpc, known, profile };
    const { intent, scaled } = await planOf(request, from, rpc, profile);
    const draft = await prepareIntent(intent, await readingOf(intent, from, node.network), context, scaled);
    checkCoins(request, draft.facts.balance, draftCoin(draft));
    const over = sizeOf(draft) - profile.maxSize;
    if (over > 0)
      throw invalid(
        request.type === 'CONTRACT_EXECUTION' ? 'inputs' : 'data',
        `is too long: the network takes ${profile.maxSize} bytes of transaction, and this is ${over} over`,
      );
    return draft;
  });
}

interface Context {
  from: string;
  node: Node;
  known: Known;
  profile: EvmProfile;
}

/** The result of `scaled` replaces `intent`; both call the same function. */
export async function prepareIntent(
  intent: Intent,
  reading: Reading | undefined,
  context: Context,
  scaled?: Plan['scaled'],
): Promise<EvmDraft> {
  const { from, node, known, profile } = context;
  const { to, accessList } = intent;
  const state = await readState(intent, reading, context, scaled);
  const { mined, pending, fees, balance, code, tokens, descriptor, estimated, l1Fee, chains, final } = state;
  const rpc = rpcOf(node);
  const { value, data } = final;
  const chainId = rpc.chainId!;
  const ownClaims = (known.taken ?? []).filter((claims) => claims.chainId === chainId);
  const nonce = intent.nonce ?? freeNonce(Math.max(pending, mined), ownClaims);
  if (nonce < mined) throw invalid('nonce', `was used already; the next one is ${mined}`);
  const runsCode = to === null || data !== '0x' || code !== '0x';
  const plainTo = runsCode || accessList?.length ? undefined : to;
  const gas = await readGas(node, { given: intent.gas, plainTo, estimated }, profile);
  const price = feesOf(fees, intent, nonce < pending);
  refuseOnType0(intent, price.type);
  refuseLowPrices(intent, node.network);
  const prices = pricesOf(price);
  const [tried, surcharge] = await Promise.all([
    runsCode
      ? tryOut(
          node,
          { ...callOf(from, { ...final, accessList }), nonce, gas, ...prices },
          { ...fees.head, baseFee: fees.baseFee },
        )
      : undefined,
    readSurcharge(node, l1Fee, gas),
  ]);
  const used = tried?.gas ?? estimated.gas ?? gas;
  return {
    secretType: profile.secretType,
    network: rpc.network,
    ...(isCustom(rpc.network) ? { custom: rpc.network.custom } : {}),
    from,
    chainId,
    nonce,
    gas,
    ...prices,
    to,
    value,
    data,
    ...(accessList?.length ? { accessList } : {}),
    facts: {
      host: rpc.host,
      chain: isCustom(rpc.network) ? chains?.chainName(chainId, rpc.network.named) : undefined,
      balance: max(balance - owed(ownClaims, mined, nonce), 0n),
      gasPrice: price.expected,
      usualPrice: feesOf(fees).expected,
      gasUsed: used < gas ? used : gas,
      surcharge,
      code: code !== undefined && code !== '0x',
      minedNonce: mined,
      pendingNonce: pending,
      ...(reading?.nested || tokens.length > 1
        ? { tokens: Object.fromEntries(tokens.map((one) => [one.address.toLowerCase(), one])) }
        : { token: tokens[0] }),
      descriptor,
      willFail: whyItFails({ reading, gas, estimated, tried }),
      trial: tried?.outcome,
      changes: tried?.changes,
      addresses: Object.fromEntries(
        involvedIn(to, reading?.deeds ?? []).map((a) => [a.toLowerCase(), addressFacts(a, known)]),
      ),
    },
  };
}

/** Every call is made after the first await at once, so they go as one batch. */
async function readState(
  intent: Intent,
  reading: Reading | undefined,
  { from, node, profile }: Context,
  scaled: Plan['scaled'],
) {
  const { to } = intent;
  const isUnknown = to !== null && reading?.call.name === null;
  const descriptors =
    isUnknown && hasDescriptors(node.network, to)
      ? await import('./descriptor-match.ts').catch(() => undefined)
      : undefined;
  const codeOf = to === null ? undefined : readCode(node, to);
  const [mined, pending, fees, balance, code, tokens, descriptor, estimated, l1Fee, chains, final] =
    await Promise.all([
      readNonceOf(node, from, 'latest'),
      readNonceOf(node, from, 'pending'),
      readFees(node, profile),
      readBalance(node, from),
      codeOf,
      reading ? readTokens(node, tokenQuestions(reading), from, coinOf(node.network)) : [],
      descriptors?.matchDescriptor(node, to!, codeOf!),
      estimate(node, callOf(from, intent)),
      profile.legacy ? undefined : readL1Fee(node, intent),
      isCustom(node.network) ? import('./well-known.ts') : undefined,
      scaled?.() ?? intent,
    ]);
  return { mined, pending, fees, balance, code, tokens, descriptor, estimated, l1Fee, chains, final };
}

/** Of an intent for a network whose blocks have no base fee. */
function refuseOnType0(intent: Intent, type: 0 | 2): void {
  if (type === 2) return;
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList'] as const)
    if (intent[name] !== undefined)
      throw invalid(name, 'is not known to this network, whose blocks have no base fee; leave it out');
}

/** Nodes of a network with a lowest tip refuse a transaction that cannot pay it, after it was approved. */
function refuseLowPrices(intent: Intent, { minTip = '0' }: Network): void {
  for (const name of ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
    const price = intent[name];
    if (price !== undefined && price < BigInt(minTip))
      throw invalid(
        name,
        `must be at least ${minTip} wei on this network; leave it out for the current price`,
      );
  }
}

function callOf(from: string, { to, value, data, accessList }: Intent): CallObject {
  return {
    from,
    ...(to === null ? {} : { to }),
    value: `0x${value.toString(16)}`,
    ...(data === '0x' ? {} : { data }),
    ...(accessList?.length
      ? { accessList: accessList.map(([address, storageKeys]) => ({ address, storageKeys })) }
      : {}),
  };
}

export function claims(draft: EvmDraft): Claims {
  const { chainId, nonce, value, facts } = draft;
  return { chainId, nonce, cost: value + maximumFee(draft), nodeNext: facts.pendingNonce };
}

/** Offline and deterministic (RFC 6979). Throws `request.invalid` at `key` for another account's. */
export async function sign(draft: EvmDraft, key: PrivateKey): Promise<Signed> {
  await checkOwner(key, draft.from, OWNERSHIP);
  const raw = serialize(draft, new SigningKey(key).sign(keccak256(serialize(draft))));
  return { raw, hash: keccak256(raw) };
}

/** The same nonce with prices high enough to replace `draft`; `cancel` sends 0 to the wallet itself. */
export async function replace(
  draft: EvmDraft,
  how: 'speed-up' | 'cancel',
  node: Node,
  profile: EvmProfile,
): Promise<EvmDraft> {
  return onItsChain(node, async (rpc) => {
    const cancel = how === 'cancel';
    const [mined, pending, fees, balance, l1Fee, estimated] = await Promise.all([
      readNonceOf(rpc, draft.from, 'latest'),
      readNonceOf(rpc, draft.from, 'pending'),
      readFees(rpc, profile),
      readBalance(rpc, draft.from),
      profile.legacy ? undefined : readL1Fee(rpc, cancel ? {} : draft),
      cancel ? estimate(rpc, { from: draft.from, to: draft.from, value: '0x0' }) : undefined,
    ]);
    if (mined > draft.nonce)
      throw new ConnectError(
        'transaction.refused',
        'The transaction is no longer waiting: it was processed.',
        {
          reason: 'nonce too low',
        },
      );
    const gas = estimated ? await readGas(rpc, { plainTo: draft.from, estimated }, profile) : draft.gas;
    const facts: Facts = {
      ...draft.facts,
      // Nothing is read of the contract, whose code can have changed.
      descriptor: undefined,
      host: rpc.host,
      usualPrice: feesOf(fees).expected,
      balance,
      minedNonce: mined,
      pendingNonce: pending,
      surcharge: await readSurcharge(rpc, l1Fee, gas),
      ...(cancel
        ? {
            gasUsed: estimated?.gas ?? gas,
            code: false,
            token: undefined,
            tokens: undefined,
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
      ...(draft.accessList && (cancel || prices.type === 0) ? { accessList: undefined } : {}),
      ...(cancel ? { to: checksum(draft.from), value: 0n, data: '0x', gas } : {}),
      facts: { ...facts, gasPrice: expectedPrice(prices, fees) },
    };
  });
}

/** Reports a chain-id mismatch of a node that the site chose as the site's mistake. */
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

/** The maximum price per gas that the transaction pays. */
export function maxPrice(draft: Pick<EvmDraft, 'gasPrice' | 'maxFeePerGas'>): bigint {
  return draft.gasPrice ?? draft.maxFeePerGas ?? 0n;
}

/** Of the fields that are signed, and the surcharge as it was last read. */
export function maximumFee(draft: EvmDraft): bigint {
  return draft.gas * maxPrice(draft) + (draft.facts.surcharge?.maximum ?? 0n);
}

/**
 * The draft with a fee of at most `maximum`, provided that this still leaves a quarter above the current price, which is the rise over two
 * full blocks in a row. Undefined if it does not, or if the fee is low enough already.
 */
export function within(draft: EvmDraft, maximum: bigint): EvmDraft | undefined {
  const { type, gas, maxPriorityFeePerGas, facts } = draft;
  if (maximumFee(draft) <= maximum) return undefined;
  const { surcharge } = facts;
  const withSurcharge = (most: bigint) =>
    surcharge && { facts: { ...facts, surcharge: { ...surcharge, maximum: most } } };
  // What the surcharge may rise by is not signed, so it gives way first.
  const spare = maximum - gas * maxPrice(draft);
  if (surcharge && spare >= surcharge.expected) return { ...draft, ...withSurcharge(spare) };
  if (type !== 2) return undefined;
  const charged = surcharge?.expected ?? 0n;
  const price = (maximum - charged) / gas;
  const tip = maxPriorityFeePerGas!;
  // The tip is the same in any block.
  if (price < tip || (price - tip) * 4n < (facts.gasPrice - tip) * 5n) return undefined;
  return { ...draft, maxFeePerGas: price, ...withSurcharge(charged) };
}

type Prices = Pick<EvmDraft, 'type' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

function pricesOf(fees: ReturnType<typeof feesOf>): Prices {
  const { expected: _, ...prices } = fees;
  return prices;
}

function outbid(draft: EvmDraft, reads: FeeReads): Prices {
  const now = feesOf(reads, draft.type === 0 ? { gasPrice: reads.gasPrice } : {});
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
  const price = (baseFee ?? 0n) + prices.maxPriorityFeePerGas!;
  return price < prices.maxFeePerGas! ? price : prices.maxFeePerGas!;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function whyItFails(run: {
  reading: Reading | undefined;
  gas: bigint;
  estimated: Estimate;
  tried: Trial | undefined;
}): string | undefined {
  const { reading, gas, estimated, tried } = run;
  const reason = tried?.willFail ?? (tried?.outcome ? undefined : estimated.willFail);
  if (reason !== undefined) return reason;
  if (estimated.gas !== undefined && estimated.gas > gas) return `it needs ${estimated.gas} gas`;
  const returned = tried?.returned;
  if (reading && movesToken(reading) && returned && /^0x0{64}$/.test(returned))
    return 'the token contract answers false';
  return undefined;
}

export function address(key: PrivateKey): string {
  return computeAddress(new SigningKey(key));
}

export const OWNERSHIP: Ownership = { addressOf: address, digest: keccak256 };
