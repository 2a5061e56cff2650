/**
 * `surface: 'redirect'`: what page and wallet tell each other in the fragments of addresses, and the page's end. Loaded when a page leaves for
 * the wallet or is come back to. docs/security.md#redirects says what each step proves.
 */
import type { Wallet } from '../api/wallet.ts';
import { actionHas, type Action } from '../base/actions.ts';
import { fromBase64Url, toBase64Url } from '../base/base64.ts';
import { utf8 } from '../base/bytes.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { ConnectError, FrameBlockedError, UserRejectedError } from '../base/errors.ts';
import { language } from '../base/localize.ts';
import type { HostEnd } from './host-end.ts';
import type { Call } from './host-call.ts';
import { type HostRecord, type RequestStore, requestStore } from './host-record.ts';
import type { FromFrame } from './messages.ts';

/** 1. page → wallet: a request as base64url of JSON, which nobody trusts yet. */
export const REQUEST = '#carabiner-request=';
/** 2. wallet → page: the trip and a one-time key of the wallet, to the registered address. */
export const CHALLENGE = '#carabiner-challenge=';
/** 3. page → wallet: the trip and what only the request's key makes of that. */
export const PROOF = '#carabiner-proof=';
/** 4. wallet → page: the trip and the sealed answer. */
export const ANSWER = '#carabiner-answer=';

/** Of a request, and of an answer, as JSON: bytes. */
export const MAX_BYTES = 8192;
/** How long a request can be approved. */
export const LIFE_MS = 10 * 60_000;
/** A transaction approved at the end of that may take as long to be sent. */
const KEPT_MS = 2 * LIFE_MS;
/** A page that is still there after this stays: its user was asked whether to leave it, its storage hangs, or the network is slow. */
export const LEAVING_MS = 30_000;
/** Of wallets that the page has unlinked. The others are told with the next request. */
export const MAX_UNLINKED = 20;

/** A trip, and base64url. */
const PAIR = /^([\w-]{22})\.([\w-]+)$/;

export interface RedirectRequest {
  version: 1;
  /** 128 random bits that nobody else sees; an id may be the page's own, and known. */
  trip: string;
  id: string;
  action: Action;
  params: unknown;
  /** The page's one-time key: a point of P-256, uncompressed, as base64url. */
  key: string;
  /** Where challenge and answer go. */
  returnTo: string;
  locale?: string | undefined;
  /** Wallets that the page unlinked while the vault was out of reach. */
  unlinked?: string[] | undefined;
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' };

/** The private part never leaves the browser's own key store. */
export async function oneTimeKey(): Promise<{ own: CryptoKey; shown: string }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  return {
    own: privateKey,
    shown: toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
  };
}

/** What both ends get from their own and each other's key: the page's proof, and 32 bytes for `sealer`. */
export interface Agreement {
  proof: string;
  seal: Uint8Array<ArrayBuffer>;
}

/**
 * ECDH on P-256 and HKDF with SHA-256, bound to the wallet's origin, to every byte of the request, its return address included, and to the
 * wallet's key. `other`: the other end's key. Rejects if that is none.
 */
export async function agree(
  own: CryptoKey,
  other: string,
  { wallet, body, challenge }: { wallet: string; body: string; challenge: string },
): Promise<Agreement> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', fromBase64Url(other), CURVE, false, []);
  const shared = await subtle.deriveBits({ ...CURVE, public: key }, own, 256);
  const digest = new Uint8Array(await subtle.digest('SHA-256', utf8(body)));
  const info = utf8(['carabiner redirect 1', wallet, toBase64Url(digest), challenge].join('\n'));
  const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
  const terms = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info };
  const bits = new Uint8Array(await subtle.deriveBits(terms, secret, 512));
  return { proof: toBase64Url(bits.slice(0, 32)), seal: bits.slice(32) };
}

const IV_BYTES = 12;

/** The key of one answer. */
export function sealer(seal: Uint8Array<ArrayBuffer>, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', seal, 'AES-GCM', false, [use]);
}

export async function sealed(key: CryptoKey, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text)));
  return toBase64Url(new Uint8Array([...iv, ...bytes]));
}

/** Rejects unless `sealed` made it with the same key. */
export async function unsealed(key: CryptoKey, text: string): Promise<string> {
  const bytes = fromBase64Url(text);
  const iv = bytes.slice(0, IV_BYTES);
  return new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES)),
  );
}

export function pairOf(fragment: string, name: string): [trip: string, value: string] | undefined {
  if (!fragment.startsWith(name)) return undefined;
  const [, trip, value] = PAIR.exec(fragment.slice(name.length)) ?? [];
  return trip && value ? [trip, value] : undefined;
}

// The page's end.

