/**
 * Decides when a host name may be shown in its own script. `event.origin` is always punycode; a label is decoded only if it is entirely in
 * one of the scripts below and cannot be mistaken for another name (after Chromium's IDN policy, but stricter: no mixing of scripts with
 * each other or with ASCII digits, no combining marks, no rare letters). When in doubt, the `xn--` form stays.
 */

/** RFC 3492. Undefined if the text is not punycode. */
export function decodePunycode(text: string): string | undefined {
  const cut = text.lastIndexOf('-');
  const output = cut > 0 ? text.slice(0, cut).split('') : [];
  let n = 128;
  let i = 0;
  let bias = 72;
  for (let at = cut > 0 ? cut + 1 : 0; at < text.length; ) {
    const from = i;
    for (let weight = 1, k = 36; ; k += 36) {
      const code = text.charCodeAt(at++);
      const digit = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : -1;
      if (digit < 0) return undefined;
      i += digit * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 2 ** 31) return undefined;
    }
    const length = output.length + 1;
    let delta = from === 0 ? Math.floor(i / 700) : Math.floor((i - from) / 2);
    delta += Math.floor(delta / length);
    let k = 0;
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
    bias = k + Math.floor((36 * delta) / (delta + 38));
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return undefined;
    output.splice(i++, 0, String.fromCodePoint(n));
  }
  return output.join('');
}

// Letters of Arabic and Persian; no digits, no vowel marks, no joiners.
const ARABIC = /^[\u0621-\u063a\u0641-\u064a\u067e\u0686\u0698\u06a9\u06af\u06cc-]+$/u;

// One script each. `alike`: look-alikes of Latin letters. In these scripts a label needs at least one other letter.
const SCRIPTS: { letters: RegExp; alike?: RegExp }[] = [
  // Latin-1 and Latin Extended-A without thorn, dotless i, kra, long s and the digraphs.
  { letters: /^[a-z0-9\-ß-öø-ýÿ\u0101-\u0130\u0135-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e]+$/u },
  // Cyrillic letters of modern languages.
  { letters: /^[а-яёђѓєѕіїјљњћќўџґ-]+$/u, alike: /^[аысеіюјорѕхуъьпг-]+$/u },
  { letters: /^[α-ωάέήίόύώϊϋΐΰ-]+$/u, alike: /^[αβγεημικνορςστυχωάέήίόύώϊϋΐΰ-]+$/u },
  // The long-vowel mark looks like a dash unless it follows kana.
  { letters: /^(?:[\p{Script=Han}\p{Script=Hiragana}-]|\p{Script=Katakana}ー*)+$/u },
  { letters: /^[\p{Script=Hangul}-]+$/u },
  { letters: ARABIC },
];

function readable(label: string): string | undefined {
  const text = decodePunycode(label.slice(4));
  // ASCII needs no encoding: a punycode label that decodes to it is an imitation.
  if (!text || !/\P{ASCII}/u.test(text) || text !== text.normalize('NFC')) return undefined;
  return SCRIPTS.some(({ letters, alike }) => letters.test(text) && !alike?.test(text)) ? text : undefined;
}

/** The host with every safe label decoded; the others stay `xn--`. */
export function readableHost(host: string): string {
  const labels = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (readable(label) ?? label) : label));
  // Two right-to-left labels side by side would be drawn in the wrong order.
  const rtl = labels.filter((label) => ARABIC.test(label));
  return rtl.length > 1 ? host : labels.join('.');
}
