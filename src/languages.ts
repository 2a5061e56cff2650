/** Languages other than English: which of them to speak, and how a text becomes its translation. Loaded when one is wanted. */
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { install, type Source, type Spoken } from './localize.ts';

/** Text between places, which are numbers. */
type Pieces = readonly (string | number)[];
/** Of a text with a number in place `by`, a form for each kind of number. */
type Forms = { readonly by: number; readonly other: Pieces } & {
  readonly [kind in Intl.LDMLPluralRule]?: Pieces;
};
/** Translations by id. Plain text and places: nothing in it is ever read as markup. */
export type Catalogue = Readonly<Record<string, string | Pieces | Forms>>;
/** What a part of the product can load, by language. */
export type Catalogues = Readonly<Record<string, () => Promise<{ default: Catalogue }>>>;

/** As far as it tells languages apart that we offer: `zh-CN` and `zh-SG` are `zh-Hans`. */
function kindOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // A page may write anything into its `lang`.
    return '';
  }
}

/** The first wanted language that there is; undefined: none. */
export function match(wanted: readonly string[], catalogues: Catalogues): string | undefined {
  const offered = new Map(['en', ...Object.keys(catalogues)].map((code) => [kindOf(code), code]));
  return wanted.map((tag) => offered.get(kindOf(tag))).find((code) => code !== undefined);
}

const directionOf = (code: string): 'ltr' | 'rtl' => (/^(ar|he|fa|ur|en-XB)\b/.test(code) ? 'rtl' : 'ltr');

let latest = 0;

/**
 * Speaks the language that the user chose, else the first of the wanted ones that there is, else English. Of two calls the later one wins: the other one returns undefined.
 * Where the catalogue does not arrive, everything is in English.
 */
export async function speak(
  wanted: readonly string[],
  catalogues: Catalogues,
  chosen?: string,
): Promise<Spoken | undefined> {
  const turn = ++latest;
  const found = match([chosen ?? '', ...wanted], catalogues);
  const catalogue = await catalogues[found ?? 'en']?.().catch(() => undefined);
  if (turn !== latest) return undefined;
  const code = found && (catalogue || found === 'en') ? found : 'en';
  const texts: Spoken = { lang: code, dir: directionOf(code) };
  install(texts, found && (ownForm(code) ?? code), catalogue && translating(catalogue.default, code));
  return texts;
}

/** The user's own form of a language, such as de-CH. */
export function ownForm(code: string): string | undefined {
  return navigator.languages.find((tag) => kindOf(tag) === kindOf(code));
}

/** By the text between its places, which is one array for each place in the code. */
const ids = new WeakMap<TemplateStringsArray, string>();

function idOf(source: Source): string {
  if (typeof source === 'string') return keyOf(generateMsgId(source, false));
  const { strings } = source;
  let id = ids.get(strings);
  if (id === undefined) ids.set(strings, (id = keyOf(generateMsgId(strings, false))));
  return id;
}

/** Half of an id tells our texts apart, as `npm run strings` makes sure, and random digits do not compress. */
export const keyOf = (id: string): string => id.slice(0, 9);

export function translating(catalogue: Catalogue, code: string): (source: Source) => unknown {
  const rules = new Intl.PluralRules(code);
  // Between Arabic words `0.25 ETH` would be drawn as `ETH 0.25`: what is filled in keeps a direction of its own.
  const [open, close] = directionOf(code) === 'rtl' ? ['\u2068', '\u2069'] : ['', ''];
  return (source) => {
    const found = catalogue[idOf(source)];
    if (found === undefined || typeof found === 'string' || typeof source === 'string') return found;
    const { values } = source;
    const pieces = isForms(found) ? (found[rules.select(Number(values[found.by]))] ?? found.other) : found;
    if ('_$litType$' in source)
      return pieces.map((piece) => (typeof piece === 'string' ? piece : values[piece]));
    return pieces
      .map((piece) => (typeof piece === 'string' ? piece : `${open}${values[piece]}${close}`))
      .join('');
  };
}

const isForms = (found: Pieces | Forms): found is Forms => 'by' in found;
