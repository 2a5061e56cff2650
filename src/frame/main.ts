/** The frame page: connects to the page that asks, then loads only what the request needs. */
import { connectHost } from '../channel/frame-end.ts';
import type { HostLink } from '../channel/link.ts';
import { storedLanguage } from '../wallets/first-paint.ts';
import { loadFlows, serveUser, showCutOff } from './start-surface.ts';

const loadLanguage = () => import('./language.ts');
const loadReads = () => import('./start-reads.ts');

const isEnglish = (tag = navigator.language): boolean => /^en\b/i.test(tag);

void start();

async function start(): Promise<void> {
  // A hidden iframe has no size and draws nothing. In any other the flows can load while the page answers.
  if (innerWidth > 0) loadFlows();
  let link: HostLink;
  try {
    link = await connectHost();
  } catch (error) {
    return showCutOff(error);
  }
  if (link.mode === 'read') return (await loadReads()).serveReads(link);
  if (!isEnglish(storedLanguage() || link.locale) || !isEnglish(navigator.language))
    await (await loadLanguage()).speakTo(link.locale).catch(() => {});
  return serveUser(link);
}
