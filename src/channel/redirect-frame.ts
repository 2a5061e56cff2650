/** The frame's end of `surface: 'redirect'`: a page that came by navigation, and has to prove its origin. Loaded for an address with a fragment. */
import * as z from 'zod/mini';
import { ACTION_NAMES, isAsk } from '../base/actions.ts';
import { fromBase64Url, toBase64Url } from '../base/base64.ts';
import { type Clock, inTime, systemClock } from '../base/clock.ts';
import { FrameBlockedError, FrameUnreachableError, toWire, UserRejectedError } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { excess } from './bounds.ts';
import type { HostLink, HostRequest } from './link.ts';
import type { FromFrame, Replaced, Stage } from './messages.ts';
import {
  agree,
  ANSWER,
  CHALLENGE,
  LIFE_MS,
  MAX_BYTES,
  MAX_UNLINKED,
  oneTimeKey,
  pairOf,
  PROOF,
  type RedirectRequest,
  REQUEST,
  sealed,
  sealer,
} from './redirect.ts';
import { AnyParams, RequestId } from './schema.ts';

const Request = z.strictObject({
  version: z.literal(1),
  trip: z.string().check(z.regex(/^[\w-]{22}$/)),
  id: RequestId,
  action: z.enum(ACTION_NAMES),
  params: AnyParams,
  key: z.string().check(z.regex(/^[\w-]{87}$/)),
  returnTo: z.string().check(z.maxLength(2048)),
  locale: z.optional(z.string().check(z.maxLength(35))),
  unlinked: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MAX_UNLINKED))),
});

/** What `networks.json` has for this page alone. */
const Operator = z.object({ redirects: z.optional(z.array(z.string())) });

/** `/.well-known/carabiner.json`. Later versions may add to it. */
const Registration = z.object({
  version: z.literal(1),
  redirect: z.object({ returns: z.array(z.string()) }),
});
/** Bytes of it. */
const MAX_REGISTRATION = 16_384;
const REGISTRATION_MS = 10_000;

/** After an answer, so that what was written about it is on disk. */
const LINGER_MS = 300;

/** What waits for the page's proof, in the tab's own storage: another tab has none of it. */
const WAITS = 'carabiner:redirect';
interface Waiting {
  trip: string;
  body: string;
  proof: string;
  seal: string;
  /** Epoch milliseconds. */
  until: number;
}

/** What is used of the tab, and of what is around it. */
export interface Tab {
  readonly origin: string;
  readonly isTop: boolean;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** The fragment of the address, which it clears. */
  take(): string;
  go(address: string): void;
  /** Runs `work` when the user leaves: a browser may keep the page as it is, and show it again. */
  onLeave(work: () => void): void;
  /** The operator's list: `redirects` of `networks.json`. */
  redirects(): Promise<readonly string[]>;
  readonly fetch: typeof fetch;
}

function ownTab(): Tab {
  return {
    origin: location.origin,
    isTop: window.parent === window,
    storage: sessionStorage,
    take() {
      const { hash, pathname } = location;
      history.replaceState(null, '', pathname);
      return hash;
    },
    go: (address) => location.replace(address),
    onLeave: (work) => addEventListener('pagehide', work),
    redirects: async () => {
      const response = await fetch(new URL('../networks.json', location.href), { credentials: 'omit' });
      return Operator.parse(await response.json()).redirects ?? [];
    },
    fetch: (...all) => fetch(...all),
  };
}

/**
 * Serves the page that the fragment of the address is from. Resolves with a link once the page has proven its origin, never while it is on
 * its way to do so. Rejects with `frame.blocked` and the reason `redirect`; `details.site` is what an unproven page says it is.
 */
export async function connectSite(tab: Tab = ownTab(), clock: Clock = systemClock): Promise<HostLink> {
  const fragment = tab.take();
  if (!tab.isTop) throw unproven('In a frame, no page is served by redirect.');
  const proof = pairOf(fragment, PROOF);
  if (proof) return served(proof, tab, clock);
  const body = fragment.startsWith(REQUEST) ? fragment.slice(REQUEST.length) : '';
  const request = readRequest(body);
  const url = returnAddress(request.returnTo, tab.origin);
  const { origin } = url;
  const isListed = (await tab.redirects()).includes(origin);
  if (!isListed || !(await returnsOf(origin, clock, tab.fetch)).includes(request.returnTo))
    throw unproven(`${origin} has not registered the address that its answer is to go to.`, origin);
  await challenge(request, body, tab, clock);
  return new Promise(() => {});
}

