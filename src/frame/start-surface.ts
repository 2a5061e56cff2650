/**
 * A visible frame. Shows the shell at once, and for a transaction the approval with its PIN field. The code that handles the request loads
 * meanwhile.
 */
import { nothing } from 'lit';
import type { HostLink, HostRequest } from '../channel/link.ts';
import { UserRejectedError } from '../base/errors.ts';
import { formerSite, seemsAsked, seemsMade, windowStorage } from '../wallets/first-paint.ts';
import { ApproveView } from './approve/approve-view.ts';
import { isFirstParty, seesCover } from './shell/place.ts';
import { holding, type Shell } from './shell/shell.ts';
import type { Opening } from './shell/stage.ts';
import { type Asker, Turn } from './shell/turn.ts';
import { showCutOff, showShell } from './page.ts';
import type * as Flows from './start-flows.ts';

let flows: Promise<typeof Flows> | undefined;

/** May be called before a page has connected: the flows are the same for every page. */
export function loadFlows(): Promise<typeof Flows> {
  if (!flows) {
    flows = import('./start-flows.ts');
    flows.catch(() => {});
  }
  return flows;
}

export function serveUser(link: HostLink): Promise<void> {
  return new StartSurface(link).handOver();
}

/** What a visible frame shows, and the requests that it gets, until the flows have loaded. */
class StartSurface {
  readonly #link: HostLink;
  readonly #shell: Shell;
  readonly #turn: Turn;
  readonly #requests: HostRequest[] = [];
  /** The approval on screen. */
  #opening: Opening | undefined;
  /** The flows have taken over what is shown by now, or have failed to load. */
  #isOver = false;
  /** Aborts once the flows serve the requests. */
  readonly #untilServed = new AbortController();

  constructor(link: HostLink) {
    this.#link = link;
    this.#turn = new Turn(link.origin);
    this.#shell = showShell(link.origin);
    this.#shell.closable = true;
    // Close works from the start. The flows handle it once they are loaded; if they fail to load, this handler stays.
    const { signal } = this.#untilServed;
    this.#shell.addEventListener('cbf-close', () => this.#close(), { signal });
    link.onRequest = (request) => this.#receive(request);
  }

  async handOver(): Promise<void> {
    try {
      const { serveFlows } = await loadFlows();
      await serveFlows(this.#link, this.#shell, this.#turn, () => {
        this.#isOver = true;
        return this.#opening;
      });
      this.#untilServed.abort();
      for (const request of this.#requests) this.#link.onRequest(request);
    } catch (error) {
      await this.#fail(error);
    }
  }

  #receive(request: HostRequest): void {
    const { origin, surface } = this.#link;
    // If the request may have followed another one, no digits are accepted before the user has seen the notice.
    if (this.#requests.push(request) > 1 || !asksPin(request, this.#link) || seemsAsked()) return;
    if (!formerSite(origin, windowStorage(surface))) this.#open(request);
  }

  /** Shows the approval of `request`, unless another window is asking, or the flows are quicker. */
  #open(request: HostRequest): void {
    const rejected = new AbortController();
    const leave = (): void => {
      this.#turn.leave(asker);
      if (this.#untilServed.signal.aborted) rejected.abort(new UserRejectedError());
      else this.#reject(request);
    };
    const asker: Asker = { onLost: () => this.#untilServed.signal.aborted || leave() };
    void this.#turn.take(asker, { ifAvailable: true }).then((isFree) => {
      if (!isFree || this.#isOver || !this.#requests.includes(request)) return this.#turn.leave(asker);
      const view = Object.assign(new ApproveView(), { passkey: seemsMade() === 'passkey', fresh: true });
      const listening = new AbortController();
      const until = { signal: listening.signal };
      const reject = (): void => {
        listening.abort();
        this.#shell.view = nothing;
        leave();
      };
      view.addEventListener('cbf-reject', reject, until);
      this.#shell.addEventListener('cbf-close', reject, until);
      this.#shell.view = holding(view);
      const stop = (): void => {
        listening.abort();
        this.#turn.leave(asker);
      };
      this.#opening = { view, requestId: request.id, rejected, stop };
    });
  }

  /** The user rejects what is shown. */
  #reject(request: HostRequest): void {
    this.#opening = undefined;
    // The request is settled: the flows must not show it again.
    this.#requests.splice(this.#requests.indexOf(request), 1);
    request.reject(new UserRejectedError());
    if (!this.#requests.length) this.#link.close();
  }

  #close(): void {
    if (this.#opening) return;
    for (const request of this.#requests.splice(0)) request.reject(new UserRejectedError());
    this.#link.close();
  }

  /** Every request gets the error: without `networks.json` the wallet cannot do anything. */
  async #fail(error: unknown): Promise<void> {
    this.#isOver = true;
    this.#opening?.stop();
    this.#opening = undefined;
    this.#link.onRequest = (request) => request.reject(error);
    for (const request of this.#requests) request.reject(error);
    await showCutOff(error, this.#shell);
  }
}

/**
 * Whether to show the PIN field before the flows have loaded: for the most common requests, if they can probably be approved here. The
 * flows make the final decision.
 */
function asksPin({ action }: HostRequest, link: HostLink): boolean {
  if ((action !== 'transfer' && action !== 'execute') || !seemsMade()) return false;
  return link.surface === 'popup' || (seesCover() && isFirstParty({ link, networks: {} }));
}