/** What the page keeps while its user is away, in its own IndexedDB, by its trip. */
interface Departure {
  id: string;
  action: Action;
  /** Epoch milliseconds. */
  at: number;
  /** As it was sent. */
  body: string;
  returnTo: string;
  /** The address of the page that asked. */
  from: string;
  /** The private part of the one-time key. */
  own: CryptoKey;
  /** Of the answer, once the page has proven itself. */
  seal?: CryptoKey;
  /** The answer has been led back to the page that asked. */
  isLedBack?: boolean;
  /** Of `resume`: the request that it is about. */
  resumes?: string | undefined;
  /** Wallets of which the wallet is told that the page has unlinked them. */
  unlinked: readonly string[];
}

/** What the wallet has sent a page in its address: for every connect of the page. */
export interface Arrival {
  readonly fragment: string;
  /** By the wallet's origin: what was in it. It is opened once. */
  readonly letters: Map<string, Promise<Letter | undefined>>;
}

interface Letter {
  departure: Departure;
  messages: FromFrame[];
}

export interface RedirectOptions {
  /** The wallet's page. */
  url: URL;
  host: Pick<HostEnd, 'receive'>;
  record: HostRecord;
  locale?: string | undefined;
  /** An address of this origin that its `/.well-known/carabiner.json` lists; this page's own without its query when absent. */
  returnTo?: string | undefined;
  clock?: Clock;
  /** Whether the page is not in a frame: no wallet opens there. */
  isTop?: boolean;
  /** How the browser leaves. */
  go?: (address: string, how: 'assign' | 'replace') => void;
}

const leave = (address: string, how: 'assign' | 'replace'): void => location[how](address);

const departures = ({ url }: RedirectOptions): RequestStore<Departure> =>
  requestStore(`carabiner:${url.origin}:redirect`);

/** The request with which the page is leaving, whichever of its wallets that is for: a tab goes to one address. */
let parting: Call | undefined;

/** Takes a request to the wallet. The call settles only if that fails, or if the user goes back without an answer. */
export async function depart(call: Call, options: RedirectOptions): Promise<void> {
  try {
    if (parting && !parting.settled)
      throw new ConnectError(
        'request.conflict',
        'The page is leaving for the wallet with another request. Ask again when it is back.',
        { requestId: parting.id },
      );
    parting = call;
    const { clock = systemClock } = options;
    clock.after(LEAVING_MS, () => call.settle(call.closedError()), 'limit');
    await call.stored;
    const trip = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
    const address = await prepare(trip, call, options);
    if (call.settled) return await departures(options).forget(trip);
    // From here on the wallet may have it: that the page withdraws it does not mean that nothing is signed.
    if (actionHas(call.action, 'signs')) call.stage = 'signing';
    // The browser may keep the page as it is, and show it again.
    addEventListener('pageshow', ({ persisted }) => persisted && void comeBack(trip, call, options));
    (options.go ?? leave)(address, 'assign');
  } catch (error) {
    call.settle(
      error instanceof ConnectError
        ? error
        : new FrameBlockedError(
            `The page could not keep what it needs to read an answer by redirect. ${String(error)}`,
            'redirect',
          ),
    );
  }
}

/** The user went back by the browser's own button. A page that has its answer by now begins anew. */
export async function comeBack(trip: string, call: Call, options: RedirectOptions): Promise<void> {
  if (call.settled) return;
  const store = departures(options);
  const departure = await departureOf(trip, store).catch(() => 'unreadable' as const);
  if (!departure) return location.reload();
  if (departure === 'unreadable' || departure.seal) return call.settle(call.closedError());
  // The page has proven nothing, and now never will: nothing can be signed.
  await store.forget(trip);
  call.settle(new UserRejectedError('The user came back without an answer.', { reason: 'closed' }));
}

async function departureOf(trip: string, store: RequestStore<Departure>): Promise<Departure | undefined> {
  return new Map(Object.entries(await store.all())).get(trip);
}