/** The page may also have left in between, or another tab has opened this address: then nothing waits here. */
async function served([trip, proof]: readonly [string, string], tab: Tab, clock: Clock): Promise<HostLink> {
  const waiting = JSON.parse(tab.storage.getItem(WAITS) ?? 'null') as Waiting | null;
  // Nobody else knows the trip: what another site makes up ends nothing.
  if (waiting?.trip === trip) tab.storage.removeItem(WAITS);
  if (waiting?.trip !== trip || waiting.proof !== proof || isOver(waiting.until, clock))
    throw unproven('Nothing waits here for this proof.');
  const key = await sealer(fromBase64Url(waiting.seal), 'encrypt');
  return new RedirectLink(readRequest(waiting.body), key, waiting.until, tab, clock);
}

/** Also if the machine's clock was set back: nothing lives longer for that. */
function isOver(until: number, clock: Clock): boolean {
  const left = until - clock.date();
  return left <= 0 || left > LIFE_MS;
}

/** Throws for what no page of ours sends. */
function readRequest(body: string): RedirectRequest {
  // Before anything is decoded: four characters are three bytes.
  if (!body || body.length > Math.ceil((MAX_BYTES * 4) / 3)) throw unproven('The request is too large.');
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(body)));
  } catch {
    throw unproven('The request is not readable.');
  }
  const request = excess(data) ? undefined : Request.safeParse(data).data;
  if (!request || !isAsk(request.action)) throw unproven('The request is none that a page sends.');
  return request;
}

/** Only whoever runs this origin sees what is sent there: https, or, of a wallet on the developer's own machine, that machine. */
function returnAddress(text: string, own: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === 'http:' && isLoopback(url) && isLoopback(new URL(own));
  const isSafe = url?.protocol === 'https:' || isLocal;
  const isPlain = url?.href === text && !url.username && !url.password && !text.includes('#');
  if (!url || !isSafe || !isPlain || url.origin === own)
    throw unproven('The return address is not usable.', isSafe ? url.origin : undefined);
  return url;
}

