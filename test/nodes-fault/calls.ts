/** What an application asks of the service, and of what each answer is judged. */
import { randomUUID } from 'node:crypto';
import type { ExchangeRates } from '../../src/api/swap.ts';
import type { NativeBalance, TokenBalance } from '../../src/api/wallet.ts';
import { entriesOf } from '../../src/swaps/entry.ts';
import type { Token } from '../../src/chains/network.ts';
import { loadPayloads } from '../../src/chains/load.ts';
import * as exchanges from '../../src/swaps/index.ts';
import type { Answered } from '../service/users-setup.ts';
import { poll } from '../waiting.ts';
import { compared, ofProblem, type Outcome, RIGHT, textOf, UNREAD, wrong } from './outcomes.ts';
import { idOf, type Place } from './places.ts';

/** A place with faulty nodes. */
export interface Scene {
  place: Place;
  /** Of a node that is behind: what was right before. */
  isBehind: boolean;
  /** No other node is there. */
  isAlone: boolean;
  /** Ends the fault. */
  heal(): Promise<void>;
}

export interface CallRow {
  isOn?(place: Place): boolean;
  /** The fault is only of what gives a node a transaction. */
  isSending?: true;
  /** The search for deposits has nodes of its own. */
  isDeposits?: true;
  /** Of the fault that is none of a node. */
  isReorganised?: true;
  /** Waits until the last cell has no effect any more. */
  settle?(place: Place): Promise<unknown>;
  /** Changes what is true, after it was asked once. */
  change?(place: Place): Promise<unknown>;
  ask(scene: Scene): Promise<Outcome>;
}

/** Whole tokens of one payment. */
const TOKENS = 1;

const get = <T>({ shop }: Place, path: string): Promise<Answered<T>> => shop.call<T>(shop.shop, 'GET', path);

const post = <T>({ shop }: Place, path: string, body: object): Promise<Answered<T>> =>
  shop.call<T>(shop.shop, 'POST', path, body);

const isOk = ({ status }: Answered<unknown>): boolean => status < 300;

/** The balances that the tests know of, before the last change. */
const earlier = new WeakMap<Place, Map<string, unknown>>();

function kept(place: Place): Map<string, unknown> {
  const known = earlier.get(place) ?? new Map<string, unknown>();
  earlier.set(place, known);
  return known;
}

/** The same, and remembers it for a node that is behind. */
function judged({ place, isBehind }: Scene, what: string, said: unknown, truth: unknown): Outcome {
  const known = kept(place);
  const before = isBehind ? known.get(what) : undefined;
  known.set(what, truth);
  return compared(said, truth, before);
}

async function balance(scene: Scene): Promise<Outcome> {
  const { place } = scene;
  const { wallet } = place;
  const answer = await get<NativeBalance>(place, `/api/wallets/${wallet.id}/balance`);
  if (!isOk(answer)) return ofProblem(answer);
  if (!answer.body.available) return UNREAD;
  return judged(scene, 'balance', answer.body, await place.chain.balance(wallet.address, place.good));
}

async function tokens(scene: Scene): Promise<Outcome> {
  const { place } = scene;
  const { wallet } = place;
  const path = `/api/wallets/${wallet.id}/balance/tokens?partial=true`;
  const answer = await get<TokenBalance[]>(place, path);
  if (!isOk(answer)) return ofProblem(answer);
  const truth = await place.chain.tokenBalances(wallet.address, place.tokens, place.good);
  const unread = answer.headers.get('Carabiner-Partial')?.split(', ') ?? [];
  const rest = truth.filter(({ tokenAddress }) => !unread.includes(tokenAddress));
  const outcome = judged(scene, 'tokens', answer.body, rest);
  return outcome.word === 'right' && unread.length > 0 ? UNREAD : outcome;
}

