/** The documentation names only what exists. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { withPresets } from '../../service/networks/presets.ts';
import { AUDIT_ACTIONS } from '../../service/audit/audit-log.ts';
import { TSC } from '../../scripts/command.ts';
import * as routes from '../../src/api/routes.ts';
import { NetworksFile } from '../../service/networks/networks-file.ts';
import { readFiat } from '../../src/prices/entry.ts';
import { http } from '../../src/prices/sources/http.ts';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const blocks = (path: string, language: string): string[] =>
  [...text(path).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, named, code]) =>
    named === language ? [code!] : [],
  );
const pages = [
  'llms.txt',
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'service/checkout/providers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
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
  const union = /export type ErrorCode =([^;]+);/.exec(text('src/base/errors.ts'))![1]!;
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code]) => code!);
  assert.ok(codes.length > 10);
  const headings = new Set(anchors('docs/errors.md'));
  assert.deepEqual(
    codes.filter((code) => !headings.has(code.replaceAll('.', ''))),
    [],
  );
});

test('the guide to the audit log has every action that is recorded, and no other', () => {
  const [, section] = text('docs/policies.md').split('## The audit log');
  const rows = [...section!.matchAll(/^\| (`.+?) *\|/gm)].map(([, names]) => names!);
  const named = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  assert.deepEqual(named.sort(), AUDIT_ACTIONS.toSorted());
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

test('packages, lock files and guides name one version', () => {
  const { version } = JSON.parse(text('package.json')) as { version: string };
  const named = [
    ...['package-lock.json', 'service/package.json', ...shopLocks].flatMap((file) => versionsIn(file)),
    ...['embedding', 'deploying'].flatMap((page) =>
      [
        ...text(`docs/${page}.md`).matchAll(/(?:\/v|carabiner-)(\d+\.\d+\.\d+(?:-[\w.]+?)?)(?:\/|\.tgz)/g),
      ].map(([, each]) => each!),
    ),
  ];
  assert.ok(named.length > 20, String(named.length));
  assert.deepEqual([...new Set(named)], [version]);
});

const shopLocks = readdirSync(join(root, 'demo/frameworks'))
  .map((shop) => `demo/frameworks/${shop}/package-lock.json`)
  .filter((file) => existsSync(join(root, file)));

/** Of our own packages in a manifest or a lock file. */
function versionsIn(file: string): string[] {
  const manifest = JSON.parse(text(file)) as {
    name: string;
    version: string;
    packages?: Record<string, { name?: string; version?: string }>;
  };
  const packages = Object.entries({ '': manifest, ...manifest.packages });
  return packages.flatMap(([path, { name = path.replace('node_modules/', ''), version }]) =>
    /^(@carabiner\/service|carabiner)$/.test(name) && version ? [version] : [],
  );
}

test('llms.txt lists every guide', () => {
  const listed = [...text('llms.txt').matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, path]) => path);
  assert.deepEqual(
    readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .filter((path) => !listed.includes(path)),
    [],
  );
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

test('every call of the service is in a guide', () => {
  const guides = pages.map(text);
  const missing = Object.values(routes)
    // The payment page's own.
    .filter(({ path }) => !path.startsWith('/pay/'))
    .filter(({ path }) => {
      // A parameter by its name, or as an example has it.
      const pattern = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '(?:\\{\\w+\\}|\\$?[\\w-]+)');
      return !guides.some((guide) => new RegExp(`${pattern}(?![\\w/])`).test(guide));
    });
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});

