/** Recognises errors of a database that is unreachable, shutting down or full: the caller should retry later. */
import { ConnectError } from '../../src/errors.ts';

/** PostgreSQL's error classes for connections, resources and shutdown; and a read-only server, as after a failover. */
const AWAY = /^(?:08|53|57P0[1-5]|58|25006)/;
/** Errors of sockets and DNS. */
const UNREACHABLE = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** Errors of `pg` that have a message, but no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;
/** The same for `pg-pool`: no connection became free in time. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
const DISK_FULL = '53100';

const AGAIN_S = 2;
const FULL_S = 30;

/** Nothing can be stored. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DISK_FULL;
}

/** Undefined for any other error. The request may have taken effect before it failed. */
export function outageOf(error: unknown): ConnectError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (message === POOL_TIMEOUT) return unreachable('The service is overloaded.', 1, error);
  if (isDiskFull(error)) return unreachable('The service has no room to store anything.', FULL_S, error);
  const isAway =
    (typeof code === 'string' && (AWAY.test(code) || UNREACHABLE.test(code))) ||
    (typeof message === 'string' && BROKEN.test(message));
  return isAway ? unreachable('The service cannot reach its database.', AGAIN_S, error) : undefined;
}

/** The server committed alone: a failover would lose it. */
export function notReplicated(): ConnectError {
  return unreachable(
    'The service does not know whether its database keeps what was stored.',
    AGAIN_S,
    undefined,
  );
}

function unreachable(what: string, retryAfter: number, cause: unknown): ConnectError {
  return new ConnectError(
    'service.unreachable',
    `${what} Try again in ${retryAfter} s, with the same Idempotency-Key if you sent one.`,
    { retryAfter },
    { cause },
  );
}
