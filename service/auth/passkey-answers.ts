/** Checks the passkeys' answers in users' requests, as their route requires. */
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import type { CheckedPasskey } from '../http/serve.ts';
import type { Service } from '../service.ts';

export function passkeysOn({ passkeys }: Pick<Service, 'passkeys'>): FastifyInstance['askPasskey'] {
  return async ({ params, body, headers }, { accountId, isApplication }, route) => {
    if (isApplication) return undefined;
    const { method, path, passkey, idempotencyKey } = route;
    const key = headers['idempotency-key'];
    const request = {
      method,
      path,
      params: params as Record<string, string>,
      body,
      // On other routes a repeated request would do the same again.
      key: idempotencyKey && typeof key === 'string' ? key : '',
    };
    return passkeys.require(accountId, request, { optional: passkey === 'optional' });
  };
}

/** What opens the wallet: the PIN, or the passkey in place of the master PIN. Throws `request.invalid` at `pincode`. */
export function openerOf(pincode: string | null | undefined, passkey: CheckedPasskey | undefined): PinProof {
  if (typeof pincode === 'string') return pincode;
  if (passkey?.secret) return { passkey: passkey.secret };
  throw invalid('pincode', 'is required, or what this call accepts in its place');
}
