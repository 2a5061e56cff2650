import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkGraph } from '../../scripts/boundaries.ts';
import type { Chunk, Graph } from '../../scripts/graph.ts';
import { type Bill, cut } from '../../scripts/sbom.ts';
import { minifyCss, minifyHtml } from '../../scripts/minify-templates.ts';
import { problemsOf } from '../../scripts/package.ts';

describe('templates in a build', () => {
  it('lose white space and comments in styles, and nothing else', () => {
    const cases: [string, string][] = [
      ['\n  .a > .b {\n    color: red;\n    margin: 0 auto;\n  }\n', '.a>.b{color:red;margin:0 auto}'],
      ['a :hover, a:hover { width: calc(1px + 2px - 3px) }', 'a :hover,a:hover{width:calc(1px + 2px - 3px)}'],
      ['/* why */ .a::before { content: "  { ; } /" }', '.a::before{content:"  { ; } /"}'],
      [
        '@media (min-width: 1px) and (color) { :host([a]) { --x: 1 } }',
        '@media (min-width:1px) and (color){:host([a]){--x:1}}',
      ],
      [
        'a { opacity: 0.5; gap: calc(1px * 10.05) 0; color: rgb(0 0 0 / 0.04) }',
        'a{opacity:.5;gap:calc(1px * 10.05) 0;color:rgb(0 0 0 / .04)}',
      ],
      [': ', ':'],
    ];
    for (const [text, expected] of cases) assert.equal(minifyCss(text).trim(), expected);
  });

  it('keep a space in markup for a line break', () => {
    assert.equal(
      minifyHtml('<p\n  class="a"\n>\n  one\n  <b>two</b>\n</p>'),
      '<p class="a"> one <b>two</b> </p>',
    );
    assert.equal(minifyHtml('two  spaces in a line'), 'two  spaces in a line');
    assert.equal(minifyHtml('<pre>\n  kept\n</pre>'), '<pre>\n  kept\n</pre>');
  });
});

describe('the npm package', () => {
  const packed = (unpackedSize: number, ...paths: string[]) => ({
    filename: 'carabiner.tgz',
    unpackedSize,
    files: paths.map((path) => ({ path })),
  });

  it('has modules, types and guides, of 4.2 MB at most', () => {
    const paths = [
      'dist/index.js',
      'dist/chunks/view-AbCd_12.js',
      'docs/errors.md',
      'docs/reference/README.md',
      'types/react.d.ts',
    ];
    assert.deepEqual(problemsOf(packed(4_200_000, ...paths)), []);
    assert.match(problemsOf(packed(4_200_001, ...paths)).join(), /4200001 bytes, of at most 4200000/);
  });

  for (const path of [
    'dist/frame/index.html',
    'dist/wallet/index.html',
    'dist/read/assets/read-AbCd_12.js',
    'dist/pay/index.html',
    'dist/connect.js.br',
    'dist/index.js.map',
    'docs/images/approval.webp',
    'docs/decisions/README.md',
    'CHANGELOG.md',
  ])
    it(`has no ${path}`, () => assert.match(problemsOf(packed(1, path)).join(), new RegExp(path)));
});

