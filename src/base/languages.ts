/** Languages other than English: choosing one, and translating texts into it. Loaded on demand. */
import { install, type Source, type Spoken } from './localize.ts';

/** Text and, as numbers, the places of its values. */
type Pieces = readonly (string | number)[];
/** The plural forms of a text whose number is at place `by`. */
type Forms = { readonly by: number; readonly other: Pieces } & {
  readonly [kind in Intl.LDMLPluralRule]?: Pieces;
};
/** Translations by id. Plain text and places: nothing in it is ever parsed as markup. */
export type Catalogue = Readonly<Record<string, string | Pieces | Forms>>;
/** The catalogues that a part of the product can load, by language. */
export type Catalogues = Readonly<Record<string, () => Promise<{ default: Catalogue }>>>;

/** Language and script, which distinguish the languages that we offer: `zh-CN` and `zh-SG` are `zh-Hans`. */
function kindOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // A page may write anything into its `lang`.
    return '';
  }
}

/** The first wanted language that is available; undefined if none is. */
export function match(wanted: readonly string[], catalogues: Catalogues): string | undefined {
  const offered = new Map(['en', ...Object.keys(catalogues)].map((code) => [kindOf(code), code]));
  return wanted.map((tag) => offered.get(kindOf(tag))).find((code) => code !== undefined);
}

const directionOf = (code: string): 'ltr' | 'rtl' => (/^(ar|he|fa|ur|en-XB)\b/.test(code) ? 'rtl' : 'ltr');

let latest = 0;

/**
 * Switches to the language that the user chose, else to the first wanted one that is available, else to English. A later call wins over an
 * earlier one, which then returns undefined. If the catalogue fails to load, everything is in English.
 */
export async function speak(
  wanted: readonly string[],
  catalogues: Catalogues,
  chosen?: string,
): Promise<Spoken | undefined> {
  const turn = ++latest;
  const bestMatch = match([chosen ?? '', ...wanted], catalogues);
  const catalogue = await catalogues[bestMatch ?? 'en']?.().catch(() => undefined);
  if (turn !== latest) return undefined;
  const code = bestMatch && (catalogue || bestMatch === 'en') ? bestMatch : 'en';
  const texts: Spoken = { lang: code, dir: directionOf(code) };
  const form = bestMatch ? (ownForm(code) ?? code) : navigator.language;
  install(texts, withLatinDigits(form), catalogue && translating(catalogue.default, code));
  return texts;
}

/** For `Intl`: dates are written in the digits and the calendar of amounts and of what is signed, not as ٢٨‏/١١‏/٢٠٢٦. */
const withLatinDigits = (tag: string): string =>
  new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();

/** The user's own form of a language, such as de-CH. */
export function ownForm(code: string): string | undefined {
  return navigator.languages.find((tag) => kindOf(tag) === kindOf(code));
}

/** Ids by a template's strings, which are the same array at each evaluation. */
const ids = new WeakMap<TemplateStringsArray, string>();

function idOf(source: Source): string {
  if (typeof source === 'string') return keyOf(messageId([source]));
  const { strings } = source;
  let id = ids.get(strings);
  if (id === undefined) ids.set(strings, (id = keyOf(messageId(strings))));
  return id;
}

const RECORD_SEPARATOR = '\x1e';

/**
 * `['Send ', ' to ', '']` → `s` and 16 hex digits: the id that `@lit/localize` gives a text without markup, as translators' files have it.
 * FNV-1a of 64 bits over the UTF-16 code units.
 */
export function messageId(strings: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const unit of strings.join(RECORD_SEPARATOR).split(''))
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit.charCodeAt(0))) * 0x100000001b3n);
  return `s${hash.toString(16).padStart(16, '0')}`;
}

/** Half of an id suffices to distinguish our texts, as `npm run strings` checks, and random digits do not compress. */
export const keyOf = (id: string): string => id.slice(0, 9);

export function translating(catalogue: Catalogue, code: string): (source: Source) => unknown {
  const rules = new Intl.PluralRules(code);
  // Between Arabic words, `0.25 ETH` would be drawn as `ETH 0.25`, so the direction of inserted values is isolated.
  const [open, close] = directionOf(code) === 'rtl' ? ['\u2068', '\u2069'] : ['', ''];
  return (source) => {
    const text = catalogue[idOf(source)];
    if (text === undefined || typeof text === 'string' || typeof source === 'string') return text;
    const { values } = source;
    const pieces = isForms(text) ? (text[rules.select(countIn(values[text.by]))] ?? text.other) : text;
    if ('_$litType$' in source)
      return pieces.map((piece) =>
        typeof piece === 'string' ? piece : open ? [open, values[piece], close] : values[piece],
      );
    return pieces
      .map((piece) => (typeof piece === 'string' ? piece : `${open}${values[piece]}${close}`))
      .join('');
  };
}

/** Also of a number with the language's separators, such as `1,000`. */
const countIn = (value: unknown): number => Number(String(value).replace(/\D/g, ''));

const isForms = (found: Pieces | Forms): found is Forms => 'by' in found;
