/** Validates a recipient while it is typed. The wallet validates it again, with the chain's own schema. */
import { chainOfAddress, HEX_CHAINS, isLookedUp } from '../chains/requests/foreign-address.ts';
import { loadAddresses } from '../chains/modules.ts';
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import { msg, str } from '../base/localize.ts';

export interface RecipientCheck {
  /** What is wrong with non-empty text. */
  error(text: string): string | undefined;
  /** A hint for text without an error. */
  hint(text: string): { good: boolean; text: string } | undefined;
}

const startsWithVowel = (name: string) => /^[AEIOU]/.test(name);

export async function recipientCheck(secretType: SecretType): Promise<RecipientCheck> {
  const chain = await loadAddresses(secretType);
  const name = CHAIN_NAMES[secretType];
  const isAddress = (text: string): boolean => {
    try {
      return !!chain.readAddress(text);
    } catch {
      return false;
    }
  };
  return {
    error(text) {
      if (isLookedUp(text) || isAddress(text)) return undefined;
      const form = chainOfAddress(text);
      if (form && form !== secretType) {
        const other = CHAIN_NAMES[form];
        return startsWithVowel(other)
          ? msg(str`This is an ${other} address. ${name} wallets cannot send to it.`)
          : msg(str`This is a ${other} address. ${name} wallets cannot send to it.`);
      }
      const length = HEX_CHAINS.includes(secretType) ? /^0x([0-9a-f]*)$/i.exec(text)?.[1]?.length : undefined;
      if (length !== undefined && length < 40)
        return msg('This address is too short. Check that you copied all of it.');
      if (length !== undefined && length > 40)
        return msg('This address is too long. Check that you copied only the address.');
      if (length || form) return msg('A character of this address is wrong. Copy it again.');
      if (text.includes('@')) return msg('This e-mail address is not complete.');
      return startsWithVowel(name)
        ? msg(str`This is not an ${name} address.`)
        : msg(str`This is not a ${name} address.`);
    },
    hint(text) {
      if (isLookedUp(text))
        return {
          good: false,
          text: text.includes('@')
            ? msg('Your wallet looks this e-mail address up.')
            : msg('Your wallet looks this name up.'),
        };
      return isAddress(text) ? { good: true, text: msg(str`Valid ${name} address`) } : undefined;
    },
  };
}
