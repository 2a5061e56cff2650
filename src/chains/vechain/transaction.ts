/** Preparing and signing transactions. */
import { blake2b } from '@noble/hashes/blake2.js';
import { ConnectError } from '../../base/errors.ts';
import type { Known, Node, PrivateKey, Signed } from '../terms.ts';
import { involvedIn, tokenQuestions } from '../contracts/deeds.ts';
import { balanceOf } from '../contracts/token-calls.ts';
import { readTokenFacts } from '../contracts/token-reads.ts';
import { readingOf } from '../contracts/readings.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import { addressFacts, NOTHING_KNOWN } from '../approval/known.ts';
import { checkCoins } from '../requests/build-body.ts';
import { invalid } from '../requests/payloads.ts';
import { restOf } from '../nodes/rest.ts';
import { checkFrom, checkOwner } from '../approval/owner.ts';
import { publicKey, signDigest } from '../keys/secp256k1.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';
import { readAddress } from './address.ts';
import { payerOf, readCredit } from './credit.ts';
import { COIN, GAS_COIN, MAX_GAS, VTHO, type VechainDraft } from './draft.ts';
import {
  type Body,
  type Clause,
  idOf,
  intrinsicGas,
  lastBlock,
  MAX_SIZE,
  numberIn,
  overSize,
  serialize,
  signingHash,
} from './envelope.ts';
import { inTurns } from './in-turns.ts';
import { type Intent, type Plan, planOf } from './intent.ts';
import {
  type Block,
  readAccount,
  readBest,
  readHasCode,
  readLegacyPrice,
  readPriorityFee,
  readSymbol,
  readWord,
} from './node.ts';
import type { VechainRequest } from './payload.ts';
import { type Trial, trial, tried } from './trial.ts';
import { addressOf } from '../contracts/evm-address.ts';

/** Nodes keep a pending transaction for 20 minutes: this many blocks of 10 s. */
const LIFETIME = 120;
const BLOCK_SECONDS = 10;
/** Nodes accept references to blocks of the next 5 minutes. */
const MAX_AHEAD = 30;

/**
 * Every default filled in. One round trip to the node; if it runs code, a second, in which exactly that
 * transaction is simulated and a sponsor's account is read.
 */
export async function prepare(
  request: VechainRequest,
  from: string,
  node: Node,
  known: Known = NOTHING_KNOWN,
): Promise<VechainDraft> {
  checkFrom(from, readAddress);
  const { intent, scaled } = await planOf(request, node);
  const readings = await readingsOf(intent.clauses, from);
  const { delegator } = node.network;
  const [draft, sponsor] = await Promise.all([
    prepareIntent(intent, readings, { from, node, known, bulk: bulkOf(request) }, scaled),
    delegator === undefined ? undefined : import('./sponsor.ts'),
  ]);
  const isGas = request.type === 'GAS_TRANSFER';
  checkCoins(request, isGas ? draft.facts.vtho : draft.facts.vet, isGas ? GAS_COIN : COIN);
  const [tried, paid] = await Promise.all([
    withTrial(draft, node),
    delegator === undefined || !sponsor ? draft : sponsor.sponsored(draft, delegator, node),
  ]);
  return {
    ...paid,
    facts: { ...tried.facts, ...(paid.facts.declined && { declined: paid.facts.declined }) },
  };
}

/** With the results of simulating exactly this transaction, and who pays its gas. */
export async function withTrial(draft: VechainDraft, node: Node): Promise<VechainDraft> {
  const readings = await readingsOf(draft.clauses, draft.from);
  const { credit, gasPrice } = draft.facts;
  const [{ trial, changes, willFail = draft.facts.willFail }, payer] = await Promise.all([
    tried(draft, node, readings),
    credit && payerOf(node, credit, draft.gas * gasPrice),
  ]);
  return {
    ...draft,
    facts: { ...draft.facts, trial, changes, willFail: trial ? undefined : willFail, payer },
  };
}

function bulkOf(request: VechainRequest): string {
  if ('clauses' in request) return 'clauses';
  return request.type === 'CONTRACT_EXECUTION' ? 'inputs' : 'data';
}

type Readings = readonly (Reading | undefined)[];

/** What each clause's call does; undefined for one that only moves VET, or makes a contract. */
export function readingsOf(clauses: readonly Clause[], wallet: string): Promise<Readings> {
  return inTurns(clauses, (clause) => readingOf(clause, wallet));
}

