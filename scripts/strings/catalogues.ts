/** From sources and translations: what is wrong with them, the XLIFF files, and the catalogues in `src/locales/`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../command.ts';
import { type Message, type Part, PARTS, readSources, type Sources } from './source.ts';
import { type Pieces, readXliff, type Unit, writeXliff } from './xliff.ts';

interface Language {
  /** In its own language. */
  name: string;
  /** Only a complete language can be. */
  offered: boolean;
}

const LANGUAGES = JSON.parse(readFileSync(join(ROOT, 'locales/languages.json'), 'utf8')) as Record<
  string,
  Language
>;
const OFFERED = Object.entries(LANGUAGES).filter(([, { offered }]) => offered);

const fileOf = (code: string): string => `locales/${code}.xlf`;
const read = (name: string): string | undefined =>
  existsSync(join(ROOT, name)) ? readFileSync(join(ROOT, name), 'utf8') : undefined;

const sourceOf = ({ strings }: Message): Pieces =>
  strings.flatMap((text, i) => [...(text === '' ? [] : [text]), ...(i + 1 < strings.length ? [i] : [])]);
const plain = (pieces: Pieces): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `{${piece}}`)).join('');
const places = (pieces: Pieces): string =>
  pieces
    .filter((piece) => typeof piece === 'number')
    .sort()
    .join();

/** Every file that `npm run strings` writes, by its name. */
export function writeAll({ messages }: Sources): Map<string, string> {
  const files = new Map<string, string>();
  const catalogues = new Map<string, Map<string, Unit>>();
  for (const code of Object.keys(LANGUAGES)) {
    const known = readXliff(read(fileOf(code)) ?? '');
    const units = new Map(
      [...messages.values()].map((message) => {
        const { target, forms } = known.get(message.id) ?? {};
        const by = message.counted;
        const unit: Unit = { source: sourceOf(message), ...(target && { target }) };
        if (forms || (by !== undefined && kindsOf(code).length > 1))
          unit.forms = forms ?? { by: by!, kinds: {} };
        return [message.id, unit] as const;
      }),
    );
    catalogues.set(code, units);
    files.set(
      fileOf(code),
      writeXliff(code, units, (id) => {
        const { values, files: from } = messages.get(id)!;
        return { values, files: [...from].sort() };
      }),
    );
  }
  for (const part of Object.keys(PARTS) as Part[]) {
    const shown = [...messages.values()].filter(({ parts }) => parts.has(part));
    for (const [code] of OFFERED)
      files.set(`src/locales/${part}/${code}.ts`, catalogue(code, shown, catalogues.get(code)!));
    const lines = OFFERED.map(([code]) => `  ${key(code)}: () => import('./${part}/${code}.ts'),`);
    files.set(
      `src/locales/${part}.ts`,
      `// Written by \`npm run strings\`.\nexport const ${part} = {\n${lines.map((line) => `${line}\n`).join('')}};\n`,
    );
  }
  const names = [['en', { name: 'English' }] as const, ...OFFERED].map(
    ([code, { name }]) => `  { code: '${code}', name: '${name}' },`,
  );
  files.set(
    'src/locales/offered.ts',
    `// Written by \`npm run strings\`.\nexport const OFFERED = [\n${names.join('\n')}\n];\n`,
  );
  return files;
}

const key = (code: string): string => (/^\w+$/.test(code) ? code : `'${code}'`);

function catalogue(code: string, messages: readonly Message[], units: ReadonlyMap<string, Unit>): string {
  const lines = messages.flatMap(({ id }) => {
    const { target, forms } = units.get(id)!;
    if (!target) return [];
    const value = forms ? { by: forms.by, ...forms.kinds, other: target } : written(target);
    return [`  ${id}: ${JSON.stringify(value)},\n`];
  });
  return `// Written by \`npm run strings\` from ${fileOf(code)}.\nexport default {\n${lines.sort().join('')}} as const;\n`;
}

const written = (pieces: Pieces): string | Pieces =>
  pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;

/** Kinds of whole numbers from 0 on, such as `one`, `few` and `other`. */
function kindsOf(code: string): string[] {
  const rules = new Intl.PluralRules(code);
  return [...new Set(Array.from({ length: 201 }, (_, n) => rules.select(n)))];
}

/** One line for each mistake; none: nothing to do. */
export function checkStrings(sources = readSources()): string[] {
  const wrong = [...sources.problems];
  for (const [name, text] of writeAll(sources))
    if (read(name) !== text) wrong.push(`${name} is not what the sources say: npm run strings writes it.`);
  for (const [code, { offered }] of Object.entries(LANGUAGES)) {
    const units = readXliff(read(fileOf(code)) ?? '');
    const missing: string[] = [];
    for (const [id, { source, target, forms }] of units) {
      const message = sources.messages.get(id);
      if (!message) continue;
      if (!target) {
        missing.push(plain(source));
        continue;
      }
      const written = { other: target, ...forms?.kinds };
      for (const pieces of Object.values(written))
        if (
          !pieces.length ||
          (places(pieces) !== places(source) && !(forms && isWithoutNumber(pieces, source, forms.by)))
        )
          wrong.push(`${fileOf(code)}: “${plain(pieces)}” has other placeholders than “${plain(source)}”.`);
      const lacking = forms ? kindsOf(code).filter((kind) => !(kind in written)) : [];
      // The singular has a text of its own where the sources count.
      const needed = lacking.filter(
        (kind) => kind !== 'one' || new Intl.PluralRules(code).select(0) === 'one',
      );
      if (needed.length)
        wrong.push(`${fileOf(code)}: “${plain(source)}” lacks the forms ${needed.join(', ')}.`);
      if (written.other.some((piece) => typeof piece === 'string' && /[<>]/.test(piece)))
        wrong.push(`${fileOf(code)}: “${plain(target)}” has markup, which would be shown.`);
    }
    if (offered && missing.length)
      wrong.push(
        `${fileOf(code)} lacks ${missing.length} translations, such as “${missing[0]}”: translate them, or do not offer the language in locales/languages.json.`,
      );
  }
  return wrong;
}

/** “two wallets” is one word in some languages. */
function isWithoutNumber(pieces: Pieces, source: Pieces, by: number): boolean {
  return places(pieces) === places(source.filter((piece) => piece !== by));
}
