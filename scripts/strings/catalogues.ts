/** Checks sources and translations, and makes the XLIFF files, and of these the catalogues in `src/locales/`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../command.ts';
import { type Message, type Part, PARTS, readSources, type Sources } from './source.ts';
import { keyOf } from '../../src/base/languages.ts';
import { badlyWritten } from './rules.ts';
import { type Pieces, readXliff, type Unit, writeXliff } from './xliff.ts';

interface Language {
  /** In its own language. */
  name: string;
  /** Only a complete language may be offered. */
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

/** Translations by id, as translators write them: `{0}` is a placeholder. */
export type Texts = Record<string, string | Record<string, string>>;
type Translation = Pick<Unit, 'target' | 'forms'>;

const pieces = (text: string): Pieces =>
  text
    .split(/(\{\d+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\d+\}$/.test(part) ? Number(part.slice(1, -1)) : part));

export function fill(texts: Texts, { messages }: Sources): Map<string, Translation> {
  return new Map(
    Object.entries(texts).map(([id, text]): [string, Translation] => {
      const by = messages.get(id)?.counted;
      if (typeof text === 'string')
        return [id, { target: pieces(text), ...(by !== undefined && { forms: { by, kinds: {} } }) }];
      const { other = '', ...kinds } = Object.fromEntries(
        Object.entries(text).map(([kind, form]) => [kind, pieces(form)]),
      );
      return [id, { target: [...other], forms: { by: by ?? 0, kinds } }];
    }),
  );
}

export function missing(code: string, { messages }: Sources): Record<string, string> {
  const known = readXliff(read(fileOf(code)) ?? '');
  const open = [...messages.values()].filter(({ id }) => !known.get(id)?.target);
  return Object.fromEntries(open.map((message) => [message.id, plain(sourceOf(message))]));
}

/** The XLIFF files, by name, with the translations that they have. `filled`: new translations, by language and id. */
export function xliffFiles(
  { messages }: Sources,
  filled: Record<string, ReadonlyMap<string, Translation>> = {},
): Map<string, string> {
  const files = new Map<string, string>();
  for (const code of Object.keys(LANGUAGES)) {
    const known = readXliff(read(fileOf(code)) ?? '');
    const units = new Map(
      [...messages.values()].map((message) => {
        const { target, forms } = filled[code]?.get(message.id) ?? known.get(message.id) ?? {};
        const by = message.counted;
        const unit: Unit = { source: sourceOf(message), ...(target && { target }) };
        if (forms || (by !== undefined && kindsOf(code).length > 1))
          unit.forms = forms ?? { by: by!, kinds: {} };
        return [message.id, unit] as const;
      }),
    );
    files.set(
      fileOf(code),
      writeXliff(code, units, (id) => {
        const { values, files: from } = messages.get(id)!;
        return { values, files: [...from].sort() };
      }),
    );
  }
  return files;
}

/** The catalogues, by name, of the translations in the XLIFF files. */
export function catalogues({ messages }: Sources): Map<string, string> {
  const files = new Map<string, string>();
  const translations = new Map(OFFERED.map(([code]) => [code, readXliff(read(fileOf(code)) ?? '')]));
  for (const part of Object.keys(PARTS) as Part[]) {
    const shown = [...messages.values()].filter(({ parts }) => parts.has(part));
    for (const [code, units] of translations)
      files.set(`src/locales/${part}/${code}.ts`, catalogue(code, shown, units));
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
    const { target, forms } = units.get(id) ?? {};
    if (!target) return [];
    const value = forms ? { by: forms.by, ...forms.kinds, other: target } : written(target);
    return [`  ${keyOf(id)}: ${JSON.stringify(value)},\n`];
  });
  return `// Written by \`npm run strings\` from ${fileOf(code)}.\nexport default {\n${lines.sort().join('')}} as const;\n`;
}

const written = (pieces: Pieces): string | Pieces =>
  pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;

/** The language's plural categories for whole numbers, such as `one`, `few` and `other`. */
function kindsOf(code: string): string[] {
  const rules = new Intl.PluralRules(code);
  return [...new Set(Array.from({ length: 201 }, (_, n) => rules.select(n)))];
}

/** A line for each mistake; empty if all is well. */
export function checkStrings(sources = readSources()): string[] {
  const wrong = [...sources.problems];
  const ids = [...sources.messages.keys()];
  for (const id of ids.filter((one, i) => ids.findIndex((other) => keyOf(other) === keyOf(one)) !== i))
    wrong.push(`${id} has the key of another text: keyOf in src/base/languages.ts must keep more of an id.`);
  for (const [name, text] of xliffFiles(sources))
    if (read(name) !== text) wrong.push(`${name} is not what the sources say: npm run strings writes it.`);
  for (const [code, { offered }] of Object.entries(LANGUAGES))
    wrong.push(...checkLanguage(code, offered, readXliff(read(fileOf(code)) ?? ''), sources.messages));
  return wrong;
}

export function checkLanguage(
  code: string,
  offered: boolean,
  units: ReadonlyMap<string, Unit>,
  messages: Sources['messages'],
): string[] {
  const wrong: string[] = [];
  const missing: string[] = [];
  for (const message of messages.values()) {
    const source = sourceOf(message);
    const { target, forms } = units.get(message.id) ?? {};
    if (!target) {
      missing.push(plain(source));
      continue;
    }
    const written = { ...forms?.kinds, other: target };
    for (const pieces of Object.values(written)) {
      const isWhole =
        places(pieces) === places(source) || (forms && isWithoutNumber(pieces, source, forms.by));
      if (!pieces.length || !isWhole)
        wrong.push(`${fileOf(code)}: “${plain(pieces)}” has other placeholders than “${plain(source)}”.`);
      if (pieces.some((piece) => typeof piece === 'string' && /[<>]/.test(piece)))
        wrong.push(`${fileOf(code)}: “${plain(pieces)}” has markup, which would be shown.`);
      for (const what of badlyWritten(code, plain(pieces)))
        wrong.push(`${fileOf(code)}: “${plain(pieces)}” ${what}.`);
    }
    // The sources have a separate text for one, so “one” needs no number, unless the category also covers 0.
    const lacking = (forms ? kindsOf(code) : []).filter(
      (kind) => !(kind in written) && (kind !== 'one' || new Intl.PluralRules(code).select(0) === 'one'),
    );
    if (lacking.length)
      wrong.push(`${fileOf(code)}: “${plain(source)}” lacks the forms ${lacking.join(', ')}.`);
  }
  if (offered && missing.length)
    wrong.push(
      `${fileOf(code)} lacks ${missing.length} translations, such as “${missing[0]}”: translate them, or do not offer the language in locales/languages.json.`,
    );
  return wrong;
}

/** Some languages have a single word for “two wallets”. */
function isWithoutNumber(pieces: Pieces, source: Pieces, by: number): boolean {
  return places(pieces) === places(source.filter((piece) => piece !== by));
}