describe('the boundaries of what users download', () => {
  const chunk = (file: string, modules: string[], more: Partial<Chunk> = {}): Chunk => ({
    file,
    entry: false,
    facade: null,
    imports: [],
    dynamicImports: [],
    modules,
    moduleImports: {},
    needs: {},
    ...more,
  });
  const graph = (changed: Partial<Graph>): Graph => ({
    connect: [
      chunk('connect.js', ['src/connect.ts'], { entry: true, dynamicImports: ['chunks/form.js'] }),
      chunk('chunks/form.js', ['src/elements/form.ts']),
    ],
    modules: [
      chunk('chains/index.js', ['src/chains/index.ts'], { entry: true }),
      chunk('index.js', ['src/index.ts'], { entry: true }),
    ],
    walletconnect: [],
    frame: [],
    wallet: [],
    read: [],
    pay: [],
    demo: [],
    ...changed,
  });

  it('hold', () => assert.doesNotThrow(() => checkGraph(graph({}))));

  it('are broken by a signer in a lazy chunk of a host page', () => {
    const connect = [
      chunk('connect.js', [], { entry: true }),
      chunk('chunks/sign.js', ['node_modules/ethers/lib.esm/wallet.js']),
    ];
    assert.throws(() => checkGraph(graph({ connect })), /ethers.*signer/);
  });

  it('are broken by schemas in what a host page loads at once', () => {
    const connect = [chunk('connect.js', ['node_modules/zod/v4/mini/index.js'], { entry: true })];
    assert.throws(() => checkGraph(graph({ connect })), /zod.*schemas/);
  });

  for (const module of [
    'src/wallets/vault.ts',
    'src/wallets/service/with-service.ts',
    'src/frame/approve/transact-flow.ts',
    'src/frame/own-reads.ts',
    'src/frame/approve/approve-view.ts',
    'src/frame/shell/guard.ts',
    'node_modules/hash-wasm/dist/argon2.js',
    'node_modules/@scure/bip39/index.js',
  ])
    it(`are broken by ${module} in the page that any site may embed`, () => {
      const read = [chunk('read/page.js', ['src/frame/reads/main.ts', module])];
      assert.throws(() => checkGraph(graph({ read })), /in the page for reads/);
    });

  for (const module of ['src/channel/frame-end.ts', 'src/frame/dispatch.ts', 'src/frame/main.ts'])
    it(`are broken by ${module} in the wallet’s own page, which answers no other`, () => {
      const wallet = [chunk('wallet/page.js', ['src/frame/own/main.ts', module])];
      assert.throws(() => checkGraph(graph({ wallet })), /in the wallet by itself: no page can ask/);
    });

  it('are broken by chunks that import one another', () => {
    const frame = [
      chunk('frame/a.js', [], { imports: ['frame/b.js'] }),
      chunk('frame/b.js', [], { imports: ['frame/a.js'] }),
    ];
    assert.throws(() => checkGraph(graph({ frame })), /frame\/a\.js is in an import cycle/);
  });

  const CONTRACTS = ['src/chains/contracts/abi.ts', 'node_modules/@noble/hashes/sha3.js'];
  const TRON = ['src/chains/tron/index.ts'];

  it('let a chain have the folders that it imports', () => {
    const frame = [
      chunk('frame/tron.js', TRON, {
        imports: ['frame/contracts.js'],
        needs: { tron: [...TRON, ...CONTRACTS] },
      }),
      chunk('frame/contracts.js', CONTRACTS, { needs: { contracts: CONTRACTS } }),
    ];
    assert.doesNotThrow(() => checkGraph(graph({ frame })));
  });

  it('are broken by a folder loaded with a chain that imports nothing from it', () => {
    const frame = [
      chunk('frame/tron.js', TRON, { imports: ['frame/evm.js'], needs: { tron: TRON } }),
      chunk('frame/evm.js', ['src/chains/evm/node.ts'], { needs: { evm: ['src/chains/evm/node.ts'] } }),
    ];
    assert.throws(() => checkGraph(graph({ frame })), /evm is loaded with tron/);
  });

  it('are broken by a chain that loads before it is needed', () => {
    const frame = [
      chunk('frame/page.js', ['src/frame/main.ts'], { entry: true, imports: ['frame/tron.js'] }),
      chunk('frame/tron.js', ['src/chains/tron/address.ts']),
    ];
    assert.throws(() => checkGraph(graph({ frame })), /tron is loaded with the page/);
  });

  it('are broken by a curve that a chain does not sign with', () => {
    const own = 'src/chains/aeternity/index.ts';
    const frame = [
      chunk('frame/aeternity.js', [own, 'node_modules/@noble/secp256k1/index.js'], {
        needs: { aeternity: [own] },
      }),
    ];
    assert.throws(() => checkGraph(graph({ frame })), /keys is loaded with aeternity/);
  });

  for (const [from, to] of [
    ['src/chains/tron/index.ts', 'src/chains/vechain/node.ts'],
    ['src/chains/contracts/calls.ts', 'src/chains/evm/node.ts'],
    ['src/chains/nodes/http.ts', 'src/chains/contracts/calls.ts'],
  ] as const)
    it(`are broken by ${from} that imports ${to}`, () => {
      const frame = [chunk('frame/a.js', [from], { moduleImports: { [from]: [to] } })];
      assert.throws(() => checkGraph(graph({ frame })), new RegExp(`${from} imports ${to}`));
    });

  it('are broken by Lit in carabiner/chains', () => {
    const modules = [chunk('chains/index.js', ['src/chains/index.ts'], { entry: true, imports: ['lit'] })];
    assert.throws(() => checkGraph(graph({ modules })), /lit.*chains/);
  });
});

describe('the bill of materials', () => {
  const names = ['lit', 'lit-html', 'tester', 'fastify'];
  const all = {
    metadata: { component: { 'bom-ref': 'carabiner@1.0.0', name: 'folder' } },
    components: names.map((name) => ({ 'bom-ref': `${name}@1.0.0`, name })),
    dependencies: [
      { ref: 'carabiner@1.0.0', dependsOn: ['lit@1.0.0', 'tester@1.0.0'] },
      { ref: 'lit@1.0.0', dependsOn: ['lit-html@1.0.0'] },
      { ref: 'lit-html@1.0.0', dependsOn: ['lit@1.0.0'] },
      { ref: 'tester@1.0.0', dependsOn: ['lit@1.0.0'] },
      { ref: 'fastify@1.0.0', dependsOn: [] },
    ],
  } satisfies Bill;
  const manifest = { name: 'carabiner', version: '1.0.0', dependencies: { lit: '1.0.0' } };

  it('lists what the package runs with, also where a tool needs it too, and no tool', () => {
    const bill = cut(all, manifest);
    assert.deepEqual(
      bill.components.map(({ name }) => name),
      ['lit', 'lit-html'],
    );
    assert.equal(bill.metadata.component.name, 'carabiner');
    assert.deepEqual(bill.dependencies, [
      { ref: 'carabiner@1.0.0', dependsOn: ['lit@1.0.0'] },
      ...all.dependencies.slice(1, 3),
    ]);
  });

  it('is none where something is not installed', () => {
    const dependencies = { zod: '1.0.0' };
    assert.throws(() => cut(all, { ...manifest, dependencies }), /zod@1\.0\.0 is not installed: run npm ci/);
  });
});
