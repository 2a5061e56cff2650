/**
 * `npm run strings`: writes the sources' texts into `locales/*.xlf`, keeping translations, and from these the catalogues in `src/locales/`.
 * Prints what is left to do. With `--catalogues` it only writes the catalogues, if something has changed.
 *
 * `npm run strings -- missing de` prints the texts without a German translation, as JSON by id; `npm run strings -- fill de texts.json`
 * reads the same JSON, translated: `{0}` is a placeholder, and an object has a text for each plural form.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from '../service/help.ts';
import { ROOT } from './command.ts';
import { writeCatalogues } from './strings/fresh.ts';

answerHelp({
  usage: [
    'strings',
    'strings -- --catalogues',
    'strings -- missing <language>',
    'strings -- fill <language> <file>',
  ],
  does: 'Writes the texts of the sources into locales/*.xlf, keeping translations, and from these the catalogues in src/locales/. missing prints the texts without a translation as JSON; fill reads the same JSON, translated.',
  options: { '--catalogues': 'only writes the catalogues, and only if something has changed' },
  exits: { 0: 'nothing is left to do', 1: 'a text is missing or wrong' },
});

const [command, code = '', file = ''] = process.argv.slice(2);
if (command === '--catalogues') {
  await writeCatalogues();
  process.exit();
}
const { checkStrings, fill, missing, xliffFiles } = await import('./strings/catalogues.ts');
const { readSources } = await import('./strings/source.ts');
const sources = readSources();
if (command === 'missing') {
  console.log(JSON.stringify(missing(code, sources), null, 1));
  process.exit();
}
const filled = command === 'fill' ? { [code]: fill(JSON.parse(readFileSync(file, 'utf8')), sources) } : {};
for (const [name, text] of xliffFiles(sources, filled)) writeFileSync(join(ROOT, name), text);
await writeCatalogues();
const wrong = checkStrings(sources);
for (const line of wrong) console.error(line);
console.log(`${sources.messages.size} texts`);
process.exit(wrong.length ? 1 : 0);
