/** `npm run docs`, as a reader and a browser without scripts meet it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import MiniSearch from 'minisearch';
import { renderPage } from '../../scripts/docs/markdown.ts';
import { sources } from '../../scripts/docs/pages.ts';
import { SEARCH, type SearchEntry } from '../../scripts/docs/search.ts';
import { buildSite } from '../../scripts/docs/site.ts';

const FRAME = 'https://connect.example';
const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
const site = join(folder, 'site');
let pages: Map<string, string>;

before(async () => {
  await buildSite(site, { frame: FRAME });
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' });
  pages = new Map(
    files
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(site, name), 'utf8')]),
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What `text` has of an attribute, without the code that pages show. */
function valuesOf(text: string, attribute: string): string[] {
  const shown = text.replaceAll(/<pre[^]*?<\/pre>|<code[^]*?<\/code>/g, '');
  return [...shown.matchAll(new RegExp(`<[a-z][^>]* ${attribute}="([^"]*)"`, 'g'))].map(
    ([, value]) => value!,
  );
}

test('every guide, the reference, the decisions and the changelog are pages, each in the navigation', () => {
  assert.deepEqual(
    [...pages.keys()].toSorted(),
    sources()
      .map(({ path }) => path)
      .toSorted(),
  );
  const listed = valuesOf(pages.get('index.html')!, 'href').map((href) => href.replace('./', ''));
  for (const path of pages.keys())
    if (!path.startsWith('decisions/') || path === 'decisions/index.html')
      assert.ok(listed.includes(path) || path === 'security-policy.html', path);
});

test('every link leads to a page, and to a heading that is on it', () => {
  let count = 0;
  for (const [path, text] of pages)
    for (const link of [...valuesOf(text, 'href'), ...valuesOf(text, 'src')]) {
      if (/^(https?:|mailto:|data:)/.test(link)) continue;
      count += 1;
      const [file = '', anchor] = link.split('#');
      const target = file ? relative(site, join(site, dirname(path), file)) : path;
      assert.ok(existsSync(join(site, target)), `${path}: ${link}`);
      if (anchor) assert.ok(pages.get(target)!.includes(` id="${anchor}"`), `${path}: ${link}`);
    }
  assert.ok(count > 2000, String(count));
});

test('a link that leads nowhere fails the build', () => {
  const { broken } = renderPage(
    { file: 'docs/errors.md', path: 'errors.html' },
    '# Errors\n\n[gone](gone.md), [there](embedding.md), ![](images/gone.webp)\n\n<img src="images/away.webp" alt="" />\n',
  );
  assert.deepEqual(broken.toSorted(), ['gone.md', 'images/away.webp', 'images/gone.webp']);
});

test('a strict policy lets through what the pages have, by hash where it is inline, and nothing of others', () => {
  for (const [path, text] of pages) {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)!;
    const script = /script-src ([^;]+)/.exec(policy)![1]!.split(' ');
    for (const [, inline] of text.matchAll(/<script>([^]*?)<\/script>/g)) {
      const hash = createHash('sha256').update(inline!).digest('base64');
      assert.ok(script.includes(`'sha256-${hash}'`), path);
    }
    assert.doesNotMatch(policy, /unsafe|\*/, path);
    assert.match(policy, /default-src 'none'/, path);
    assert.deepEqual(valuesOf(text, 'style'), [], path);
    assert.doesNotMatch(text.replaceAll(/<pre[^]*?<\/pre>|<code[^]*?<\/code>/g, ''), /<style| on\w+=/, path);
    for (const source of [
      ...valuesOf(text, 'src'),
      ...[...text.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href!),
    ])
      assert.ok(!/^(https?:)?\/\//.test(source) || source === `${FRAME}/connect.js`, `${path}: ${source}`);
    assert.equal(script.includes(FRAME), text.includes(`${FRAME}/connect.js"`), path);
  }
  assert.match(readFileSync(join(site, '_headers'), 'utf8'), /frame-ancestors 'none'/);
});

test('the five elements are live on their guides, and nowhere without a frame', async () => {
  const live = [...pages].flatMap(([path, text]) => (text.includes('class="live"') ? [path] : []));
  for (const guide of ['embedding', 'recipes', 'own-page', 'swaps', 'theming', 'reference/transfer-dialog'])
    assert.ok(live.includes(`${guide}.html`), guide);
  const without = join(folder, 'without');
  await buildSite(without, { frame: undefined });
  const text = readFileSync(join(without, 'embedding.html'), 'utf8');
  assert.ok(!text.includes('class="live"'));
  assert.doesNotMatch(text.split('</head>')[0]!, /connect\.js|frame-src/);
});

test('the search finds a code, an attribute and a part of a word, and leads to the section', () => {
  const index = MiniSearch.loadJSON<SearchEntry>(readFileSync(join(site, 'search.json'), 'utf8'), SEARCH);
  const first = (words: string): string[] =>
    index
      .search(words)
      .slice(0, 3)
      .map(({ id }) => String(id));
  assert.ok(first('frame.blocked').includes('errors.html#frameblocked'), String(first('frame.blocked')));
  assert.ok(first('insufficient funds').includes('errors.html#transactioninsufficient-funds'));
  assert.ok(first('webhook').some((id) => id.startsWith('webhooks.html')));
  assert.ok(
    index.search('secret-types').some(({ id }) => String(id).startsWith('reference/link-wallets.html')),
  );
  assert.deepEqual(index.search('zxqvwk'), []);
});

test('a diagram is drawn for both themes, says its words, and loads nothing', () => {
  const text = pages.get('architecture.html')!;
  const drawn = [...text.matchAll(/<div class="diagram"[^]*?<\/svg>/g)].map(([svg]) => svg);
  assert.equal(drawn.length, 3);
  for (const svg of drawn) {
    assert.match(svg, /role="img" aria-label="[^"]{20,}"/);
    assert.doesNotMatch(svg, /@import|<style|url\((?!#)/);
  }
  assert.equal(
    new Set(drawn.flatMap((svg) => svg.match(/ id="[^"]+"/g) ?? [])).size,
    drawn.join('').match(/ id="/g)!.length,
  );
});