/** Of a token whose decimals only its contract tells, where there are tokens. */
async function build({ place }: Scene): Promise<Outcome> {
  const { secretType, wallet, unlisted } = place;
  const body = {
    walletId: wallet.id,
    secretType,
    to: await place.stranger(),
    ...(unlisted
      ? { type: 'TOKEN_TRANSFER', value: 1.5, tokenAddress: unlisted.address }
      : { type: 'TRANSFER', value: 0.5 }),
  };
  const answer = await post<Record<string, unknown>>(place, '/api/transactions/build', body);
  if (!isOk(answer)) return ofProblem(answer);
  if (!unlisted) return RIGHT;
  const raw = (15n * 10n ** BigInt(unlisted.decimals)) / 10n;
  const { value, amount, clauses, data } = answer.body as Record<string, unknown>;
  const text = textOf([value, amount, clauses, data]);
  const isRight =
    text.includes(`"${raw}"`) || text.includes(`${raw}`) || text.includes(raw.toString(16).padStart(64, '0'));
  return isRight ? RIGHT : wrong(text);
}

/** A native request that pays `to`. */
function payment({ secretType, wallet, amount }: Place, to: string): object {
  const value = Number(amount);
  const walletId = wallet.id;
  switch (secretType) {
    case 'ETHEREUM':
      return { type: 'ETH_TRANSACTION', walletId, to, value: String(amount) };
    case 'GOCHAIN':
      return { type: 'GO_TRANSACTION', walletId, to, value: String(amount) };
    case 'BITCOIN':
      return { type: 'BTC_TRANSACTION', walletId, to, value };
    case 'LITECOIN':
      return { type: 'LTC_TRANSACTION', walletId, to, value };
    case 'VECHAIN':
      return { type: 'VET_TRANSACTION', walletId, clauses: [{ to, amount: String(amount) }] };
    case 'TRON':
      return { type: 'TRX_TRANSACTION', walletId, to, value };
    case 'AETERNITY':
      return { type: 'AE_TRANSACTION', walletId, to, value };
  }
}

async function tokenPayment(
  { secretType, wallet, dollars, chain, good }: Place,
  to: string,
): Promise<object> {
  const { parse } = await loadPayloads(secretType);
  const body = {
    type: 'TOKEN_TRANSFER',
    walletId: wallet.id,
    secretType,
    to,
    tokenAddress: dollars!.address,
    value: TOKENS,
  };
  return chain.build(parse(body), wallet.address, good);
}

/** The transactions that the wallet has signed. */
const signed = ({ shop, wallet }: Place) =>
  shop.service.service.db
    .selectFrom('transactions')
    .select(['hash', 'raw'])
    .where('wallet_id', '=', wallet.id)
    .execute();

/** Pays, once whatever happens. */
async function pay(scene: Scene, token?: Token): Promise<Outcome> {
  const { place, heal } = scene;
  const { shop, secretType, chain } = place;
  const to = await place.stranger();
  const amount = token === undefined ? place.amount : BigInt(TOKENS) * 10n ** BigInt(token.decimals);
  const body = token === undefined ? payment(place, to) : await tokenPayment(place, to);
  const key = randomUUID();
  const before = await signed(place);
  const first = await shop.execute(body, key);
  const outcome = isOk(first) ? RIGHT : ofProblem(first);
  if (outcome.word === 'wrong') return outcome;
  const now = await signed(place);
  if (outcome.word === 'unreachable' && now.length !== before.length)
    return wrong('it was signed, and the error does not say so');
  const hash = first.body.transactionHash ?? first.body.details?.['transactionHash'];
  if (secretType === 'ETHEREUM' && now.some(({ raw }) => !raw.startsWith('0x02')))
    return wrong('its fee is of type 0');
  if (isOk(first) && (await chain.status(String(hash), place.good)) === 'unknown')
    return wrong('no node has what was sent');
  if (outcome.word === 'unknown') {
    const status = await shop.status(String(hash), secretType);
    if (status !== 'pending' && status !== 'confirmed') return wrong(`its status is ${status}`);
    const again = await shop.execute(body, key);
    const said = isOk(again) ? again.body.transactionHash : again.body.details?.['transactionHash'];
    if (said !== hash) return wrong(`asked again: ${again.outcome}, ${again.body.detail}`);
  }
  await heal();
  const again = await shop.execute(body, key);
  if (!isOk(again)) return wrong(`after the fault: ${again.outcome}, ${again.body.detail}`);
  if (hash !== undefined && again.body.transactionHash !== hash)
    return wrong('after the fault: another hash');
  const raw = await place.arrived(to, amount, token?.address);
  if (raw !== amount) return wrong(`${raw} arrived instead of ${amount}`);
  if (token === undefined) place.paid.set(to, amount);
  await place.settle();
  const done = await chain.status(again.body.transactionHash, place.good);
  if (done !== 'confirmed') return wrong(`in the end it is ${done}`);
  const known = await shop.status(again.body.transactionHash, secretType);
  if (known !== 'confirmed') return wrong(`in the end its status is ${known}`);
  return outcome;
}