/** The result of `scaled` replaces `first`; both call the same functions. `bulk`: the field that makes it too long. */
export async function prepareIntent(
  first: Intent,
  readings: Readings,
  { from, node, known, bulk = 'data' }: { from: string; node: Node; known: Known; bulk?: string },
  scaled?: Plan['scaled'],
): Promise<VechainDraft> {
  // Every call is made before the first await, so they go together.
  const [best, account, credit, tip, legacyPrice, run, tokens, intent] = await Promise.all([
    readBest(node),
    readAccount(node, from),
    first.delegated ? undefined : readCredit(node, from, first.clauses),
    readPriorityFee(node),
    readLegacyPrice(node),
    trial(node, from, first.clauses, readings),
    readTokens(node, from, readings),
    scaled?.() ?? first,
  ]);
  const { clauses } = intent;
  const rest = restOf(node);
  const { prices, gasPrice } = pricesOf(intent, best, tip, legacyPrice);
  const { gas, used } = gasOf(intent.gas, clauses, run, best);
  const body: Body = {
    ...placeOf(intent, best, rest.genesis!),
    clauses,
    ...prices,
    gas,
    dependsOn: intent.dependsOn ?? null,
    nonce: intent.nonce ?? randomNonce(),
    delegated: intent.delegated ?? false,
  };
  const over = overSize(body);
  if (over > 0)
    throw invalid(
      bulk,
      `is too long: the network takes ${MAX_SIZE} bytes of transaction, and this is ${over} over`,
    );
  const willFail =
    run.willFail ?? (used > gas ? { clause: clauses.length - 1, reason: `it needs ${used} gas` } : undefined);
  return {
    secretType: 'VECHAIN',
    network: node.network,
    from,
    ...body,
    facts: {
      host: rest.host,
      ...account,
      credit,
      gasPrice,
      usualPrice:
        best.nextBaseFee === undefined ? legacyPrice : best.nextBaseFee + (tip ?? best.nextBaseFee / 20n),
      gasUsed: used < gas ? used : gas,
      delegation: best.delegation,
      expires: new Date(
        (best.timestamp + (lastBlock(body) - best.number) * BLOCK_SECONDS) * 1000,
      ).toISOString(),
      ran: run.ran,
      tokens: { ...tokens, [VTHO_KEY]: { ...tokens[VTHO_KEY], ...vtho, balance: account.vtho } },
      willFail,
      addresses: Object.fromEntries(
        clauses
          .flatMap(({ to }, i) => involvedIn(to, readings[i]?.deeds ?? []))
          .map((address) => [address.toLowerCase(), addressFacts(address, known)]),
      ),
    },
  };
}

const VTHO_KEY = VTHO.address.toLowerCase();
const vtho: TokenFacts = { address: VTHO.address, ...GAS_COIN };

/** Offline and deterministic (RFC 6979). Throws `request.invalid` at `key` for another account's. */
export async function sign(draft: VechainDraft, key: PrivateKey): Promise<Signed> {
  await checkOwner(key, draft.from, {
    addressOf: address,
    digest: (bytes) => blake2b(bytes, { dkLen: 32 }),
  });
  const hash = signingHash(serialize(draft));
  const { r, s, yParity } = signDigest(hash, key);
  const signatures = [`${r}${s.slice(2)}0${yParity}`, ...(draft.sponsor ? [draft.sponsor.signature] : [])];
  return { raw: serialize(draft, ...signatures), hash: idOf(hash, draft.from) };
}

/** Which network, from which block, until when. */
function placeOf(
  intent: Intent,
  best: Block,
  genesis: string,
): Pick<Body, 'chainTag' | 'blockRef' | 'expiration'> {
  const chainTag = Number(`0x${genesis.slice(-2)}`);
  if (intent.chainTag !== undefined && intent.chainTag !== chainTag)
    throw invalid('chainTag', `is ${intent.chainTag}, but the wallet's network has ${chainTag}`);
  const { blockRef = best.ref } = intent;
  const start = numberIn(blockRef);
  if (start > best.number + MAX_AHEAD)
    throw invalid('blockRef', `is of block ${start}, but the newest is ${best.number}`);
  const expiration = intent.expiration ?? best.number - start + LIFETIME;
  if (start + expiration <= best.number)
    throw invalid(
      intent.expiration === undefined ? 'blockRef' : 'expiration',
      `is over: block ${start + expiration} was the last, and the newest is ${best.number}`,
    );
  return { chainTag, blockRef, expiration };
}

