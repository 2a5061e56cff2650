/** What the pages of the wallet begin with: their language, their header, and what they show if they cannot go on. */
import { nothing } from 'lit';
import { storedLanguage, storedTheme } from '../wallets/first-paint.ts';
import { holding, Shell } from './shell/shell.ts';

/** Sets the language before the first view. Loads nothing if everything indicates English. `hint`: the site's. */
export async function speak(hint?: string): Promise<void> {
  const { language } = navigator;
  const isEnglish = (tag: string): boolean => /^en\b/i.test(tag);
  if (isEnglish(storedLanguage() || hint || language) && isEnglish(language)) return;
  // If the texts fail to load, the wallet is in English.
  await import('./language.ts').then(
    ({ speakTo }) => speakTo(hint),
    () => {},
  );
}

const page = new CSSStyleSheet();
// Pulling at the wallet must neither reload it nor move the page around it, and a tap must not wait for a second one.
page.replaceSync(
  'html, body { block-size: 100%; margin: 0; overflow: hidden; overscroll-behavior: none; touch-action: manipulation; }',
);

/** `origin`: of the page that is served; empty if there is none, then the wallet stands under its own name. */
export function showShell(origin: string): Shell {
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

/** There is no page to serve, or the wallet failed to load. Without `error`, the page has not answered yet, but still may. */
export async function showCutOff(error?: unknown, shell = showShell('')): Promise<void> {
  const { cutOff } = await import('./shell/obstacles-flow.ts');
  if (error || !shell.origin) shell.view = holding(cutOff(error));
}