/** Of a transaction in a block that the service did not make. */
async function status({ place, isBehind }: Scene): Promise<Outcome> {
  const hash = await place.local.give(place.local.assets[0]!, await place.stranger());
  await place.settle();
  const said = await place.shop.status(hash, place.secretType);
  if (said === 'confirmed') return RIGHT;
  if (said === '502 node.unreachable') return { word: 'unreachable' };
  if (isBehind && (said === 'unknown' || said === 'pending')) return { word: 'behind' };
  return wrong(`${said} instead of confirmed`);
}

/** How often to look for what a node that is behind does not show. */
const LOOKS = 40;

/** Rounds of the search that failed in a row. */
async function failures({ told, local }: Place): Promise<number> {
  const found = await told.shop.service.service.db
    .selectFrom('scan_cursors')
    .select('failures')
    .where('network', '=', idOf(local.network, 'deposits'))
    .executeTakeFirstOrThrow();
  return found.failures;
}

async function deposits({ place, isBehind, isAlone, heal }: Scene): Promise<Outcome> {
  const { told, watched, secretType } = place;
  const amount = place.amount + BigInt(place.next());
  await place.fund(watched.address, amount);
  await place.mine();
  const arrived = (): string[] => [
    ...new Set(
      told.receiver.arrived
        .filter(({ body }) => body.includes(`"raw":"${amount}"`) && body.includes(watched.id))
        .map(({ headers }) => String(headers['webhook-id'])),
    ),
  ];
  let looks = 0;
  const first = await poll(async () => {
    if (arrived().length > 0) return 'told' as const;
    const isOver = isBehind ? ++looks > LOOKS : isAlone && (await failures(place)) > 0;
    return isOver ? ('unread' as const) : undefined;
  }, `a deposit on ${secretType}`);
  await heal();
  await poll(() => arrived().length > 0, `the deposit on ${secretType}, after the fault`);
  const all = arrived();
  if (all.length !== 1) return wrong(`told ${all.length} times`);
  if (first === 'told') return RIGHT;
  return isBehind ? { word: 'behind' } : UNREAD;
}

/** Its block is removed before it has its confirmations. */
async function reorganised({ place }: Scene): Promise<Outcome> {
  const { shop, secretType } = place;
  const [to, key] = [await place.stranger(), randomUUID()];
  const body = payment(place, to);
  const undo = await place.mark();
  const sent = await shop.execute(body, key);
  if (!isOk(sent)) return ofProblem(sent);
  const { transactionHash: hash } = sent.body;
  await place.mine();
  for (const what of ['in a block', 'in no block']) {
    const status = await shop.status(hash, secretType);
    if (status !== 'pending') return wrong(`${what}, its status is ${status}`);
    if (what === 'in a block') await undo();
  }
  const again = await shop.execute(body, key);
  if (again.body.transactionHash !== hash)
    return wrong(`asked again: ${again.outcome}, ${again.body.detail}`);
  const raw = await place.arrived(to, place.amount);
  if (raw !== place.amount) return wrong(`${raw} arrived instead of ${place.amount}`);
  place.paid.set(to, place.amount);
  await place.settle();
  const status = await shop.status(hash, secretType);
  return status === 'confirmed' ? RIGHT : wrong(`in the end its status is ${status}`);
}

