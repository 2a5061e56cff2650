/** Recognises addresses by format alone, so that every chain can name the mix-up when given another's. */
import { CARDS, chainsThat, SECRET_TYPES, type SecretType } from '../secret-type.ts';

/** Their addresses are `0x` and 40 hex digits, which several chains share. */
export const HEX_CHAINS = chainsThat(({ addresses }) => addresses === 'hex');

/**
 * The chain whose addresses look like this, checksums aside. Undefined for other text, and for what
 * `HEX_CHAINS` share. Call only if the text is no address of your own chain.
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

/** An e-mail address, or a name from a registry: `ada.eth`. No chain's addresses contain a dot. */
export function isLookedUp(text: string): boolean {
  return text.length <= 254 && /^[^\s@:/]+(@[^\s@]+\.[^\s@]+|\.[a-z]{2,})$/i.test(text.trim());
}

/**
 * `is a Tron address, not an Ethereum one`, to follow a field's name; undefined if it is neither another
 * chain's nor something to look up.
 */
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
