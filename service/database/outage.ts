/** Recognises errors of a database that is unreachable, shutting down, full or too busy: the caller should retry later. */
import { ConnectError } from '../../src/base/errors.ts';

/** PostgreSQL's error classes for connections, resources and shutdown; and a read-only server, as after a failover. */
const AWAY = /^(?:08|53|57P0[1-5]|58|25006)/;
/** It refuses the password, the user or the address, or has no such database: during a rotation or a restore, or because a setting is wrong. */
const REFUSED = /^(?:28|3D000)/;
/** A deadlock or another conflict of transactions, a lock that was not granted in time, a query that was cancelled or took too long. */
const BROKEN_OFF = /^(?:40|55P03|57014)/;
const LOCK_TIMEOUT = '55P03';
/** Errors of sockets and DNS. */
const UNREACHABLE = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** Errors of `pg` that have a message, but no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;
/** The same for `pg-pool`: no connection became free in time. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
/** A replica has no code of its own for functions that write, only for statements. */
const ON_A_REPLICA = 'cannot assign TransactionIds during recovery';
/** Of `pg` and `pg-pool`, for a new connection. */
const LATE = /^(?:timeout expired|timeout exceeded|Connection terminated due to connection timeout)/;
const DISK_FULL = '53100';

const AGAIN_S = 2;
const FULL_S = 30;

/** Nothing can be stored. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DISK_FULL;
}

/** Waiting does not help a service whose settings are wrong. */
export function isRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && REFUSED.test(code);
}

/** A lock was not granted in the time that `lock_timeout` gives: PostgreSQL's error, or what `outageOf` made of it. */
export function isLockTimeout(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code === LOCK_TIMEOUT || cause?.code === LOCK_TIMEOUT;
}

/** No connection was answered in time: the machine is busy, or the server is. Bare, or what `outageOf` made of it. */
export function isLate(error: unknown): boolean {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return [message, cause?.message].some((text) => typeof text === 'string' && LATE.test(text));
}

/** Undefined for any other error. The request may have taken effect before it failed. */
export function outageOf(error: unknown): ConnectError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (message === POOL_TIMEOUT) return unreachable('The service is overloaded.', 1, error);
  if (isDiskFull(error)) return noRoom(error);
  if (typeof code === 'string' && BROKEN_OFF.test(code))
    return unreachable('The database of the service did not finish.', AGAIN_S, error);
  const isAway =
    isRefused(error) ||
    (typeof code === 'string' && (AWAY.test(code) || UNREACHABLE.test(code))) ||
    (typeof message === 'string' && BROKEN.test(message)) ||
    message === ON_A_REPLICA;
  return isAway ? notConnected(error) : undefined;
}

/** Whatever the reason: an expired certificate, or a database that is closed for maintenance. */
export function notConnected(cause: unknown): ConnectError {
  return unreachable('The service cannot reach its database.', AGAIN_S, cause);
}

/** Before the disk is full, so that what is stored can still be read. */
export function noRoom(cause?: unknown): ConnectError {
  return unreachable('The service has no room to store anything.', FULL_S, cause);
}

/** Nothing that has a time can be judged. */
export function clocksApart(): ConnectError {
  return unreachable('The clocks of the service and of its database are apart.', FULL_S);
}

/** The server committed alone: with a failover it would be lost. */
export function notReplicated(): ConnectError {
  return unreachable('The service does not know whether its database keeps what was stored.', AGAIN_S);
}

function unreachable(what: string, retryAfter: number, cause?: unknown): ConnectError {
  return new ConnectError(
    'service.unreachable',
    `${what} Try again in ${retryAfter} s, with the same Idempotency-Key if you sent one.`,
    { retryAfter },
    { cause },
  );
}
