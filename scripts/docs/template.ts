/** A page of the site: head with its policy, navigation, text. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { liveElements, liveHtml } from './live.ts';
import type { RenderedPage } from './markdown.ts';
import type { Chapter, Source } from './pages.ts';

export interface Frame {
  /** Base URL of the wallet's origin, for live elements; the pages have none without it. */
  frame: string | undefined;
}

/** Before the first paint, so that nobody who chose a theme sees the other one. */
const THEME = "try{document.documentElement.dataset.theme=localStorage.getItem('docs-theme')||'auto'}catch{}";

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Nothing but the site itself, and the wallet's origin where it has elements of it. */
export function policy(frame: string | undefined): string {
  const of = frame ? ` ${frame}` : '';
  return [
    "default-src 'none'",
    `script-src 'self' ${hashOf(THEME)}${of}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${of}`,
    ...(frame ? [`frame-src ${frame}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
}

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Parts extends Frame {
  source: Source;
  page: RenderedPage;
  navigation: readonly Chapter[];
  titles: ReadonlyMap<string, string>;
}

function navigationOf({ source, navigation, titles }: Parts, root: string): string {
  return navigation
    .map(({ title, pages }) => {
      const isOpen = pages.includes(source) || title === 'Start';
      const links = pages.map(
        (each) =>
          `<li><a href="${root}${each.path}"${each === source ? ' aria-current="page"' : ''}>${escape(titles.get(each.path)!)}</a></li>`,
      );
      return `<details${isOpen ? ' open' : ''}><summary>${escape(title)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('');
}

function contentsOf({ sections }: RenderedPage): string {
  const links = sections
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, title }) => `<li><a href="#${anchor}">${escape(title)}</a></li>`);
  return links.length > 1
    ? `<nav class="contents" aria-label="On this page"><ul>${links.join('')}</ul></nav>`
    : '';
}

/** The live elements come after the picture or diagram that the guide opens with. */
function bodyOf({ source, page, frame }: Parts): string {
  const names = frame ? liveElements(source) : [];
  if (names.length === 0) return page.html;
  const at = page.html.indexOf('<h2');
  const place = at < 0 ? page.html.length : at;
  return page.html.slice(0, place) + liveHtml(names) + page.html.slice(place);
}

export function htmlOf(parts: Parts): string {
  const { source, page, frame } = parts;
  const depth = source.path.split('/').length - 1;
  const root = depth === 0 ? './' : '../'.repeat(depth);
  const live = frame && liveElements(source).length > 0 ? frame : undefined;
  const script = live ? `\n<script type="module" src="${live}/connect.js"></script>` : '';
  const title = source.path === 'index.html' ? 'Carabiner docs' : `${page.title} · Carabiner docs`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy(live))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
<script>${THEME}</script>
<script type="module" src="${root}site.js"></script>${script}
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="brand" href="${root}index.html"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M16.5 15.5v.5a4.5 4.5 0 0 1-9 0V8a4.5 4.5 0 0 1 9 0v.8m0 6.7-2.3-6.5" transform="rotate(16 12 12)"/></svg>Carabiner</a>
<div id="search"></div>
<a href="${root}changelog.html">Changelog</a>
<div id="theme"></div>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><details class="menu"><summary>Pages</summary>${navigationOf(parts, root)}</details></nav>
<main id="text" tabindex="-1" data-path="${posix.normalize(source.path)}">
${bodyOf(parts)}</main>
${contentsOf(page)}
</div>
</body>
</html>
`;
}
