/** Whether rules allow data to be signed. A signature can spend: an allowance, an order, a transaction as bytes. */
import type { ParsedSigning } from '../../src/chains/terms.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { assetKey } from './assets.ts';
import type { Violation } from './check-spend.ts';
import type { Rules } from './rules.ts';

export async function signatureViolation(
  rules: Rules,
  secretType: SecretType,
  request: ParsedSigning,
): Promise<Violation | undefined> {
  if (!rules.isLimiting || (await isAllowed(rules, secretType, request))) return undefined;
  return {
    rule: 'signatures',
    message: 'The policy does not allow a signature of this data, which could spend without being counted.',
    details: { type: request.type },
  };
}

/** Anything but a prefixed message, a certificate or typed data could be a transaction, and is never allowed. */
async function isAllowed(
  { signatures }: Rules,
  secretType: SecretType,
  request: ParsedSigning,
): Promise<boolean> {
  const { type, prefix, purpose } = request;
  if (type.endsWith('_TYPED_DATA')) return signatures.typedData.has(await typeOf(secretType, request));
  if (type.endsWith('_CERTIFICATE') && purpose !== undefined) return signatures.certificates;
  if (type.endsWith('_MESSAGE') || prefix === true) return signatures.messages;
  return false;
}

/** `ETHEREUM:0x…:Order` */
async function typeOf(secretType: SecretType, { data, unsignedFields }: ParsedSigning): Promise<string> {
  const { contractOf, readTypedData } = await import('../../src/chains/evm/typed-data.ts');
  const typed = readTypedData(data, secretType, unsignedFields);
  return `${assetKey(secretType, contractOf(typed))}:${typed.primaryType}`;
}