const hasSwaps = ({ local }: Place): boolean => (local.network.exchanges ?? []).length > 0;

function trade(place: Place) {
  const { secretType, dollars } = place;
  return {
    fromSecretType: secretType,
    toSecretType: secretType,
    fromToken: '',
    toToken: dollars!.address,
    orderType: 'SELL' as const,
    amount: (0.1 + place.next() / 10_000).toFixed(4),
  };
}

const withoutFees = ({ exchangeRates }: ExchangeRates) =>
  exchangeRates.map((rate) => ({ ...rate, networkFee: undefined }));

async function rates({ place }: Scene): Promise<Outcome> {
  const query = trade(place);
  const answer = await get<ExchangeRates>(place, `/api/swaps/rates?${new URLSearchParams(query)}`);
  if (!isOk(answer)) return ofProblem(answer);
  const { chain, good } = place;
  const truth = await exchanges.swapRates(query, () => ({ chain, node: good }));
  const { noRates = [] } = answer.body;
  const odd = noRates.find(({ code }) => code !== 'node.unreachable');
  if (odd) return wrong(`${odd.code}: ${odd.message}`);
  const missing = new Set(noRates.map(({ exchange }) => exchange));
  const outcome = compared(
    withoutFees(answer.body),
    withoutFees(truth).filter(({ exchange }) => !missing.has(exchange)),
  );
  return outcome.word === 'right' && missing.size > 0 ? UNREAD : outcome;
}

/** A time of about now, as a word of a call. */
const TIME = /0{56}6[0-9a-f]{7}/g;

async function swap({ place }: Scene): Promise<Outcome> {
  const { wallet, chain, good, local } = place;
  const { amount, ...query } = trade(place);
  const body = {
    walletId: wallet.id,
    ...query,
    inputAmount: amount,
    exchange: entriesOf(local.network)[0]!.name,
  };
  const answer = await post<object[]>(place, `/api/wallets/${wallet.id}/swaps`, body);
  if (!isOk(answer)) return ofProblem(answer);
  const own = { from: wallet.address, to: wallet.address };
  const truth = await exchanges.createSwap(body, own, () => ({ chain, node: good }));
  const timeless = (requests: unknown): unknown =>
    JSON.parse(JSON.stringify(requests).replaceAll(TIME, 'time'));
  return compared(timeless(answer.body), timeless(truth));
}

const hasTokens = ({ dollars }: Place): boolean => dollars !== undefined;

/** A new block with something for the wallet. */
const more = async (place: Place): Promise<void> => {
  await place.fund(place.wallet.address, place.amount);
  await place.mine();
};

export const CALLS: Readonly<Record<string, CallRow>> = {
  balance: { ask: balance, change: more },
  tokens: { isOn: hasTokens, ask: tokens, change: more },
  build: { ask: build },
  execute: { ask: (scene) => pay(scene), change: more },
  'execute, tokens': {
    isOn: hasTokens,
    ask: (scene) => pay(scene, scene.place.dollars),
  },
  send: { isSending: true, ask: (scene) => pay(scene), change: more },
  status: { ask: status },
  'status, reorganised': { isReorganised: true, ask: reorganised },
  deposits: {
    isDeposits: true,
    settle: (place) =>
      poll(async () => (await failures(place)) === 0, `a search for deposits on ${place.secretType}`),
    ask: deposits,
  },
  rates: { isOn: hasSwaps, ask: rates },
  swap: { isOn: hasSwaps, ask: swap },
};
