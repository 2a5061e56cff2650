/** Whether rules allow data to be signed. A signature can spend: an allowance, an order, a transaction as bytes. */
import type { ParsedSigning } from '../../src/chains/terms.ts';
import { assetKey, keysAt, type SigningPlace } from './assets.ts';
import type { Violation } from './check-spend.ts';
import type { Rules } from './rules.ts';

export async function signatureViolation(
  rules: Rules,
  place: SigningPlace,
  request: ParsedSigning,
): Promise<Violation | undefined> {
  if (!rules.isLimiting || (await isAllowed(rules, place, request))) return undefined;
  return {
    rule: 'signatures',
    message: 'The policy does not allow a signature of this data, which could spend without being counted.',
    details: { type: request.type },
  };
}

/** Anything but a prefixed message, a certificate or typed data could be a transaction, and is never allowed. */
async function isAllowed(
  { signatures }: Rules,
  place: SigningPlace,
  request: ParsedSigning,
): Promise<boolean> {
  const { type, prefix, purpose } = request;
  if (type.endsWith('_TYPED_DATA')) return isListed(signatures.typedData, place, request);
  if (type.endsWith('_CERTIFICATE') && purpose !== undefined) return signatures.certificates;
  if (type.endsWith('_MESSAGE') || prefix === true) return signatures.messages;
  return false;
}

/** As `ETHEREUM:0x…:Order`. On a network that an entry names, only data that is good on no other. */
async function isListed(
  listed: ReadonlySet<string>,
  place: SigningPlace,
  { data, unsignedFields }: ParsedSigning,
): Promise<boolean> {
  const { secretType } = place;
  const { chainIdOf, contractOf, readTypedData } = await import('../../src/chains/evm/typed-data.ts');
  const typed = readTypedData(data, secretType, unsignedFields);
  const contract = contractOf(typed);
  const keys = chainIdOf(typed)
    ? keysAt(place, contract)
    : place.byDefault
      ? [assetKey(secretType, contract)]
      : [];
  return keys.some((key) => listed.has(`${key}:${typed.primaryType}`));
}
