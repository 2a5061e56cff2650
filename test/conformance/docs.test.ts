/** The documentation names what is there. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** As GitHub makes them. */
const anchors = (path: string): string[] =>
  [...text(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every error code has the heading that its docsPath points to', () => {
  const union = /export type ErrorCode =([^;]+);/.exec(text('src/errors.ts'))![1]!;
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code]) => code!);
  assert.ok(codes.length > 10);
  const headings = new Set(anchors('docs/errors.md'));
  assert.deepEqual(
    codes.filter((code) => !headings.has(code.replaceAll('.', ''))),
    [],
  );
});

test('every link between pages leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path, anchor]) => {
        const target = path ? join(dirname(page), path) : page;
        const found = existsSync(join(root, target)) && (!anchor || anchors(target).includes(anchor));
        return found ? [] : [`${page}: ${link}`];
      },
    ),
  );
  assert.deepEqual(broken, []);
});
