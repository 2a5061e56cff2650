/**
 * Removes insignificant white space from `css`, `html` and `svg` templates. Minifiers do not touch template text, and our indentation would
 * be a twentieth of what users download.
 */
import type { Plugin } from 'vite';

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
}

interface TaggedTemplate extends SyntaxNode {
  tag: SyntaxNode & { name?: string };
  quasi: { quasis: SyntaxNode[] };
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

function* nodesIn(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
  }
}

/** Quoted text, which must not change, or the text between. */
const CSS_PARTS = /("[^"]*"|'[^']*')|[^"']+/g;

/**
 * Removes comments, runs of white space, and zeros before a decimal point. A space before a colon stays, because `a :hover` is not
 * `a:hover`; so do those around operators, which `calc` needs.
 */
export function minifyCss(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '').replace(CSS_PARTS, (part, quoted: string | undefined) =>
    quoted === undefined
      ? part
          .replace(/\s+/g, ' ')
          .replace(/ ?([{};,>]) ?/g, '$1')
          .replace(/: /g, ':')
          .replace(/(?<![\d.])0+(?=\.\d)/g, '')
          .replace(/;}/g, '}')
      : part,
  );
}

/** To a browser, a line break with indentation is a space, except in preformatted text. */
export function minifyHtml(text: string): string {
  return /<(pre|textarea)\b/.test(text) ? text : text.replace(/\s*\n\s*/g, ' ').replace(/ (?=\/?>)/g, '');
}

const MINIFIERS: Record<string, (text: string) => string> = {
  css: minifyCss,
  html: minifyHtml,
  svg: minifyHtml,
};

export function minifyTemplates(): Plugin {
  return {
    name: 'carabiner:templates',
    transform(code, id) {
      if (!id.includes('/src/') || !/\b(css|html|svg)`/.test(code)) return null;
      let out = '';
      let at = 0;
      const quasis = [...nodesIn(this.parse(code) as unknown as SyntaxNode)]
        .filter((node): node is TaggedTemplate => node.type === 'TaggedTemplateExpression')
        .flatMap(({ tag, quasi }) => {
          const minify = tag.type === 'Identifier' ? MINIFIERS[tag.name!] : undefined;
          return minify ? quasi.quasis.map((part) => ({ ...part, minify })) : [];
        })
        .sort((a, b) => a.start - b.start);
      for (const { start, end, minify } of quasis) {
        out += code.slice(at, start) + minify(code.slice(start, end));
        at = end;
      }
      return { code: out + code.slice(at), map: null };
    },
  };
}
