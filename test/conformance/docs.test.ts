/** The documentation names only what exists. */
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
  ...readdirSync(join(root, 'service/checkout/providers'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `service/checkout/providers/${name}`),
];

/** Heading anchors, as GitHub generates them. */
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

test('every file and folder that a page names exists', () => {
  const named = pages.flatMap((page) =>
    // Also inside a command: `npm run test:e2e -- test/e2e/pin.test.ts`.
    [...text(page).matchAll(/`[^`\n]+`/g)].flatMap(([code]) =>
      [...code.matchAll(/(?<=[` ])(?:src|service|demo|test|scripts|bench)\/[\w./-]+(?=[` ])/g)].map(
        ([path]) => [page, path],
      ),
    ),
  );
  assert.ok(named.length > 40);
  assert.deepEqual(
    named.filter(([, path]) => !existsSync(join(root, path!))),
    [],
  );
});

test('the architecture names every state', () => {
  const page = text('docs/architecture.md');
  const unions = [
    /state: ('signed' \| 'done'[^;]+);/.exec(text('src/wallets/types.ts')),
    /state: ('signed' \| 'sent'[^;]+);/.exec(text('service/database/schema.ts')),
    /DELIVERY_STATES = \[([^\]]+)\]/.exec(text('src/api/webhook.ts')),
    /state: z\.enum\(\[('quoted'[^\]]+)\]\)/.exec(text('src/api/pay.ts')),
  ];
  for (const found of unions)
    for (const [, state] of found![1]!.matchAll(/'([\w-]+)'/g))
      assert.match(page, new RegExp(`--> ${state}\\b|\`${state}\``), state);
});
