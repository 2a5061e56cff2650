/**
 * Every text that a user sees goes through `msg()`, when it is drawn. In English that is all there is; `languages.ts`, which other
 * languages load, brings translations. The shape of `msg` and `str`, and the ids, are those of `@lit/localize`; its runtime is not used:
 * it can be configured once, and the page around us may have done that for itself.
 */
import type { TemplateResult } from 'lit';

export interface Filled {
  strings: TemplateStringsArray;
  values: unknown[];
}
export type Source = string | Filled | TemplateResult;
type Translate = (source: Source) => unknown;

/** A text with values in it: msg(str`Send ${amount}`). */
export const str = (strings: TemplateStringsArray, ...values: unknown[]): Filled => ({ strings, values });

const untranslated: Translate = (source) =>
  typeof source === 'string' || !('values' in source) || '_$litType$' in source
    ? source
    : String.raw({ raw: source.strings }, ...source.values);

let translate = untranslated;

/** The language of dates, numbers and names, for `Intl`; undefined: the browser's. */
export let language: string | undefined;

/** Of texts, as attributes say it. */
export interface Spoken {
  lang: string;
  dir: 'ltr' | 'rtl';
}
/** The language of texts; undefined until one was asked for: English. */
export let spoken: Spoken | undefined;

/** Another language from now on; where it lacks a translation, the text itself. */
export function install(texts: Spoken, tag: string | undefined, translation?: Translate): void {
  translate = (source) => translation?.(source) ?? untranslated(source);
  spoken = texts;
  language = tag;
}

/**
 * The text in the user's language. html`…` is for values that bring markup with them, and has none itself: a translation is text only.
 */
export function msg(source: string | Filled): string;
export function msg(source: TemplateResult): TemplateResult;
export function msg(source: Source): unknown {
  return translate(source);
}

/** `other` holds the number, and its translations may have a form for each kind of number that their language tells apart. */
export const plural = (count: number, one: string, other: string): string => (count === 1 ? one : other);
