/** A language of accents and brackets, two fifths longer than English: what is not in it was not translated, and long words show what they break. */
import type { LitElement } from 'lit';
import { install, type Source } from '../../src/base/localize.ts';
import { redraw } from '../../src/ui/languages.ts';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ';
const isPseudo = new RegExp(`[⟦⟧${ACCENTED}]`);

const accented = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (letter) => [...ACCENTED][PLAIN.indexOf(letter)]!);

/** Longer by half a word after each other word, as translations grow by words and not by one long word. */
const longer = (text: string): string => accented(text).replace(/(\S+) (\S{2})/g, '$1 $2$2 ');

function pseudo(source: Source): unknown {
  if (typeof source === 'string') return `⟦${longer(source)}⟧`;
  const { strings, values } = source;
  const pieces = [
    '⟦',
    ...strings.flatMap((text, i) => [longer(text), ...(i < values.length ? [values[i]] : [])]),
    '⟧',
  ];
  return '_$litType$' in source ? pieces : pieces.join('');
}

/** From now on, and for what `drawn` shows already. */
export function speakPseudo(dir: 'ltr' | 'rtl', drawn?: Element): void {
  install({ lang: 'en-XA', dir }, undefined, pseudo);
  document.documentElement.dir = dir;
  if (drawn) redraw(drawn);
}

export function speakEnglish(): void {
  install({ lang: 'en', dir: 'ltr' }, undefined);
  document.documentElement.dir = '';
}

/** Not ours to translate, or said before the language changed. */
const NAMED =
  'bdi, .mono, .code, .message, .addr, .origin, .groups, .sr[role], [translate=no], [lang], cbf-full-address, script, style';
const SPOKEN = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];

/** Chains, networks, coins, addresses, and names that the tests give to wallets and sites. */
const NAMES =
  /\b(0x|bc1|ak_)?[0-9A-Za-z]{20,}\b|0x\w{4}…\w{4}|\b(Ethereum|Bitcoin|Litecoin|Tron|VeChain|GoChain|Aeternity|Sepolia|mainnet|testnet|ETH|BTC|LTC|TRX|VET|VTHO|AE|GO|USDC|USDT|DUSD|THORChain)\b|(Main wallet|Vault|Savings|Travel|Gifts|Old test wallet|Ada)|(shop|thanks)\.example/g;

/** `Intl` has this language in Chromium alone; the other engines write its dates in English. */
const MONTHS =
  /\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(t|tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?) \d/g;

/** What a view was given to show: the strings in its properties. */
function given(value: unknown, depth = 4): string[] {
  if (typeof value === 'string') return value.length > 2 ? [value] : [];
  if (typeof value !== 'object' || value === null || value instanceof Node || depth === 0) return [];
  if (value instanceof Map) return [...value.values()].flatMap((inside) => given(inside, depth));
  return Object.values(value).flatMap((inside) => given(inside, depth - 1));
}

/** Texts with words that nobody translated. What `view` was given counts as translated, or as a name. */
export function untranslated(root: Node, view: LitElement): string[] {
  const found: string[] = [];
  const { elementProperties } = view.constructor as typeof LitElement;
  const values = [...elementProperties.keys()]
    .flatMap((name) => given((view as unknown as Record<PropertyKey, unknown>)[name]))
    .sort((a, b) => b.length - a.length);
  const look = (text: string | null): void => {
    if (!text || isPseudo.test(text)) return;
    const without = (given: string): string =>
      values.reduce((rest, value) => rest.replaceAll(value, ''), given);
    // In either order: a value may be part of a name, and a name of a value.
    const named = (given: string): string => given.replace(NAMES, '').replace(MONTHS, '');
    const rests = [named(without(text)), without(named(text))];
    if (rests.every((rest) => /[a-z]{3}/i.test(rest))) found.push(text.trim());
  };
  const walk = (node: Node): void => {
    if (node instanceof Element) {
      if (node.matches(NAMED)) return;
      for (const name of SPOKEN) look(node.getAttribute(name));
      if (node.shadowRoot) walk(node.shadowRoot);
    }
    if (node instanceof Text) look(node.data);
    for (const child of node.childNodes) walk(child);
  };
  walk(root);
  return found;
}
