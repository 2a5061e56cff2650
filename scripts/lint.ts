/** `npm run lint`: oxlint, the format check, and checks that oxlint lacks: lazy imports across boundaries, the order of folders, texts. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { filesBelow } from './build.ts';
import { ROOT, run } from './command.ts';
import { brokenLayers } from './layers.ts';
import { checkStrings } from './strings/catalogues.ts';

interface Boundary {
  from: RegExp;
  never: RegExp;
  why: string;
}

const BOUNDARIES: Boundary[] = [
  {
    from: /^src\/(elements|actions|provider|channel|pay|ui|index\.ts|connect\.ts)/,
    never: /^src\/(frame|wallets)\/|^(ethers|hash-wasm|argon2id|@scure|@noble\/(curves|ed25519|secp256k1))\b/,
    why: 'the host side never loads a signer, the vault or the frame',
  },
  {
    from: /^src\/(chains|swaps|api)\//,
    never: /^src\/(elements|actions|channel|frame|wallets|ui)\/|^lit\b|^@lit\//,
    why: 'chains, swaps and the HTTP contract know nothing of the page, storage or Lit',
  },
  {
    from: /^src\/(frame|wallets)\//,
    never: /^src\/(elements|actions|provider)\//,
    why: 'the frame loads nothing of the host side',
  },
];

const LAZY_IMPORT = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g;

function lazyImports(): string[] {
  return filesBelow(join(ROOT, 'src'))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const name = relative(ROOT, file);
      return [...readFileSync(file, 'utf8').matchAll(LAZY_IMPORT)].flatMap(([, , to = '']) => {
        const target = to.startsWith('.') ? relative(ROOT, join(dirname(file), to)) : to;
        return BOUNDARIES.filter(({ from, never }) => from.test(name) && never.test(target)).map(
          ({ why }) => `${name} loads ${target}: ${why}`,
        );
      });
    });
}

/** True if nothing was found. */
export async function lint(): Promise<boolean> {
  const timeout = 300_000;
  const oxlint = await run('oxlint', ['--deny-warnings', '.'], { timeout });
  const biome = await run('biome', ['format', '.'], { timeout });
  const broken = [...lazyImports(), ...brokenLayers(), ...checkStrings()];
  for (const line of broken) console.error(line);
  return oxlint.code === 0 && biome.code === 0 && broken.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['lint'],
    does: 'Runs oxlint and the format check, and checks the order of folders, lazy imports across boundaries, and texts.',
    exits: { 0: 'nothing was found', 1: 'something was' },
  });
  process.exit((await lint()) ? 0 : 1);
}
