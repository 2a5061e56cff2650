/**
 * Transactions that the page sent, each a line below the element, from the wallet's answer until it is confirmed or has failed, across page
 * reloads. The page stores only what it had asked for itself.
 */
import { type CSSResult, html, type ReactiveController, type TemplateResult } from 'lit';
import { systemClock } from '../actions/engine.ts';
import { parseUnits } from '../base/amount.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import type { Replaced } from '../channel/messages.ts';
import type { Clock } from '../base/clock.ts';
import { shortText } from '../ui/address.ts';
import { rowFigure } from '../ui/amount-text.ts';
import { icon, iconClose } from '../ui/icons.ts';
import { msg, str } from '../base/localize.ts';
import { moreTokens, tokens } from '../ui/tokens.ts';
import { adopt } from '../ui/parts.ts';
import { type ConnectElement, ignore, SENT_ITEM } from './connect-element.ts';
import type { ConnectProgressEvent } from './events.ts';
import { explorerTool, resultRow, resultStyles, type ResultState } from './result-row.ts';

const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
/** Milliseconds between polls of a transaction: the first interval, and the longest. */
const LOOK = [3_000, 60_000] as const;
const MAX = 20;
/** Maximum length of a hash, id or amount. Recipient names may be longer, up to what `isLookedUp` accepts. */
const LONGEST = 128;
const LONGEST_NAME = 254;

type PageClock = Pick<Clock, 'date' | 'after'>;

export interface Sent {
  hash: string;
  secretType: SecretType;
  walletId: string;
  /** Absent for the wallet's default network, and in records of older versions. */
  network?: string;
  /** `0.25 ETH`; empty if unknown. */
  what: string;
  /** The recipient as the page named them; empty if it did not. */
  to: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Its replacements, in order; absent in records of older versions. */
  by?: readonly Successor[];
}

interface Successor {
  hash: string;
  cancels: boolean;
}

/** What the page asked for, as far as known. */
export type Asked = {
  [K in 'walletId' | 'secretType' | 'to' | 'value' | 'tokenAddress' | 'network']?:
    | TransferParams[K]
    | undefined;
};

interface Line {
  sent: Sent;
  requestId: string | undefined;
  state: ResultState;
  url?: string | null;
}

/** By hash, the element that shows the transaction. */
const elementByLine = new Map<string, ConnectElement>();

const STYLES = [tokens, moreTokens, resultStyles].flat() as CSSResult[];

export class SentLines implements ReactiveController {
  #lines: Line[] = [];
  #stop: (() => void) | undefined;
  #unfollow: (() => void) | undefined;
  #wait: number = LOOK[0];