type Prices = Pick<Body, 'gasPriceCoef' | 'maxPriorityFeePerGas' | 'maxFeePerGas'>;

function pricesOf(
  intent: Intent,
  { baseFee, nextBaseFee: least }: Block,
  tip: bigint | undefined,
  legacyPrice: bigint | undefined,
): { prices: Prices; gasPrice: bigint } {
  if (intent.gasPriceCoef !== undefined || (baseFee === undefined && intent.maxFeePerGas === undefined)) {
    if (legacyPrice === undefined)
      throw new ConnectError('node.unreachable', 'The node does not tell the price of gas.', {
        reason: 'answer',
      });
    const gasPriceCoef = intent.gasPriceCoef ?? 0;
    const gasPrice = legacyPrice + (legacyPrice * BigInt(gasPriceCoef)) / 255n;
    if (gasPrice < (least ?? 0n))
      throw invalid(
        'gasPriceCoef',
        `pays ${gasPrice} wei per gas, but blocks ask for ${least}; leave it out for the current price`,
      );
    return { prices: { gasPriceCoef }, gasPrice };
  }
  if (baseFee === undefined || least === undefined)
    throw invalid('maxFeePerGas', 'is not known to the wallet’s network; use gasPriceCoef');
  // Twice the base fee stays valid for five full blocks in a row.
  const { maxPriorityFeePerGas = tip ?? baseFee / 20n, maxFeePerGas = 2n * baseFee + maxPriorityFeePerGas } =
    intent;
  if (maxFeePerGas < least)
    throw invalid('maxFeePerGas', `is ${maxFeePerGas} wei, but blocks ask for ${least}`);
  const price = least + maxPriorityFeePerGas;
  return {
    prices: { maxPriorityFeePerGas, maxFeePerGas },
    gasPrice: price < maxFeePerGas ? price : maxFeePerGas,
  };
}

/**
 * By the Thor SDK's formula: the simulation's gas, plus 15,000 if code runs, plus a fifth, because state may
 * change until the transaction is in a block.
 */
function gasOf(
  given: bigint | undefined,
  clauses: readonly Clause[],
  run: Trial,
  { gasLimit }: Block,
): { gas: bigint; used: bigint } {
  const intrinsic = intrinsicGas(clauses);
  const used = intrinsic + run.gasUsed;
  if (given !== undefined) {
    if (given < intrinsic)
      throw invalid('gas', `is less than the ${intrinsic} that this transaction costs before any code runs`);
    if (given > gasLimit) throw invalid('gas', `is more than a block holds: ${gasLimit}`);
    return { gas: given, used };
  }
  const gas = run.gasUsed === 0n ? intrinsic : ((used + 15_000n) * 6n + 4n) / 5n;
  const limit = gasLimit < MAX_GAS ? gasLimit : MAX_GAS;
  return { gas: gas < limit ? gas : limit, used };
}

function randomNonce(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

/** Tokens that the clauses move or allow to be moved; of VTHO the balance is known, allowances are not. */
async function readTokens(
  node: Node,
  owner: string,
  readings: Readings,
): Promise<Record<string, TokenFacts>> {
  const deeds = readings.flatMap((reading) => reading?.deeds ?? []);
  const isVtho = (token: string) => token.toLowerCase() === VTHO_KEY;
  const reads = {
    network: node.network,
    coin: COIN,
    word: (contract: string, data: string) => readWord(node, contract, data),
    balance: async (token: string, of: string) =>
      isVtho(token) ? undefined : readWord(node, token, balanceOf(of)),
    symbol: async (token: string) => (isVtho(token) ? GAS_COIN.symbol : readSymbol(node, token)),
    hasCode: (address: string) => readHasCode(node, address),
  };
  const tokens = await Promise.all(
    tokenQuestions({ deeds }).map((question) => readTokenFacts(reads, question, owner)),
  );
  return Object.fromEntries(tokens.map((token) => [token.address.toLowerCase(), token]));
}

export function address(key: PrivateKey): string {
  return addressOf(publicKey(key, 'uncompressed'));
}
