/** Recognizes addresses by their form alone, so that every chain can name the mix-up when it is given another's. */
import { CHAIN_NAMES, type SecretType } from './secret-type.ts';

/**
 * `2`, `3`, `m` and `n` are Bitcoin's here, though Litecoin has them too: Litecoin rules its own forms out first.
 * Bech32 is all lower or all upper case (BIP-173).
 */
const FORMS: readonly (readonly [SecretType, RegExp])[] = [
  ['TRON', /^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$/],
  ['AETERNITY', /^(ak|ct)_[1-9A-HJ-NP-Za-km-z]{38,53}$/],
  ['BITCOIN', /^((bc|tb|bcrt)1[02-9ac-hj-np-z]{11,}|(BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,})$/],
  ['BITCOIN', /^[123mn][1-9A-HJ-NP-Za-km-z]{24,34}$/],
  [
    'LITECOIN',
    /^((ltc|tltc|rltc|ltcmweb|tmweb)1[02-9ac-hj-np-z]{11,}|(LTC|TLTC|RLTC)1[02-9AC-HJ-NP-Z]{11,})$/,
  ],
  ['LITECOIN', /^[LMQ][1-9A-HJ-NP-Za-km-z]{25,33}$/],
];

/** Their addresses are `0x` and 40 hex digits, which does not tell whose. */
export const HEX_CHAINS: readonly SecretType[] = ['ETHEREUM', 'GOCHAIN', 'VECHAIN'];

/**
 * The chain whose addresses look like this; checksums are not looked at. Undefined for other text, and for what
 * `HEX_CHAINS` share. Ask only when the text has no form of your own chain.
 */
export function chainOfAddress(text: string): SecretType | undefined {
  return FORMS.find(([, form]) => form.test(text))?.[0];
}

/** `is a Tron address, not an Ethereum one`, to follow a field's name; undefined when it is no other chain's. */
export function foreignAddress(text: string, own: SecretType): string | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text) && !HEX_CHAINS.includes(own))
    return `is an Ethereum, GoChain or VeChain address, not ${named(own)} one`;
  const other = chainOfAddress(text);
  return other && other !== own ? `is ${named(other)} address, not ${named(own)} one` : undefined;
}

/** `an Ethereum`. */
export const named = (chain: SecretType) =>
  `${/^[AEIOU]/.test(CHAIN_NAMES[chain]) ? 'an' : 'a'} ${CHAIN_NAMES[chain]}`;
