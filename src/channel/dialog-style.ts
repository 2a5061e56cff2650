/** Narrower pages show the wallet as a sheet. */
export const SHEET = '(max-width:479.98px)';

/**
 * The modal dialog around the frame. It takes the page's `--cb-*` tokens, as the elements do; the frame inside takes none.
 * It is animated only while its own text covers the frame: a frame that is faded or moved counts as covered, so a running
 * animation ends as soon as the frame answers. Low pages get it wide enough for two columns, narrow ones a sheet. The
 * frame draws the sheet's drag handle and reports the height of its contents. Where the screen has room, a sheet is no
 * lower than what approving takes (480 px, `MIN_SIZES` of the frame): its own size never turns Approve off.
 */
export const dialogStyle = `
:host{color-scheme:light dark}
:host(.light){color-scheme:light}
:host(.dark){color-scheme:dark}
dialog{box-sizing:border-box;display:none;flex-direction:column;padding:0;margin:auto;inline-size:400px;block-size:688px;max-inline-size:calc(100vw - 16px);max-block-size:calc(100dvh - 16px);overflow:hidden;overscroll-behavior:contain;border:1px solid var(--cb-color-border,light-dark(#e0e4ea,#2a303b));border-radius:calc(var(--cb-radius,12px)*1.3333);background:var(--cb-color-surface,light-dark(#fff,#161a21));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));box-shadow:0 20px 48px rgb(0 0 0/.3);font:var(--cb-font-size,15px)/1.45 var(--cb-font,system-ui,sans-serif)}
dialog[open]{display:flex}
dialog::backdrop{background:var(--cb-color-backdrop,light-dark(rgb(15 19 27/.48),rgb(4 6 9/.64)));animation:fade .29s}
dialog:has(button:not([hidden])){animation:fade .29s,move .29s cubic-bezier(.2,0,0,1)}
@keyframes fade{from{opacity:0}}
@keyframes move{from{translate:0 var(--from,8px)}}
button{position:absolute;inset-block-start:0;inset-inline-end:0;display:grid;place-items:center;inline-size:44px;block-size:44px;margin:4px;padding:0;border:0;border-radius:calc(var(--cb-radius,12px)*.75);background:none;color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9));cursor:pointer}
button:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
button:focus-visible{outline:2px solid var(--cb-color-focus,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)));outline-offset:-2px}
svg{inline-size:20px;block-size:20px;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
section{position:relative;flex:1;min-block-size:0}
iframe{display:block;inline-size:100%;block-size:100%;border:0}
[role=status]{position:absolute;inset:0;margin:0;display:grid;place-items:center;align-content:center;gap:16px;color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9));background:var(--cb-color-surface,light-dark(#fff,#161a21))}
[hidden]{display:none}
[role=status]::before{content:"";inline-size:34px;block-size:34px;border:3px solid #8886;border-block-start-color:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));border-radius:50%;animation:turn .8s linear infinite}
@keyframes turn{to{rotate:1turn}}
@media (max-height:591.98px){dialog{inline-size:624px}}
@media ${SHEET}{dialog{--from:100%;--end:max(0px,env(safe-area-inset-bottom) - 12px);inline-size:100%;max-inline-size:100%;block-size:calc(max(480px,var(--height,592px)) + 1px + var(--end));max-block-size:calc(100dvh - 24px - env(safe-area-inset-top));margin-block-end:0;padding-block-end:var(--end);border-width:1px 0 0;border-radius:18px 18px 0 0;transition:translate .2s cubic-bezier(.2,0,0,1),display .2s allow-discrete,overlay .2s allow-discrete}dialog:not([open]){translate:0 100%}}
@media (prefers-reduced-motion:reduce){dialog{animation:none!important;transition:none}[role=status]::before{animation-duration:2.4s;animation-timing-function:steps(8)}}
`;

/** Light or dark, as the page's developer or the page itself has chosen; undefined where that is left to the user's system. */
export function themeOf(option?: string): 'light' | 'dark' | undefined {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return [option, colorScheme.replace(/ ?only ?/, '')].find((each) => each === 'light' || each === 'dark');
}

// The path of `iconClose` in `src/ui/icons.ts`, which needs Lit.
export const CLOSE = 'm6.5 6.5 11 11m0-11-11 11';

export function icon(path: string): SVGSVGElement {
  const SVG = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

let sheets = 0;

/**
 * A dialog's style sheet. Each gets a different text, because WebKit reuses the media query results of an earlier shadow root whose sheets
 * have the same text, even if the window's width has changed since.
 */
export function dialogSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${text}/*${sheets++}*/`);
  return sheet;
}
