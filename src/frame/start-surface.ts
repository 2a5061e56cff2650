/**
 * A visible frame. Shows the shell at once, and for a transaction the approval with its PIN field. The code that handles the request loads
 * meanwhile.
 */
import { nothing } from 'lit';
import type { HostLink, HostRequest } from '../channel/link.ts';
import { UserRejectedError } from '../base/errors.ts';
import { formerSite, seemsAsked, seemsMade, storedTheme, windowStorage } from '../wallets/first-paint.ts';
import { ApproveView } from './approve/approve-view.ts';
import { isFirstParty, seesCover } from './shell/place.ts';
import { holding, Shell } from './shell/shell.ts';
import type { Opening } from './shell/stage.ts';
import { type Asker, Turn } from './shell/turn.ts';
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

const page = new CSSStyleSheet();
page.replaceSync('html, body { block-size: 100%; margin: 0; overflow: hidden; }');

export async function serveUser(link: HostLink): Promise<void> {
  const shell = showShell(link.origin);
  shell.closable = true;
  const early: HostRequest[] = [];
  const turn = new Turn(link.origin);
  let opening: Opening | undefined;
  /** The flows have taken over what is shown by then. */
  let isServed = false;
  // Close works from the start. The flows handle it once they are loaded; if they fail to load, this handler stays.
  const untilServed = new AbortController();
  const close = (): void => {
    if (opening) return;
    for (const request of early.splice(0)) request.reject(new UserRejectedError());
    link.close();
  };
  shell.addEventListener('cbf-close', close, { signal: untilServed.signal });
  link.onRequest = (request) => {
    // If the request may have followed another one, no digits are accepted before the user has seen the notice.
    if (early.push(request) > 1 || !asksPin(request, link) || seemsAsked()) return;
    if (formerSite(link.origin, windowStorage(link.surface))) return;
    const rejected = new AbortController();
    const leave = (): void => {
      turn.leave(asker);
      if (untilServed.signal.aborted) return rejected.abort(new UserRejectedError());
      opening = undefined;
      // The request is settled: the flows must not show it again.
      early.splice(early.indexOf(request), 1);
      request.reject(new UserRejectedError());
      if (!early.length) link.close();
    };
    const asker: Asker = { onLost: () => untilServed.signal.aborted || leave() };
    // Another window may be asking; and the flows may have been quicker.
    void turn.take(asker, { ifAvailable: true }).then((isFree) => {
      if (!isFree || isServed || !early.includes(request)) return turn.leave(asker);
      const { view, stop } = open(shell, leave);
      const handOver = (): void => {
        stop();
        turn.leave(asker);
      };
      opening = { view, requestId: request.id, rejected, stop: handOver };
    });
  };
  try {
    const { serveFlows } = await loadFlows();
    await serveFlows(link, shell, turn, () => {
      isServed = true;
      return opening;
    });
    untilServed.abort();
    for (const request of early) link.onRequest(request);
  } catch (error) {
    // Every request gets the error: without `networks.json` the wallet cannot do anything.
    isServed = true;
    opening?.stop();
    opening = undefined;
    link.onRequest = (request) => request.reject(error);
    for (const request of early) request.reject(error);
    await showCutOff(error, shell);
  }
}

/** There is no page to serve, or the wallet failed to load. Without `error`, the page has not answered yet, but still may. */
export async function showCutOff(error?: unknown, shell = showShell('')): Promise<void> {
  const { cutOff } = await import('./shell/cut-off-view.ts');
  if (error || !shell.origin) shell.view = holding(cutOff(error));
}

/**
 * Whether to show the PIN field before the flows have loaded: for the most common requests, if they can probably be approved here. The
 * flows make the final decision.
 */
function asksPin({ action }: HostRequest, link: HostLink): boolean {
  if ((action !== 'transfer' && action !== 'execute') || !seemsMade()) return false;
  return link.surface === 'popup' || (seesCover() && isFirstParty({ link, networks: {} }));
}

function open(shell: Shell, onReject: () => void): Pick<Opening, 'view' | 'stop'> {
  const view = Object.assign(new ApproveView(), { passkey: seemsMade() === 'passkey', fresh: true });
  const listening = new AbortController();
  const { signal } = listening;
  const reject = (): void => {
    listening.abort();
    shell.view = nothing;
    onReject();
  };
  view.addEventListener('cbf-reject', reject, { signal });
  shell.addEventListener('cbf-close', reject, { signal });
  shell.view = holding(view);
  return { view, stop: () => listening.abort() };
}

function showShell(origin: string): Shell {
  document.adoptedStyleSheets = [page];
  const shell = document.querySelector('cbf-shell') ?? new Shell();
  const theme = storedTheme();
  shell.theme = theme === 'auto' ? undefined : theme;
  shell.origin = origin;
  shell.own = !origin;
  shell.view = nothing;
  shell.role = 'main';
  document.body.append(shell);
  return shell;
}
