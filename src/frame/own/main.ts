/**
 * The page at `/wallet/`: the wallet by itself, for its user alone. No page can ask it for anything or fill anything in: it reads no opener,
 * no message and nothing of its URL, and its build has none of the code that answers pages (`scripts/boundaries.ts`). Its headers keep other
 * pages away from its window (`service/frame-headers.ts`).
 */
import { showCutOff, showShell, speak } from '../page.ts';

/** In a window as wide as a screen, the wallet is a column, on the ground of the theme that the user has chosen. */
const column = new CSSStyleSheet();
column.replaceSync(`
  cbf-shell { max-inline-size: 640px; margin-inline: auto; box-shadow: 0 0 0 1px color-mix(in oklab, CanvasText 14%, transparent); }
  :root:has(cbf-shell[theme='dark']) { color-scheme: dark; }
  :root:has(cbf-shell[theme='light']) { color-scheme: light; }
`);

void start();

async function start(): Promise<void> {
  await speak();
  const shell = showShell('');
  document.adoptedStyleSheets.push(column);
  try {
    // Browsers show it in no frame, unless something in between has dropped its headers.
    if (window.parent !== window) throw new Error('The wallet’s own page works in no frame.');
    const { serveUser } = await import('./own-page.ts');
    await serveUser(shell);
  } catch (error) {
    await showCutOff(error, shell);
  }
}
