/** Checks the proofs of users' requests (RFC 9449), as their route requires. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tokenIn } from './access-tokens.ts';
import type { ProvenRequest } from '../custody/dpop.ts';
import type { Service } from '../service.ts';

export function proofsOn({ devices, url }: Pick<Service, 'devices' | 'url'>): FastifyInstance['prove'] {
  const proven = ({ headers, method, url: path }: FastifyRequest): ProvenRequest => ({
    proof: headers['dpop'],
    method,
    // A proxy may have changed the host and the start of the path; the proof names the service's public URL.
    url: url() + path,
    accessToken: tokenIn(headers.authorization)!,
  });
  return async (request, { accountId, isApplication }, proof) => {
    if (proof === undefined || isApplication) return undefined;
    if (proof === 'enrolled') return devices.require(accountId, proven(request));
    if (proof === 'new') return devices.introduce(proven(request));
    return request.headers['dpop'] === undefined ? undefined : devices.recognise(accountId, proven(request));
  };
}
