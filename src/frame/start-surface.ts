/**
 * A visible frame. Shows the shell at once, and for a transaction the approval with its PIN field. The code that handles the request loads
 * meanwhile.
 */
import { nothing } from 'lit';
import type { HostLink, HostRequest } from '../channel/link.ts';
import { UserRejectedError } from '../errors.ts';
import { seemsAsked, seemsMade, storedTheme } from '../wallets/first-paint.ts';
import { ApproveView } from './approve/approve-view.ts';
import { isFirstParty, seesCover } from './shell/place.ts';
import { holding, Shell } from './shell/shell.ts';
import type * as Flows from './start-flows.ts';

/** An approval that is shown before the flows have loaded. */
export interface Opening {
  view: ApproveView;
  /** The flows take over: from now on they handle Reject and Close. */
  stop(): void;
}

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
  let opening: Opening | undefined;
  // Close works from the start. The flows handle it once they are loaded; if they fail to load, this handler stays.
  const untilServed = new AbortController();
  const close = (): void => {
    if (opening) return;
    for (const request of early.splice(0)) request.reject(new UserRejectedError());
    link.close();
  };
  shell.addEventListener('cbf-close', close, { signal: untilServed.signal });
  link.onRequest = (request) => {
    // If the request may have replaced another one, no digits are accepted before the user has seen the notice.
    if (early.push(request) > 1 || !asksPin(request, link) || seemsAsked(link.origin)) return;
    opening = open(shell, () => {
      // The request is settled: the flows must not show it again.
      early.splice(early.indexOf(request), 1);
      request.reject(new UserRejectedError());
      if (!early.length) link.close();
    });
  };
  try {
    const { serveFlows } = await loadFlows();
    await serveFlows(link, shell, () => opening);
    untilServed.abort();
    for (const request of early) link.onRequest(request);
  } catch (error) {
    // Every request gets the error: without `networks.json` the wallet cannot do anything.
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

function open(shell: Shell, onReject: () => void): Opening {
  const view = Object.assign(new ApproveView(), { passkey: seemsMade() === 'passkey' });
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
