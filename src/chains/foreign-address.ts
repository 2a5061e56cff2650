/** Recognizes addresses by their form alone, so that every chain can name the mix-up when it is given another's. */
import { CARDS, chainsThat, SECRET_TYPES, type SecretType } from './secret-type.ts';

/** Their addresses are `0x` and 40 hex digits, which several chains share. */
export const HEX_CHAINS = chainsThat(({ addresses }) => addresses === 'hex');

/**
 * The chain whose addresses look like this; checksums are not looked at. Undefined for other text, and for what
 * `HEX_CHAINS` share. Ask only when the text has no form of your own chain.
 */
export function chainOfAddress(text: string): SecretType | undefined {
  return SECRET_TYPES.find((secretType) => {
    const { addresses } = CARDS[secretType];
    return addresses !== 'hex' && addresses.some((form) => form.test(text));
  });
}

export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/** An e-mail address, or a name of a register of names: `ada.eth`. No address of any chain has a point in it. */
export function isLookedUp(text: string): boolean {
  return text.length <= 254 && /^[^\s@:/]+(@[^\s@]+\.[^\s@]+|\.[a-z]{2,})$/i.test(text.trim());
}

/** `is a Tron address, not an Ethereum one`, to follow a field's name; undefined when it is no other chain's, and nothing to look up. */
export function foreignAddress(text: string, own: SecretType): string | undefined {
  if (isLookedUp(text))
    return 'is an e-mail address or a name, which only a transfer takes; give the address it stands for';
  if (/^0x[0-9a-fA-F]{40}$/.test(text) && !HEX_CHAINS.includes(own))
    return `is ${eitherOf(HEX_CHAINS)} address, not ${named(own)} one`;
  const other = chainOfAddress(text);
  return other && other !== own ? `is ${named(other)} address, not ${named(own)} one` : undefined;
}

/** `an Ethereum`. */
export const named = (chain: SecretType): string => withArticle(CARDS[chain].name);

/** `an Ethereum, GoChain or VeChain`. */
function eitherOf(chains: readonly SecretType[]): string {
  const names = chains.map((chain) => CARDS[chain].name);
  const last = names.pop()!;
  return withArticle(names.length ? `${names.join(', ')} or ${last}` : last);
}

function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}
