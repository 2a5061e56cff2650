/**
 * Every text that a user sees goes through `msg()`, when it is drawn. English needs nothing else; for other languages, `languages.ts` is
 * loaded and provides translations. The signatures of `msg` and `str`, and the ids, are those of `@lit/localize`; its runtime is not used,
 * because it can be configured only once, and the page around us may have done that for itself.
 */
import type { TemplateResult } from 'lit';

export interface Filled {
  strings: TemplateStringsArray;
  values: unknown[];
}
export type Source = string | Filled | TemplateResult;
type Translate = (source: Source) => unknown;

/** A text with values: msg(str`Send ${amount}`). */
export const str = (strings: TemplateStringsArray, ...values: unknown[]): Filled => ({ strings, values });

const untranslated: Translate = (source) =>
  typeof source === 'string' || !('values' in source) || '_$litType$' in source
    ? source
    : String.raw({ raw: source.strings }, ...source.values);

let translate = untranslated;

/** The language of dates and names, for `Intl`, with Latin digits; undefined for the browser's. */
export let language: string | undefined;

/** The language of texts, as the values of the attributes `lang` and `dir`. */
export interface Spoken {
  lang: string;
  dir: 'ltr' | 'rtl';
}
/** The language of texts; undefined, for English, until one was requested. */
export let spoken: Spoken | undefined;

/** Switches the language. A text without a translation stays in English. */
export function install(texts: Spoken, tag: string | undefined, translation?: Translate): void {
  translate = (source) => translation?.(source) ?? untranslated(source);
  spoken = texts;
  language = tag;
}

/**
 * The text in the user's language. html`…` is for values that contain markup; the text itself has none, because translations are text only.
 */
export function msg(source: string | Filled): string;
export function msg(source: TemplateResult): TemplateResult;
export function msg(source: Source): unknown {
  return translate(source);
}

/** `other` contains the number, and its translations may have a form for each plural category of their language. */
export const plural = (count: number, one: string, other: string): string => (count === 1 ? one : other);
