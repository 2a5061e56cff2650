/**
 * `npm run keep-release`: keeps the built script as a fixture in `test/releases`, for tests of pages that are older than the wallet. The
 * last two releases are kept, of each its newest candidate until it is released. `-- <dist> <version> <commit>` keeps the script of another
 * folder than `dist`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENTRY, integrityOf, isScript } from '../service/integrity.ts';
import { byAge, VERSION } from '../service/releases.ts';
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

/** `0.2.0` of `0.2.0-rc.1`. */
const releaseOf = (kept: string): string => kept.split('-')[0]!;
const remove = (kept: string): void => rmSync(join(KEPT, kept), { recursive: true });

const from = resolve(ROOT, dist);
const to = join(KEPT, version);
for (const kept of readdirSync(KEPT)) if (releaseOf(kept) === releaseOf(version)) remove(kept);
mkdirSync(join(to, 'chunks'), { recursive: true });
for (const file of Object.keys(integrityOf(from)))
  if (isScript(file) && !isUnused(file)) cpSync(join(from, file), join(to, file));
writeFileSync(join(to, 'source.json'), `${JSON.stringify({ version, commit }, null, 2)}\n`);

for (const old of readdirSync(KEPT).toSorted(byAge).slice(0, -LAST)) remove(old);
console.log(`kept ${ENTRY} of ${version}, built from ${commit}, in test/releases/${version}`);
