/** The database is away, is shutting down or cannot store anything: the caller is told to come back. */
import { ConnectError } from '../../src/errors.ts';

/** PostgreSQL's classes: connection, resources, shutdown; and a server that lets nobody write, as after a failover. */
const AWAY = /^(?:08|53|57P0[1-5]|58|25006)/;
/** Of sockets and DNS. */
const UNREACHABLE = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** `pg` tells these only by their messages. */
const BROKEN = /^(?:Connection terminated|Client has encountered a connection error)/;
/** The same of `pg-pool`: no connection became free in time. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
const DISK_FULL = '53100';

const AGAIN_S = 2;
const FULL_S = 30;

/** Nothing can be stored. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DISK_FULL;
}

/** Undefined for an error that is not of this kind. The caller does not know what the request did before. */
export function outageOf(error: unknown): ConnectError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (message === POOL_TIMEOUT) return unreachable('The service has too much to do.', 1, error);
  if (isDiskFull(error)) return unreachable('The service cannot store anything now.', FULL_S, error);
  const isAway =
    (typeof code === 'string' && (AWAY.test(code) || UNREACHABLE.test(code))) ||
    (typeof message === 'string' && BROKEN.test(message));
  return isAway ? unreachable('The service does not reach its database.', AGAIN_S, error) : undefined;
}

function unreachable(what: string, retryAfter: number, cause: unknown): ConnectError {
  return new ConnectError(
    'service.unreachable',
    `${what} Try again in ${retryAfter} s, with the same Idempotency-Key if you sent one.`,
    { retryAfter },
    { cause },
  );
}
