/** A visible frame: the shell at once, the flows behind it. */
import { html } from 'lit';
import { loadNetworks } from '../chains/networks.ts';
import type { HostLink } from '../channel/link.ts';
import { ConnectError } from '../errors.ts';
import { serve } from './flows/dispatch.ts';
import { isFirstParty } from './flows/frame.ts';
import { Stage } from './flows/stage.ts';
import { Guard } from './guard.ts';
import { networksUrl, reader } from './reader.ts';
import { Shell } from './ui/shell.ts';
import type { CutOffReason } from './views/cut-off.ts';

// Asked for before anybody is connected: it is the same for every page.
const networks = loadNetworks(networksUrl());
networks.catch(() => {});

const page = new CSSStyleSheet();
page.replaceSync('html, body { block-size: 100%; margin: 0; overflow: hidden; }');

export async function serveUser(link: HostLink): Promise<void> {
  const shell = showShell(link.origin);
  shell.closable = link.surface === 'popup';
  const stage = new Stage(shell, new Guard({ surface: link.surface }), link);
  try {
    const frame = { ...(await reader(link, networks)), stage };
    serve(frame);
    if (isFirstParty(frame)) stage.theme = (await frame.vault()).settings.theme();
  } catch (error) {
    // Every request gets the reason; without its networks the wallet can do nothing.
    link.onRequest = (request) => request.reject(error);
    await showCutOff(error, shell);
  }
}

/** No page to serve, or nothing to serve it with. */
export async function showCutOff(error: unknown, shell = showShell('')): Promise<void> {
  const { CutOffView } = await import('./views/cut-off.ts');
  const view = Object.assign(new CutOffView(), { reason: reasonOf(error) });
  view.addEventListener('cbf-close', () => window.close());
  shell.view = html`${view}`;
}

/** A window that a page opened and then lost names that page as its referrer; one that was opened by hand has none. */
function reasonOf(error: unknown): CutOffReason {
  if (!(error instanceof ConnectError) || error.code !== 'frame.blocked') return 'config';
  return document.referrer ? 'coop' : 'opener';
}

function showShell(origin: string): Shell {
  document.adoptedStyleSheets = [page];
  const shell = document.querySelector('cbf-shell') ?? new Shell();
  shell.origin = origin;
  document.body.append(shell);
  return shell;
}
