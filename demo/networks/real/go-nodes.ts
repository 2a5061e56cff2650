/**
 * Real nodes built from Go's module proxy: Thor (VeChain), GoChain and btcd. Each version is built once, into a folder of `.cache/nodes`
 * named after everything that determines the build. Go verifies the modules against its checksum database.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Recipe {
  /** Module and version. */
  requires: string;
  /** The `replace` lines of its own `go.mod`, which Go ignores in dependencies. */
  replaces?: readonly string[];
  main: string;
  flags?: readonly string[];
}

const RECIPES = {
  thor: {
    requires: 'github.com/vechain/thor/v2 v2.4.4',
    replaces: [
      'github.com/syndtr/goleveldb => github.com/vechain/goleveldb v1.0.1-0.20220809091043-51eb019c8655',
      'github.com/ethereum/go-ethereum => github.com/vechain/go-ethereum v1.8.15-0.20260324060835-4fc778eca93e',
    ],
    main: 'github.com/vechain/thor/v2/cmd/thor',
  },
  gochain: {
    requires: 'github.com/gochain/gochain/v4 v4.3.1',
    main: 'github.com/gochain/gochain/v4/cmd/gochain',
    // One of its modules links to a symbol that Go has restricted since 1.23.
    flags: ['-ldflags=-checklinkname=0'],
  },
  btcd: { requires: 'github.com/btcsuite/btcd v0.26.2', main: 'github.com/btcsuite/btcd' },
} as const satisfies Record<string, Recipe>;

export type GoNode = keyof typeof RECIPES;

export const GO_NODES = Object.keys(RECIPES) as GoNode[];

const CACHE = resolve(import.meta.dirname, '../../../.cache/nodes');
/** The newest version that any of the three requires. */
const GO = [1, 26] as const;

/** Why no node can be built here; undefined if Go is installed. */
export function goMissing(): string | undefined {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const found = [Number(major), Number(minor)] as const;
  if (found[0] > GO[0] || (found[0] === GO[0] && found[1] >= GO[1])) return undefined;
  const has = stdout?.trim() ? `this machine has ${stdout.trim()}` : 'there is no go on the PATH';
  return `Real nodes are built with Go ${GO.join('.')} or newer (https://go.dev/dl), and ${has}.`;
}

/** Path of the binary. The first build takes a minute or two; `onBuild` is called before it. */
export async function goNode(name: GoNode, onBuild: (what: string) => void = () => {}): Promise<string> {
  const recipe: Recipe = RECIPES[name];
  const { requires, replaces = [], main, flags = [] } = recipe;
  const module = [
    `module local/${name}`,
    `go ${GO.join('.')}.0`,
    `require ${requires}`,
    ...replaces.map((line) => `replace ${line}`),
  ].join('\n');
  const digest = createHash('sha256')
    .update([module, main, ...flags, process.arch].join('\n'))
    .digest('hex');
  const folder = join(CACHE, `${name}-${requires.split(' ')[1]}-${digest.slice(0, 12)}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const missing = goMissing();
  if (missing) throw new Error(missing);
  onBuild(requires);
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, `${name}-building-`));
  try {
    writeFileSync(join(work, 'go.mod'), `${module}\n`);
    await build(work, ['build', '-mod=mod', ...flags, '-o', name, main]);
    // Atomic; if two build the same, the first wins.
    if (!existsSync(program)) renameSync(work, folder);
    return program;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** At low priority. */
function build(cwd: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, GOFLAGS: '', GOWORK: 'off' };
  const child = spawn('nice', ['-n', '5', 'go', ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (data: Buffer) => (words = (words + data.toString()).slice(-4_000)));
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? done() : reject(new Error(`go ${args.join(' ')} failed:\n${words.trim()}`)),
    );
  });
}
