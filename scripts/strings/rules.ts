/** How texts are written in each language: spaces, punctuation, directions, and words that the glossary in docs/translating.md has others for. */

/** `what` is said after the text; `wrong` finds it. Placeholders are `{0}`. */
interface Rule {
  what: string;
  wrong: RegExp;
}

const PERCENT: Rule = { what: 'needs a no-break space before %', wrong: /[^\u00a0]%/u };

const RULES: Record<string, readonly Rule[]> = {
  ar: [
    { what: 'has Latin punctuation', wrong: /[?;,]/u },
    // The sign would be drawn on the other side of its number.
    { what: 'needs U+2066 and U+2069 around a number with %', wrong: /%(?!\u2069)/u },
    { what: 'has a space after the prefix ـ', wrong: /ـ [{\u2066]/u },
    { what: 'has an arrow that points back', wrong: /→/u },
  ],
  de: [PERCENT, { what: 'needs a no-break space before …', wrong: / …/u }],
  es: [PERCENT, { what: 'has another word in the glossary', wrong: /\b(carteras?|passkeys?|usted)\b/iu }],
  fr: [
    { what: 'needs U+00A0 before %, » and :', wrong: /[^\u00a0][%»]|[^\u00a0]:(?!\S)/u },
    { what: 'needs U+00A0 after «', wrong: /«[^\u00a0]/u },
    { what: 'needs U+202F before ; ! ?', wrong: /[^\u202f][;!?]/u },
    { what: 'has a straight apostrophe', wrong: /'/u },
    {
      what: 'has another word in the glossary',
      wrong: /\b(jetons?|portefeuilles?|coins?|passkeys?|code pin)\b/iu,
    },
  ],
  ja: [
    { what: 'needs full-width punctuation', wrong: /[(),:;!?]/u },
    { what: 'has another word in the glossary', wrong: /デバイス/u },
  ],
  'zh-Hans': [
    { what: 'needs full-width punctuation', wrong: /[(),:;!?]/u },
    { what: 'has another word in the glossary', wrong: /恢复短语/u },
  ],
};

/** What is wrong with a translation, such as `needs a no-break space before %`. */
export const badlyWritten = (code: string, text: string): string[] =>
  (RULES[code] ?? []).filter(({ wrong }) => wrong.test(text)).map(({ what }) => what);

/**
 * What is wrong with the placeholders of a text. From right to left each of them is isolated, so the parts of one number would be drawn in
 * reverse: `1` and `234` as 2341, `0.25` and `ETH` as ETH 0.25.
 */
export function tornApart(strings: readonly string[], values: readonly string[]): string | undefined {
  const isAmount = (text: string, i: number): boolean => text === ' ' && /\bsymbol\b[^.]*$/i.test(values[i]!);
  return strings.slice(1, -1).some((text, i) => text === '' || isAmount(text, i + 1))
    ? 'a number is one placeholder, with its symbol.'
    : undefined;
}