test('every field of networks.json is in its guide', () => {
  const guide = text('docs/networks.md');
  const fields = [...text('src/chains/network.ts').matchAll(/^ {2}(\w+): (?:z\.|or\(|HttpUrl|Folder)/gm)].map(
    ([, name]) => name!,
  );
  assert.ok(fields.length > 25);
  assert.deepEqual(
    fields.filter((name) => !new RegExp(`\`(?:[\\w[\\].]+\\.)?${name}(?:\\[\\])?\``).test(guide)),
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

/** What the guides' code finds on its page. */
const PRELUDE = `
import type { Connect, SignParams, TransactionRequest, Wallet } from '../../src/index.ts';
import type { NativeRequest } from '../../src/api/transaction.ts';
import type { HistoryEntry, ServiceClient } from '../../src/service-sdk/index.ts';
declare global {
  const connect: Connect;
  const button: HTMLButtonElement;
  const wallet: Wallet;
  const walletId: string;
  const to: string;
  const data: string;
  const dusd: string;
  const params: SignParams & { type: 'ETHEREUM_RAW' };
  const types: Record<string, { name: string; type: string }[]>;
  const primaryType: string;
  const domain: Record<string, unknown>;
  const message: Record<string, unknown>;
  const deliver: (requestId: string, result: unknown) => void;
  const offerButton: (label: string, press: () => unknown) => void;
  const Certificate: { of(body: object): { verify(): void } };
  // Of a server, in the form of Express.
  type Handler = (
    request: Record<'query' | 'body' | 'session', Record<string, unknown>>,
    response: { json(body: unknown): void },
  ) => void;
  const app: Record<'get' | 'post', (path: string, handler: Handler) => void>;
  const offer: (address: string, origin: string) => object;
  const accept: (nonce: string, signature: string) => string;
  const clientId: string;
  const clientSecret: string;
  const signingSecret: string;
  const service: ServiceClient;
  const pincode: string;
  const request: NativeRequest & { headers: Headers };
  const payout: { id: string };
  const rawBody: string;
  const store: (entries: HistoryEntry[]) => void;
  const topUp: () => void;
  const askAgain: (attemptsLeft: number) => void;
  const ship: (sessionId: string) => void;
}
`;

const COMPILED = [
  'README.md',
  ...[
    'embedding',
    'errors',
    'chains',
    'swaps',
    'recipes',
    'migrating',
    'provider',
    'external-wallets',
    'library',
    'service-sdk',
    'testing-your-app',
  ].map((name) => `docs/${name}.md`),
];

test('the code of the guides for pages and servers compiles against the types that we publish', () => {
  const folder = join(root, `.cache/docs-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'prelude.ts'), PRELUDE);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          incremental: false,
          tsBuildInfoFile: null,
          noUnusedLocals: false,
          noUnusedParameters: false,
          exactOptionalPropertyTypes: false,
          types: [],
          paths: {
            carabiner: ['../../src/index.ts'],
            'carabiner/elements': ['../../src/elements/index.ts'],
            'carabiner/chains': ['../../src/chains/index.ts'],
            'carabiner/wagmi': ['../../src/wagmi.ts'],
            'carabiner/testing': ['../../src/testing/index.ts'],
            'carabiner/service': ['../../src/service-sdk/index.ts'],
            'https://connect.example/connect.js': ['../../src/connect.ts'],
          },
        },
        include: ['*.ts'],
      }),
    );
    const places = new Map<string, string>();
    // `ts` elsewhere is code of frameworks (`test/long/frameworks`) and of servers.
    for (const page of COMPILED)
      for (const { 1: code, index } of text(page).matchAll(
        page === 'docs/library.md' ? /^```ts\n([^]*?)^```$/gm : /^```js\n([^]*?)^```$/gm,
      )) {
        // What events carry is typed by action, and compiled with the fixtures of `test/types`.
        if (/addEventListener\('connect-/.test(code!)) continue;
        const name = `snippet-${places.size}.ts`;
        places.set(name, `${page}:${text(page).slice(0, index).split('\n').length}`);
        writeFileSync(join(folder, name), `${code}\nexport {};\n`);
      }
    assert.ok(places.size > 8);
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '-p', folder, ...TSC.args],
      { cwd: root, env: { ...process.env, ...TSC.env }, encoding: 'utf8' },
    );
    const errors = stdout.replaceAll(
      /\S*(snippet-\d+\.ts)/g,
      (_, name: string) => `${places.get(name)} (line of the code)`,
    );
    assert.equal(errors, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Fields of an example that its schema knows nothing of, by path. */
function unknownFields(given: unknown, parsed: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const inside = (parsed as Record<string, unknown> | undefined)?.[name];
    return inside === undefined ? [`${path}${name}`] : unknownFields(value, inside, `${path}${name}.`);
  });
}

test('the examples of networks.json are valid, whole and in parts', () => {
  const whole = JSON.parse(blocks('docs/networks.md', 'json')[0]!) as { networks: object[] };
  const seen = { whole: 0, fields: 0, networks: 0, prices: 0 };
  /** The file that a reader gets who puts it where it belongs. */
  function file(example: string): object {
    if (example.startsWith('"descriptors"')) {
      seen.networks++;
      return { ...whole, networks: [{ ...whole.networks[0], ...JSON.parse(`{${example}}`) }] };
    }
    // `"embed": […]`: a field of the file.
    if (example.startsWith('"')) return (seen.fields++, { ...whole, ...JSON.parse(`{${example}}`) });
    const json = JSON.parse(example) as { networks?: object; id?: string };
    if (json.networks) return (seen.whole++, withPresets(json) as object);
    seen.networks++;
    assert.match(String(json.id), /^(?:ethereum|tron)$/);
    return { ...whole, networks: [{ ...whole.networks[0], ...json }] };
  }
  for (const page of ['networks', 'swaps', 'recipes'])
    for (const example of blocks(`docs/${page}.md`, 'json')) {
      // What the service answers, and a site's own file.
      if (/"(?:bestRate|stage|returns)":/.test(example) || example.startsWith('[')) continue;
      if (example.includes('"currency":')) {
        seen.prices++;
        assert.ok(http.read({} as never, 'EUR', JSON.parse(example))['ethereum']);
        continue;
      }
      const given: { fiat?: unknown } = file(example);
      if (given.fiat) readFiat(given.fiat);
      assert.deepEqual(unknownFields(given, NetworksFile.parse(given)), [], `docs/${page}.md: ${example}`);
    }
  assert.deepEqual(seen, { whole: 3, fields: 5, networks: 4, prices: 1 });
});

test('the CSS of the guides sets properties and parts that there are', () => {
  const { modules } = JSON.parse(text('types/custom-elements.json')) as {
    modules: {
      declarations?: {
        tagName?: string;
        cssParts?: { name: string }[];
        cssProperties?: { name: string }[];
      }[];
    }[];
  };
  const names = new Set(
    modules.flatMap(({ declarations = [] }) =>
      declarations.flatMap(({ tagName, cssParts = [], cssProperties = [] }) => [
        ...cssParts.map(({ name }) => `${tagName}::part(${name})`),
        ...cssProperties.map(({ name }) => name),
      ]),
    ),
  );
  const set = ['README.md', 'docs/theming.md'].flatMap((page) =>
    blocks(page, 'css').flatMap((css) => css.match(/--cb-[\w-]+|[\w-]+::part\([\w-]+\)/g)!),
  );
  assert.ok(set.length > 4);
  for (const name of set) assert.ok(names.has(name), name);
});