  constructor(
    private readonly host: ConnectElement,
    private readonly clock: PageClock = systemClock,
  ) {
    host.addController(this);
    host.addEventListener('connect-progress', this.#onProgress);
  }

  hostConnected(): void {
    this.adopt();
    try {
      this.#unfollow = this.host.current.onReplaced(this.#onReplaced);
    } catch {
      // The page has no connect: the next request reports it.
    }
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#unfollow?.();
    // Another element may show them, or this one when it is connected again.
    for (const { sent } of this.#lines) elementByLine.delete(sent.hash);
    this.#lines = [];
  }

  hostUpdate(): void {
    if (this.#lines.length) adopt(this.host.renderRoot, ...STYLES);
  }

  /** Shows transactions that no element shows: those of removed elements, or of an earlier load of the page. */
  adopt(): void {
    const free = stored(this.clock.date()).filter(({ hash }) => !elementByLine.get(hash)?.isConnected);
    for (const sent of free) this.#show(sent);
  }

  /** Adds a transaction that the wallet has sent. */
  async add(
    result: { transactionHash: string },
    params: Asked,
    requestId: string | undefined,
  ): Promise<void> {
    const { secretType, walletId, to = '' } = params;
    const { transactionHash: hash } = result;
    if (!secretType || !walletId || elementByLine.get(hash)?.isConnected) return;
    const sent: Sent = {
      hash,
      secretType,
      walletId,
      ...onNetwork(params.network),
      what: '',
      to: String(to),
      at: this.clock.date(),
    };
    keep([...stored(sent.at), sent]);
    if (this.host.isConnected) this.#show(sent, requestId);
    const what = await this.#amount(params).catch(() => '');
    const withText = (one: Sent): Sent => (one.hash === hash ? { ...one, what } : one);
    for (const line of this.#lines) line.sent = withText(line.sent);
    keep(stored(this.clock.date()).map(withText));
    this.host.requestUpdate();
  }

  async #amount({ secretType, walletId, value, tokenAddress, network }: Asked): Promise<string> {
    const { current } = this.host;
    const options = onNetwork(network);
    const { symbol, decimals } = tokenAddress
      ? await current.tokenBalance(walletId!, tokenAddress, options)
      : // A network may have a coin of its own.
        { ...CARDS[secretType!].coin, ...(await current.balance(walletId!, options)) };
    return `${rowFigure({ raw: parseUnits(value, decimals), decimals })} ${symbol ?? ''}`.trim();
  }

  #show(sent: Sent, requestId?: string): void {
    elementByLine.set(sent.hash, this.host);
    const line: Line = { sent, requestId, state: 'waiting' };
    // Lines that have ended have been read by now.
    this.#lines = [...this.#lines.filter(({ state }) => state === 'waiting'), line];
    this.#wait = LOOK[0];
    this.#stop?.();
    // Check immediately: it may have been confirmed before this line existed.
    void this.#look();
    this.#link(line).catch(ignore);
    this.host.requestUpdate();
  }

  async #link(line: Line): Promise<void> {
    const { hash, walletId, network } = line.sent;
    line.url = await this.host.current.transactionUrl(hash, walletId, onNetwork(network));
    this.host.requestUpdate();
  }

  #schedule(): void {
    this.#stop?.();
    this.#stop = this.clock.after(this.#wait, () => void this.#look());
    this.#wait = Math.min(this.#wait * 1.5, LOOK[1]);
  }

  async #look(): Promise<void> {
    const waitingLines = this.#lines.filter(({ state }) => state === 'waiting');
    if (!waitingLines.length) return;
    if (!document.hidden)
      await Promise.all(
        waitingLines.map(async (line) => {
          const { sent } = line;
          const { hash, secretType, network, by = [] } = sent;
          const all = [{ hash, cancels: false }, ...by];
          const states = await Promise.all(
            all.map((one) =>
              this.host.current.transactionStatus(one.hash, secretType, onNetwork(network)).catch(ignore),
            ),
          );
          // Replaced meanwhile: the next poll asks about both.
          if (line.sent.by !== sent.by) return;
          // Only one transaction per nonce can be mined. For a replaced one, "failed" may only mean that it was replaced.
          const mined = all[states.indexOf('confirmed')];
          if (mined) this.#end(line, mined.cancels ? 'cancelled' : 'confirmed', mined.hash);
          else if (states.at(-1) === 'failed') this.#end(line, 'failed', all.at(-1)!.hash);
        }),
      );
    if (this.host.isConnected) this.#schedule();
  }

  readonly #onProgress = ({ stage, requestId, transactionHash }: ConnectProgressEvent): void => {
    const line = this.#lines.find((one) => one.requestId === requestId || one.sent.hash === transactionHash);
    if (!line || line.state !== 'waiting' || (stage !== 'confirmed' && stage !== 'failed')) return;
    const cancels = line.sent.by?.some((one) => one.hash === transactionHash && one.cancels);
    this.#end(line, cancels ? 'cancelled' : stage, transactionHash);
  };

  /** The user sped it up or cancelled it in the wallet: until one is in a block, either may win. */
  readonly #onReplaced = ({ transactionHash, by: hash, how }: Replaced): void => {
    const line = this.#lines.find(({ sent, state }) => sent.hash === transactionHash && state === 'waiting');
    const { by = [] } = line?.sent ?? {};
    if (!line || by.length >= MAX || by.some((one) => one.hash === hash)) return;
    line.sent = { ...line.sent, by: [...by, { hash, cancels: how === 'cancel' }] };
    keep(stored(this.clock.date()).map((one) => (one.hash === transactionHash ? line.sent : one)));
    this.#wait = LOOK[0];
    this.#schedule();
  };

  /** `hash`: the transaction that is in a block. */
  #end(line: Line, state: ResultState, hash = line.sent.hash): void {
    if (line.state !== 'waiting') return;
    line.state = state;
    const { sent } = line;
    keep(stored(this.clock.date()).filter((one) => one.hash !== sent.hash));
    if (hash !== sent.hash) {
      elementByLine.delete(sent.hash);
      line.sent = { ...sent, hash };
      this.#link(line).catch(ignore);
    }
    this.host.requestUpdate();
  }

  #dismiss(line: Line): void {
    this.#end(line, 'failed');
    this.#lines = this.#lines.filter((one) => one !== line);
    this.host.requestUpdate();
    this.host.focus();
  }

  render(): TemplateResult {
    return html`<div role="status">${this.#lines.map((line) => this.#draw(line))}</div>`;
  }

  #draw(line: Line): TemplateResult {
    const { state, url } = line;
    const hide = html`<button
      type="button"
      class="btn icon"
      aria-label=${msg('Hide')}
      @click=${() => this.#dismiss(line)}
    >${icon(iconClose())}</button>`;
    return resultRow({ state, title: wordsOf(line), tools: html`${explorerTool(url)}${hide}` });
  }
}

