/** Whether a recipient can be right, told while it is typed. The wallet checks it again with the chain's own schema. */
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import { msg, str } from '../ui/localize.ts';

export interface RecipientCheck {
  /** What is wrong with a text that is not empty. */
  error(text: string): string | undefined;
  /** What to say about one that is not wrong. */
  hint(text: string): { good: boolean; text: string } | undefined;
}

/** The checks of each chain, apart from everything that signs. A chain is added by a line; without one only the wallet checks. */
const ADDRESSES: { [type in SecretType]?: () => Promise<{ isAddress(text: string): boolean }> } = {
  ETHEREUM: () => import('../chains/ethereum/address.ts'),
};

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

export async function recipientCheck(secretType: SecretType): Promise<RecipientCheck> {
  const chain = await ADDRESSES[secretType]?.();
  const name = CHAIN_NAMES[secretType];
  return {
    error(text) {
      if (!chain || isEmail(text) || chain.isAddress(text)) return undefined;
      const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1]?.length;
      if (digits !== undefined && digits < 40)
        return msg('This address is too short. Check that you copied all of it.');
      if (digits !== undefined && digits > 40)
        return msg('This address is too long. Check that you copied only the address.');
      if (digits === 40) return msg('A character of this address is wrong. Copy it again.');
      if (text.includes('@')) return msg('This e-mail address is not complete.');
      return /^[AEIOU]/.test(name)
        ? msg(str`This is not an ${name} address.`)
        : msg(str`This is not a ${name} address.`);
    },
    hint(text) {
      if (isEmail(text)) return { good: false, text: msg('Your wallet looks this e-mail address up.') };
      return chain?.isAddress(text) ? { good: true, text: msg(str`Valid ${name} address`) } : undefined;
    },
  };
}
