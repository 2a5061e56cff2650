/** The code that a page needs to do the same. */
import { connectScript } from './settings.ts';

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** `mounted`: the mounted element, if the payload has one. */
export function embedCode(mounted: HTMLElement | undefined, action: string, payload: object): string {
  if (action === 'whiteLabel')
    return '// White-label wallets are operated by the shop’s own server, never by a page: see docs/service.md.';
  const script = connectScript();
  const lines = [`<script type="module" src="${quoted(script)}"></script>`];
  if (!mounted)
    return [
      ...lines,
      '<script type="module">',
      `  import { connect } from ${JSON.stringify(script)};`,
      `  // ${action}: ${JSON.stringify(payload).replaceAll('</', '<\\/')}`,
      `  console.log(await connect.wallets());`,
      '</script>',
    ].join('\n');
  const tag = mounted.localName;
  const attributes = [...mounted.attributes]
    .filter(({ name }) => name !== 'theme' && name !== 'open')
    .map(({ name, value }) => ` ${name}="${quoted(value)}"`);
  lines.push(`<${tag}${attributes.join('')}></${tag}>`);
  const { request } = mounted as { request?: unknown };
  if (request !== undefined)
    lines.push(
      '<script type="module">',
      `  document.querySelector('${tag}').request = ${JSON.stringify(request, null, 2).replaceAll('</', '<\\/').replaceAll('\n', '\n  ')};`,
      '</script>',
    );
  return lines.join('\n');
}
