import type { Payloads } from '../../chains/requests/payloads.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import type { Frame } from '../frame.ts';

/** What a request says about its chain. */
interface Named {
  type?: string;
  secretType?: unknown;
}

/**
 * Parses a request, or one of a list, by the schemas of the chain that it names itself: so a site reads which field is wrong also where it
 * may not use the wallet, and learns nothing about the wallet from it. Throws `request.invalid` and `chain.not-supported`.
 */
export async function judgeRequest(
  frame: Frame,
  action: HostRequest['action'],
  request: object,
): Promise<void> {
  const parse = PARSE[action];
  if (!parse) return;
  const { type = '', secretType } = request as Named;
  const { isSecretType, secretTypeOf } = await import('../../chains/transaction-types.ts');
  const chain = isSecretType(String(secretType)) ? (secretType as SecretType) : secretTypeOf(type);
  if (!chain) {
    const path = secretType === undefined && type ? 'type' : 'secretType';
    throw new RequestInvalidError([{ path, message: 'names none of the chains' }]);
  }
  parse(await frame.payloads(chain), request);
}

const PARSE: Partial<Record<HostRequest['action'], (payloads: Payloads, request: object) => unknown>> = {
  transfer: (payloads, request) => payloads.parseTransfer(request),
  execute: (payloads, request) => payloads.parse(request),
  executeAll: (payloads, request) => payloads.parse(request),
  sign: (payloads, request) => payloads.parseSigning(request),
};
