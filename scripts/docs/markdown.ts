/** A page's Markdown as HTML for the site, with its headings and the text of each section for the search. */
import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { diagram } from './diagram.ts';
import { type Source, targetOf } from './pages.ts';

export interface Section {
  /** Empty for what comes before the first heading. */
  anchor: string;
  title: string;
  depth: number;
  text: string;
}

export interface RenderedPage {
  title: string;
  html: string;
  sections: Section[];
  /** To pages of the site: `errors.html#frameblocked`. */
  links: string[];
  /** Links that lead nowhere. */
  broken: string[];
}

/** As GitHub names headings. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function plain(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

class Rendering {
  readonly links: string[] = [];
  readonly broken: string[] = [];
  readonly sections: Section[] = [];
  readonly #source: Source;
  readonly #anchors = new Map<string, number>();
  #diagrams = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** A place on the site, from this page. */
  #from(path: string): string {
    return posix.relative(posix.dirname(this.#source.path), path);
  }

  address(href: string): string | undefined {
    if (/^(https?:|mailto:)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const target = path ? targetOf(this.#source.file, path) : { page: this.#source };
    if (target === undefined) this.broken.push(href);
    if (target === undefined || target === 'file') return undefined;
    if ('image' in target) return this.#from(target.image);
    const place = target.page.path + (anchor ? `#${anchor}` : '');
    this.links.push(place);
    return this.#from(target.page.path) + (anchor ? `#${anchor}` : '');
  }

  heading(tokens: readonly Token[], depth: number): string {
    const title = unescaped(plain(tokens));
    const name = slug(title);
    const times = this.#anchors.get(name) ?? 0;
    this.#anchors.set(name, times + 1);
    const anchor = times ? `${name}-${times}` : name;
    this.sections.push({ anchor, title, depth, text: '' });
    return anchor;
  }

  add(text: string): void {
    const section = this.sections.at(-1);
    if (section) section.text += ` ${text}`;
  }

  diagram(code: string): string {
    this.#diagrams += 1;
    return diagram(code, `d${this.#diagrams}`);
  }

  /** Of HTML that a page has as such: pictures. */
  withAddresses(html: string): string {
    return html.replaceAll(/\bsrc="([^"]+)"/g, (_, src: string) => `src="${this.address(src) ?? src}"`);
  }
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A column may have no name. */
function cell(html: string, tag: 'th' | 'td'): string {
  return tag === 'th' && html ? `<th scope="col">${html}</th>` : `<td>${html}</td>`;
}

export function renderPage(source: Source, markdown: string): RenderedPage {
  const rendering = new Rendering(source);
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const anchor = rendering.heading(tokens, depth);
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = rendering.address(href);
        return address === undefined ? inner : `<a href="${escape(address)}">${inner}</a>`;
      },
      code({ text, lang }) {
        if (lang === 'mermaid') return `${rendering.diagram(text)}\n`;
        return `<div class="code"><pre tabindex="0"><code>${escape(text)}</code></pre></div>\n`;
      },
      image: ({ href, text }) =>
        `<img src="${escape(rendering.address(href) ?? href)}" alt="${escape(text)}">`,
      html: ({ text }) => rendering.withAddresses(text),
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map(({ tokens }) => cell(this.parser.parseInline(tokens), tag)).join('')}</tr>`;
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  // Block by block, so that each section has the text up to the next heading.
  let html = '';
  for (const token of tokens) {
    html += marked.parser([token]);
    if (
      token.type !== 'heading' &&
      token.type !== 'html' &&
      !(token.type === 'code' && token.lang === 'mermaid')
    )
      rendering.add(textOf(token));
  }
  const { sections, links, broken } = rendering;
  return { title: sections[0]?.title ?? source.file, html, sections, links, broken };
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map((cell) => plain(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => item.tokens.map(textOf).join(' ')).join(' ');
  return 'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '';
}
