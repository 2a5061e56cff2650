/** The frame page: connects to the host page, then loads only what the request needs. */
import { connectHost } from '../channel/frame-end.ts';
import type { HostLink } from '../channel/link.ts';
import { storedLanguage } from '../wallets/first-paint.ts';
import { loadFlows, serveUser, showCutOff } from './start-surface.ts';

const loadLanguage = () => import('./language.ts');
const loadReads = () => import('./own-reads.ts');

void start();

async function start(): Promise<void> {
  // A hidden iframe has no size and draws nothing. In any other, the flows can load while the page answers.
  if (innerWidth > 0) loadFlows();
  let link: HostLink;
  try {
    link = await connectHost(window, undefined, () => void speak().then(() => showCutOff()));
  } catch (error) {
    await speak();
    return showCutOff(error);
  }
  if (link.mode === 'read') return (await loadReads()).serveReads(link);
  await speak(link.locale);
  return serveUser(link);
}

/** Sets the language before the first view. Loads nothing if everything indicates English. */
async function speak(hint?: string): Promise<void> {
  const { language } = navigator;
  const isEnglish = (tag: string): boolean => /^en\b/i.test(tag);
  if (isEnglish(storedLanguage() || hint || language) && isEnglish(language)) return;
  // If the texts fail to load, the wallet is in English.
  await loadLanguage().then(
    ({ speakTo }) => speakTo(hint),
    () => {},
  );
}
