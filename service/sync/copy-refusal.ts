/** Why a write of an encrypted copy was refused. The wallet knows these answers by their status. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, type Problem } from '../../src/api/problem.ts';

export const COPY_REFUSALS = {
  'copy.condition': {
    status: 400,
    detail:
      'Send If-None-Match: * for the first state, and If-Match with the ETag of the state before otherwise.',
  },
  'copy.signature': {
    status: 401,
    detail: 'The request is not signed by a key that may write here, or at another time.',
  },
  'copy.removed': { status: 410, detail: 'The copy was removed.' },
  'copy.changed': {
    status: 412,
    detail: 'The state is another one than the condition says. Nothing was changed.',
  },
  'copy.refused': { status: 422, detail: 'The service does not keep this object.' },
  'copy.full': { status: 507, detail: 'The operator of this service takes no more copies.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type CopyRefusalCode = keyof typeof COPY_REFUSALS;

export class CopyRefusal extends Error {
  override name = 'CopyRefusal';

  constructor(
    readonly code: CopyRefusalCode,
    readonly detail: string = COPY_REFUSALS[code].detail,
  ) {
    super(`${detail} [${code}]`);
  }

  send(request: FastifyRequest, reply: FastifyReply, reference: string): FastifyReply {
    const { status } = COPY_REFUSALS[this.code];
    const problem: Problem = {
      type: `${reference}#writeCopy`,
      title: STATUS_CODES[status]!,
      status,
      detail: this.detail,
      instance: request.id,
      code: this.code,
    };
    if (status === 401) void reply.header('WWW-Authenticate', 'Sync');
    return reply.code(status).type(PROBLEM_TYPE).serializer(JSON.stringify).send(problem);
  }
}
