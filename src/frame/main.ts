/** The frame page: connects to the host page, then loads only what the request needs. */
import { connectHost } from '../channel/frame-end.ts';
import type { HostLink } from '../channel/link.ts';
import { showCutOff, speak } from './page.ts';
import { loadFlows, serveUser } from './start-surface.ts';

void start();

async function start(): Promise<void> {
  // A hidden iframe has no size and draws nothing. In any other, the flows can load while the page answers.
  if (innerWidth > 0) loadFlows();
  let link: HostLink;
  try {
    link = await (location.hash
      ? (await import('../channel/redirect-frame.ts')).connectSite()
      : connectHost(window, undefined, () => void speak().then(() => showCutOff())));
  } catch (error) {
    await speak();
    return showCutOff(error);
  }
  if (link.mode === 'read') return (await import('./own-reads.ts')).serveReads(link);
  await speak(link.locale);
  // What is begun on the wallet's own origin is the user's: no page is served there.
  return link.origin === location.origin ? showCutOff('config') : serveUser(link);
}
