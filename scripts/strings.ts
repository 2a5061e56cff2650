/**
 * `npm run strings`: writes what the sources show into `locales/*.xlf`, keeping translations, and the catalogues in `src/locales/` from
 * there. Prints what is still to be done.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './command.ts';
import { checkStrings, writeAll } from './strings/catalogues.ts';
import { readSources } from './strings/source.ts';

const sources = readSources();
for (const [name, text] of writeAll(sources)) {
  mkdirSync(dirname(join(ROOT, name)), { recursive: true });
  writeFileSync(join(ROOT, name), text);
}
const wrong = checkStrings(sources);
for (const line of wrong) console.error(line);
console.log(`${sources.messages.size} texts`);
process.exit(wrong.length ? 1 : 0);
