/**
 * `npm run keep-release`: keeps the built script as a fixture in `test/releases`, for tests of pages that are older than the wallet. The
 * last two releases are kept. `-- <dist> <version> <commit>` keeps the script of another folder than `dist`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENTRY, integrityOf } from '../service/integrity.ts';
import { VERSION } from '../service/releases.ts';
import { OFFERED } from '../src/locales/offered.ts';
import { answerHelp } from '../service/help.ts';
import { ROOT } from './command.ts';

answerHelp({
  usage: ['keep-release', 'keep-release -- <dist> <version> <commit>'],
  does: 'Keeps the built script in test/releases, for tests of pages that are older than the wallet. The last two releases are kept.',
});

const KEPT = join(ROOT, 'test/releases');
const LAST = 2;

const head = (): string => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
const [dist = 'dist', version = VERSION, commit = head()] = process.argv.slice(2);

/** Not needed by the tests, which are in English and link no wallet elsewhere. */
const isUnused = (file: string): boolean =>
  ['walletconnect', ...OFFERED.map(({ code }) => code)].some((name) => file.startsWith(`chunks/${name}-`));

const from = resolve(ROOT, dist);
const to = join(KEPT, version);
rmSync(to, { recursive: true, force: true });
mkdirSync(join(to, 'chunks'), { recursive: true });
for (const file of Object.keys(integrityOf(from)))
  if (!isUnused(file)) cpSync(join(from, file), join(to, file));
writeFileSync(join(to, 'source.json'), `${JSON.stringify({ version, commit }, null, 2)}\n`);

const all = readdirSync(KEPT).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
for (const old of all.slice(0, -LAST)) rmSync(join(KEPT, old), { recursive: true });
console.log(`kept ${ENTRY} of ${version}, built from ${commit}, in test/releases/${version}`);