function wordsOf({ state, sent: { what, to, hash } }: Line): string {
  const who = shortText(to);
  if (what && to)
    switch (state) {
      case 'waiting':
        return msg(str`${what} to ${who} — waiting`);
      case 'confirmed':
        return msg(str`${what} to ${who} — confirmed`);
      case 'failed':
        return msg(str`${what} to ${who} — failed`);
      case 'cancelled':
        return msg(str`${what} to ${who} — cancelled`);
    }
  const name = shortText(hash);
  switch (state) {
    case 'waiting':
      return msg(str`Transaction ${name} — waiting`);
    case 'confirmed':
      return msg(str`Transaction ${name} — confirmed`);
    case 'failed':
      return msg(str`Transaction ${name} — failed`);
    case 'cancelled':
      return msg(str`Transaction ${name} — cancelled`);
  }
}

/** A node of the page's own is no network of the wallet's. */
function onNetwork(network: unknown): { network?: string } {
  return typeof network === 'string' && network ? { network } : {};
}

/** Anybody on the page's origin may have written there: invalid entries are left out. */
function stored(now: number): Sent[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(SENT_ITEM) ?? '[]');
    return Array.isArray(list) ? list.filter((one) => isSent(one, now)) : [];
  } catch {
    return [];
  }
}

function isSent(value: unknown, now: number): value is Sent {
  const one = value as Partial<Sent> | null;
  return (
    [one?.hash, one?.walletId, one?.what].every((text) => isText(text, LONGEST)) &&
    isText(one?.to, LONGEST_NAME) &&
    (one?.network === undefined || isText(one.network, LONGEST)) &&
    Object.hasOwn(CARDS, String(one?.secretType)) &&
    (one?.by === undefined || (Array.isArray(one.by) && one.by.length <= MAX && one.by.every(isSuccessor))) &&
    Math.abs(now - Number(one?.at)) < KEEP_MS
  );
}

function isSuccessor(value: unknown): boolean {
  const one = value as Partial<Successor> | null;
  return isText(one?.hash, LONGEST) && typeof one?.cancels === 'boolean';
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.length <= longest;
}

function keep(list: readonly Sent[]): void {
  try {
    const byHash = new Map(list.map((one) => [one.hash, one]));
    if (byHash.size) localStorage.setItem(SENT_ITEM, JSON.stringify([...byHash.values()].slice(-MAX)));
    else localStorage.removeItem(SENT_ITEM);
  } catch {
    // Storage is denied or full: the line is lost on a reload.
  }
}
