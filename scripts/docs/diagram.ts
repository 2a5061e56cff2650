/** Mermaid as SVG, drawn while the site is built: no script of a diagram reaches a reader. */
import { renderMermaidSVG } from 'beautiful-mermaid';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Colours and font come from the site's stylesheet: those of the picture itself would be inline styles, and a font of others. */
export function diagram(code: string, id: string): string {
  const svg = renderMermaidSVG(code, {});
  if (!svg.includes('<text')) throw new Error(`A diagram draws nothing:\n${code}`);
  const words = [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, text]) =>
    text!.replaceAll(/<[^>]+>/g, ' ').trim(),
  );
  const drawn = svg
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(
      /^<svg ([^>]*?) style="[^"]*"/,
      `<svg $1 role="img" aria-label="${escape(words.filter(Boolean).join('; ').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))}"`,
    )
    .replaceAll(/ style="[^"]*"/g, '')
    .replaceAll(/(id="|url\(#)/g, `$1${id}-`);
  return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram">${drawn}</div>`;
}
