/** The wallet's frames that this page opens: their links, hidden ones for reads, and why one did not open. */
import type { Action } from '../base/actions.ts';
import type { Clock } from '../base/clock.ts';
import { FrameBlockedError, FrameUnreachableError } from '../base/errors.ts';
import { language } from '../base/localize.ts';
import { warn } from '../base/warn.ts';
import type { BlockReason } from './blocked.ts';
import { themeOf } from './dialog-style.ts';
import { FrameLink, type LinkOptions } from './frame-link.ts';
import type { CallOptions, Calls } from './host-call.ts';
import type { HostRecord } from './host-record.ts';
import type { ParamsOf, Results } from './messages.ts';
import { hidden, type Surface } from './surface.ts';

const READ_MS = 30_000;

export interface FramesOptions {
  clock: Clock;
  /** The wallet's page. */
  url: URL;
  locale?: string | undefined;
  theme?: 'auto' | 'light' | 'dark' | undefined;
  record: HostRecord;
  /** The function that supplies access tokens for the wallet service. Undefined if the page has none. */
  getAccessToken: () => ((hint: { expired: boolean }) => unknown) | undefined;
}

export type LinkEvents = Pick<LinkOptions, 'onSlow' | 'onConnected' | 'onEnd'>;

export class Frames {
  /** Whether the page's own CSP blocks iframes, which cannot change before a reload. */
  blocksIframes = false;
  readonly #options: FramesOptions;
  readonly #calls: Calls;
  readonly #onMessage: LinkOptions['onMessage'];
  /** `nodes`: the public page for reads. `vault`: the wallet's own page. */
  readonly #hidden: { nodes?: FrameLink | undefined; vault?: FrameLink | undefined } = {};

  constructor(options: FramesOptions, calls: Calls, onMessage: LinkOptions['onMessage']) {
    this.#options = options;
    this.#calls = calls;
    this.#onMessage = onMessage;
  }

  get vault(): FrameLink | undefined {
    return this.#hidden.vault;
  }

  open(surface: Surface, mode: 'approve' | 'read', events: LinkEvents, ready = false): FrameLink {
    const { clock, url, locale, theme, record, getAccessToken } = this.#options;
    return new FrameLink({
      clock,
      surface,
      frameOrigin: url.origin,
      mode,
      // Only a hint: the wallet takes it if it is one of the browser's. A page may have written anything there.
      locale: (locale ?? language ?? document.documentElement.lang).slice(0, 35),
      theme: themeOf(theme),
      tokens: getAccessToken() !== undefined,
      unlinked: mode === 'approve' ? record.read().unlinked : [],
      ready,
      // If not even this loads, neither does the wallet.
      look: () =>
        import('./blocked.ts').then(
          ({ lookForFrame }) => lookForFrame(url),
          () => 'down',
        ),
      onMessage: this.#onMessage,
      ...events,
    });
  }

  read<A extends Action>(
    frame: 'nodes' | 'vault',
    action: A,
    params: ParamsOf<A>,
    options?: CallOptions,
  ): Promise<Results[A]> {
    return this.ask(this.#openHidden(frame), action, params, options);
  }

  ask<A extends Action>(
    to: FrameLink,
    action: A,
    params: ParamsOf<A>,
    options: CallOptions = {},
  ): Promise<Results[A]> {
    const { clock } = this.#options;
    const [call, isNew] = this.#calls.begin(action, params, options, to);
    if (isNew) {
      const onAbort = () => {
        if (call.settled) return;
        to.send({ type: 'abort', id: call.id });
        call.settle(call.closedError());
      };
      options.signal?.addEventListener('abort', onAbort, { once: true });
      const late = new FrameUnreachableError('The wallet did not answer in time.', { requestId: call.id });
      clock.after(READ_MS, () => call.settle(late), 'limit');
      if (to.connected) call.sendTo(to);
    }
    return call.promise as Promise<Results[A]>;
  }

  /** Logs the reason even if the user finds a way around it: otherwise the developer would never know. */
  async report(reason: BlockReason): Promise<FrameBlockedError> {
    const base = new URL('..', this.#options.url).href;
    const error = await import('./blocked.ts').then(
      ({ blockedError }) => blockedError(reason, base),
      // Not even the texts could be loaded.
      () => new FrameBlockedError(`Nothing answers at ${base}.`, 'silent'),
    );
    warn(error);
    return error;
  }

  closeHidden(): void {
    for (const kind of ['nodes', 'vault'] as const) {
      this.#hidden[kind]?.close();
      this.#hidden[kind] = undefined;
    }
  }

  #openHidden(kind: 'nodes' | 'vault'): FrameLink {
    this.#calls.assertOpen();
    const { url } = this.#options;
    const page = kind === 'vault' ? url : new URL('../read/', url);
    return (this.#hidden[kind] ??= this.open(hidden(page.href), 'read', {
      onConnected: (link) => {
        for (const call of this.#calls.servedBy(link)) call.sendTo(link);
      },
      onEnd: (how, link) => {
        this.#hidden[kind] = undefined;
        this.blocksIframes ||= how === 'csp';
        for (const call of this.#calls.servedBy(link))
          if (how === 'gone' || how === 'closed') call.settle(call.goneError());
          else void this.report(how).then((error) => call.settle(error));
      },
    }));
  }
}
