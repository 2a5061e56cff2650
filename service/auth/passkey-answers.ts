/** Checks the passkeys' answers in users' requests, as their route requires. */
import type { FastifyInstance } from 'fastify';
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
      // Elsewhere a repeat would do the same once more.
      key: idempotencyKey && typeof key === 'string' ? key : '',
    };
    return passkeys.require(accountId, request, { optional: passkey === 'optional' });
  };
}