/** The addresses that an origin has registered; none if it does not say. */
async function returnsOf(origin: string, clock: Clock, ask: typeof fetch): Promise<readonly string[]> {
  try {
    return await inTime(clock, REGISTRATION_MS, async (signal) => {
      const response = await ask(new URL('/.well-known/carabiner.json', origin), {
        signal,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      });
      // Nothing that users could upload as a picture or a text.
      const isJson = /^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
      if (response.status !== 200 || !isJson) return [];
      return Registration.parse(JSON.parse(await boundedText(response))).redirect.returns;
    });
  } catch {
    return [];
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (const reader = body!.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_REGISTRATION) {
      await reader.cancel();
      throw new RangeError('too long');
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Only the exact return address gets it, and only a page there that made the request can answer it. */
async function challenge(
  { trip, key, returnTo }: RedirectRequest,
  body: string,
  { origin, storage, go }: Tab,
  clock: Clock,
): Promise<void> {
  const { own, shown } = await oneTimeKey();
  const agreed = await agree(own, key, { wallet: origin, body, challenge: shown }).catch(() => {
    throw unproven('The request’s key is none.');
  });
  const { proof, seal } = agreed;
  const waiting: Waiting = { trip, body, proof, seal: toBase64Url(seal), until: clock.date() + LIFE_MS };
  storage.setItem(WAITS, JSON.stringify(waiting));
  go(`${returnTo}${CHALLENGE}${trip}.${shown}`);
}

function unproven(why: string, site?: string): FrameBlockedError {
  return new FrameBlockedError(why, 'redirect', site === undefined ? {} : { site });
}

type Answer = Extract<FromFrame, { type: 'result' | 'error' }>;

/** One request of a page that is not there: its answer is the way back. */
class RedirectLink implements HostLink {
  readonly surface = 'popup';
  readonly mode = 'approve';
  readonly origin: string;
  readonly locale: string | undefined;
  readonly tokens = false;
  readonly unlinked: readonly string[];
  readonly sheet = false;
  onAck: HostLink['onAck'] = () => {};
  onGone: HostLink['onGone'] = () => {};
  onBack: HostLink['onBack'] = () => {};
  onSheet: HostLink['onSheet'] = () => {};

  readonly #request: RedirectRequest;
  readonly #key: CryptoKey;
  readonly #until: number;
  readonly #go: (address: string) => void;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #onRequest: HostLink['onRequest'] = () => {};
  #isServed = false;
  #signing = false;
  #sent = false;
  #wallets: FromFrame | undefined;
  #replaced: Replaced[] = [];
  #answer: Answer | undefined;
  #isLeaving = false;

  constructor(request: RedirectRequest, key: CryptoKey, until: number, { go, onLeave }: Tab, clock: Clock) {
    this.#request = request;
    this.#key = key;
    this.#until = until;
    this.#go = go;
    this.#clock = clock;
    this.origin = new URL(request.returnTo).origin;
    this.locale = request.locale;
    this.unlinked = request.unlinked ?? [];
    clock.after(Math.max(0, until - clock.date()), () => this.#expire(), 'limit');
    onLeave(() => this.#rejectOpen());
  }

  get onRequest(): HostLink['onRequest'] {
    return this.#onRequest;
  }
  set onRequest(handler: HostLink['onRequest']) {
    this.#onRequest = handler;
    if (this.#isServed) return;
    this.#isServed = true;
    const { id, action, params } = this.#request;
    const request: HostRequest = {
      id,
      action,
      params,
      signal: this.#abort.signal,
      progress: (stage: Stage) => {
        // Timers stand still while the machine sleeps.
        if (!this.#signing && isOver(this.#until, this.#clock)) throw this.#expire();
        this.#sent ||= stage === 'broadcast';
        this.#signing = this.#sent || stage !== 'approval';
      },
      resolve: (result) => this.#settle({ type: 'result', id, result }),
      reject: (error) => this.#settle({ type: 'error', id, error: toWire(error) }),
    };
    handler(request);
  }

  sendWallets(
    wallets: Extract<FromFrame, { type: 'wallets' }>['wallets'],
    networks?: Record<string, string>,
    browserOnly?: boolean,
  ): void {
    this.#wallets = { type: 'wallets', wallets, networks, browserOnly };
  }

  sendReplaced(replaced: Replaced[]): void {
    this.#replaced.push(...replaced);
  }

  /** The page that has tokens is not there. */
  accessToken(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  get undelivered(): boolean {
    return this.#signing && !this.#answer;
  }

  tellHeight(): void {}
  front(): void {}
  forsake(): void {}
  openWindow(): void {}

  close(): void {
    this.#rejectOpen();
    this.#settle(unknown('The wallet was closed before the outcome was known.', this.#request.id));
    void this.#leave();
  }

  #rejectOpen(): void {
    this.#reject('The wallet was closed before the request was approved.', { reason: 'closed' });
  }

  #expire(): UserRejectedError {
    return this.#reject('The request was not approved within ten minutes.');
  }

  /** Nothing was signed, and nothing will be. Without effect from `signing` on. */
  #reject(why: string, details?: { reason: 'closed' }): UserRejectedError {
    const error = new UserRejectedError(why, details);
    if (this.#answer || this.#signing) return error;
    this.#abort.abort();
    this.#settle({ type: 'error', id: this.#request.id, error: toWire(error) });
    return error;
  }

  /** What the user has decided is told at once; any other failure is shown first, until the wallet closes. */
  #settle(answer: Answer): void {
    if (this.#answer) return;
    this.#answer = answer;
    if (answer.type === 'result' || /^(request|user)\./.test(answer.error.code))
      this.#clock.after(LINGER_MS, () => void this.#leave());
  }

  async #leave(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const { trip, id, returnTo } = this.#request;
    const replaced: FromFrame[] = this.#replaced.length
      ? [{ type: 'replaced', replaced: this.#replaced }]
      : [];
    const all = [...(this.#wallets ? [this.#wallets] : []), ...replaced, this.#answer!];
    const text = [
      JSON.stringify(all),
      JSON.stringify([this.#answer]),
      JSON.stringify([unknown('The answer is longer than an address can be.', id)]),
    ].find((each) => new TextEncoder().encode(each).length <= MAX_BYTES);
    this.#go(`${returnTo}${ANSWER}${trip}.${await sealed(this.#key, text!)}`);
  }
}

/** The page can ask for the outcome later. */
function unknown(why: string, id: string): Answer {
  const error = new FrameUnreachableError(why, { requestId: id });
  return { type: 'error', id, error: toWire(error) };
}
