/** Mermaid as SVG, drawn while the site is built: no script of a diagram reaches a reader. */
import { renderMermaidSVG } from 'beautiful-mermaid';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A wider one shrinks to this part of its width before it scrolls. */
const LEAST = 0.7;
/** Pixels: the stylesheet has a least width for each of these steps. */
const STEP = 100;

/** What is written in it. */
function wordsIn(svg: string): string {
  return [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)]
    .map(([, text]) =>
      text!
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/&[#\w]+;/g, (name) => ENTITIES[name] ?? name)
        .trim(),
    )
    .filter(Boolean)
    .join('; ');
}

/** Colours and font come from the site's stylesheet: those of the picture itself would be inline styles, and a font of others. */
export function diagram(code: string, id: string): string {
  const svg = renderMermaidSVG(code, {});
  const words = wordsIn(svg);
  if (!words) throw new Error(`A diagram draws nothing:\n${code}`);
  const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1]);
  const step = Math.floor((width * LEAST) / STEP) * STEP;
  const drawn = svg
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(
      /^<svg ([^>]*?) style="[^"]*"/,
      `<svg $1 class="w${step}" role="img" aria-label="${escape(words)}"`,
    )
    .replaceAll(/ style="[^"]*"/g, '')
    .replaceAll(/(id="|url\(#)/g, `$1${id}-`);
  return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram">${drawn}</div>`;
}