async function prepare(trip: string, call: Call, options: RedirectOptions): Promise<string> {
  const { url, clock = systemClock, locale, record } = options;
  const { id, action, params } = call;
  const unlinked = record.read().unlinked.slice(0, MAX_UNLINKED);
  const returnTo = returnAddress(options);
  const { own, shown } = await oneTimeKey();
  const request: RedirectRequest = {
    version: 1,
    trip,
    id,
    action,
    params,
    key: shown,
    returnTo,
    locale: (locale ?? language ?? document.documentElement.lang).slice(0, 35),
    ...(unlinked.length && { unlinked }),
  };
  const bytes = utf8(
    JSON.stringify(request, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
  );
  if (bytes.length > MAX_BYTES)
    throw new ConnectError(
      'request.too-large',
      `The request takes ${bytes.length} bytes, and an address has room for ${MAX_BYTES}. Ask for less at once, or use a window.`,
    );
  const body = toBase64Url(bytes);
  const store = departures(options);
  await forgetOld(store, clock.date());
  const resumes = action === 'resume' ? (params as { requestId: string }).requestId : undefined;
  await store.keep(trip, {
    id,
    action,
    at: clock.date(),
    body,
    returnTo,
    from: location.href,
    own,
    resumes,
    unlinked,
  });
  return `${url.href}${REQUEST}${body}`;
}

/** Throws `frame.blocked` for what no wallet would send anybody to. */
function returnAddress({
  returnTo: given = location.pathname,
  isTop = window.parent === window,
}: RedirectOptions): string {
  if (!isTop)
    throw new FrameBlockedError('A page in a frame cannot leave for the wallet. Use a window.', 'redirect');
  const url = URL.canParse(given, location.href) ? new URL(given, location.href) : undefined;
  if (url?.origin === location.origin && !url.href.includes('#') && crypto.subtle) return url.href;
  throw new FrameBlockedError(
    crypto.subtle
      ? '`returnTo` must be an address of this page’s own origin, without a fragment.'
      : 'A wallet answers by redirect only to pages that came by https.',
    'redirect',
  );
}

async function forgetOld(store: RequestStore<Departure>, now: number): Promise<void> {
  for (const [trip, { at }] of Object.entries(await store.all()))
    if (now - at > KEPT_MS) await store.forget(trip);
}

/** Takes what the wallet has sent the page in its fragment, which the caller has cleared. What nobody here asked for is left. */
export async function arrive({ fragment, letters }: Arrival, options: RedirectOptions): Promise<void> {
  const { origin } = options.url;
  const earlier = letters.get(origin);
  const opening = earlier ?? opened(fragment, options);
  if (!earlier) letters.set(origin, opening);
  const letter = await opening;
  if (!letter) return;
  if (earlier) options.record.change(() => {});
  else note(letter, options);
  for (const message of letter.messages) deliver(letter.departure, message, options);
}

async function opened(fragment: string, options: RedirectOptions): Promise<Letter | undefined> {
  const challenge = pairOf(fragment, CHALLENGE);
  const answer = pairOf(fragment, ANSWER);
  const [trip = '', value = ''] = challenge ?? answer ?? [];
  const store = departures(options);
  const departure = await departureOf(trip, store);
  const age = (options.clock ?? systemClock).date() - (departure?.at ?? 0);
  if (!departure || age > KEPT_MS) return undefined;
  if (challenge) {
    if (age < LIFE_MS) await prove(trip, value, departure, store, options);
    return undefined;
  }
  const { from } = departure;
  // The page that asked has its own state, and its elements. If it leads elsewhere by now, the answer is taken there.
  if (!departure.isLedBack && from.split('#')[0] !== location.href.split('#')[0]) {
    await store.keep(trip, { ...departure, isLedBack: true });
    (options.go ?? leave)(`${from.split('#')[0]}${fragment}`, 'replace');
    return undefined;
  }
  // Nothing but the wallet knows the key, so that anything else ends here and the request stays open.
  const text = departure.seal && (await unsealed(departure.seal, value).catch(() => undefined));
  if (text === undefined) return undefined;
  await store.forget(trip);
  if (from.split('#')[0] === location.href.split('#')[0]) history.replaceState(history.state, '', from);
  return { departure, messages: JSON.parse(text) as FromFrame[] };
}

/** Shows the wallet that the request is of this origin: its key is in the storage of no other. Once for each request. */
async function prove(
  trip: string,
  challenge: string,
  departure: Departure,
  store: RequestStore<Departure>,
  { url, go = leave }: RedirectOptions,
): Promise<void> {
  const { own, body, returnTo, seal: earlier } = departure;
  if (earlier || location.href.split('#')[0] !== returnTo) return;
  const { proof, seal } = await agree(own, challenge, { wallet: url.origin, body, challenge });
  await store.keep(trip, { ...departure, seal: await sealer(seal, 'decrypt') });
  go(`${url.href}${PROOF}${trip}.${proof}`, 'replace');
}

/** What the page remembers of it, before anybody is told. */
function note({ departure, messages }: Letter, { host, record }: RedirectOptions): void {
  const { action, at, unlinked } = departure;
  const list = messages.find((each) => each.type === 'wallets');
  const answer = messages.find((each) => isAnswer(each, departure));
  if (list) record.change((it) => void (it.unlinked = it.unlinked.filter((id) => !unlinked.includes(id))));
  // Alone, if the list was too long to come along.
  if (answer?.type === 'result' && (action === 'linkWallets' || action === 'manageWallets'))
    record.addWallets([answer.result as Wallet | Wallet[]].flat());
  if (list) host.receive(list);
  if (answer) record.change(({ undelivered }) => (undelivered[idOf(departure)] ??= { action, at }));
}

/** As if it had come over a port, for an earlier load of the page. Only the wallet can have sealed it. */
function deliver(departure: Departure, message: FromFrame, { host }: RedirectOptions): void {
  if (message.type === 'replaced') host.receive(message);
  else if (isAnswer(message, departure)) host.receive({ ...message, id: idOf(departure) });
}

const idOf = ({ id, resumes }: Departure): string => resumes ?? id;

type Answer = Extract<FromFrame, { type: 'result' | 'error' }>;

function isAnswer(message: FromFrame, { id, resumes }: Departure): message is Answer {
  if ((message.type !== 'result' && message.type !== 'error') || message.id !== id) return false;
  // Whoever only did not look still has no answer.
  return !resumes || message.type === 'result' || message.error.code !== 'user.rejected';
}
