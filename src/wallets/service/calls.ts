/** Calls to the wallet service from users' wallets: with the page's token, this device's proof, and a timeout. */
import { apiClient } from '../../api/client.ts';
import type { Profile } from '../../api/token.ts';
import type { Answer, Input, Route } from '../../api/route.ts';
import { readProfile } from '../../api/routes.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Device } from './device.ts';

export interface ServiceOptions {
  /** Base URL. */
  url: string;
  /** `expired`: the previous one has expired. Undefined if the page has none. */
  accessToken(expired: boolean): Promise<string | undefined>;
  fetch?: typeof fetch;
  /** Timeouts in milliseconds, of reads and of all other calls. */
  readMs?: number;
  workMs?: number;
}

export interface CallService {
  /** `key`: `Idempotency-Key`. */
  <R extends Route>(route: R, input: Input<R>, key?: string): Promise<Answer<R>>;
  /** Milliseconds since 1970, corrected by the service's clock if its answers show that ours is wrong. */
  now(): number;
}

/** Throws the error that the service's answer names, `service.unreachable`, or `token.expired` if the page has no token. */
export function callService(
  { url, accessToken, fetch, readMs = 8000, workMs = 30_000 }: ServiceOptions,
  device: Device,
): CallService {
  let current: Promise<string> | undefined;
  const client = apiClient({
    url,
    ...(fetch && { fetch }),
    getAccessToken(refused) {
      // Concurrent calls that find it expired ask the page only once.
      const request = (expired: boolean): Promise<string> => {
        const answer = accessToken(expired).then(assertToken);
        answer.catch(() => current === answer && (current = undefined));
        return (current = answer);
      };
      if (!current) return request(refused !== undefined);
      const before = current;
      return before.then((token) =>
        token === refused ? (current === before ? request(true) : current!) : token,
      );
    },
  });
  let ahead = 0;
  const call = async <R extends Route>(route: R, input: Input<R>, key?: string): Promise<Answer<R>> => {
    const signal = AbortSignal.timeout(route.method === 'GET' ? readMs : workMs);
    try {
      return await client.call(route, input, {
        signal,
        ...(key !== undefined && { idempotencyKey: key }),
        ...(route.proof && {
          prove: (outgoing) => {
            ahead = outgoing.now * 1000 - Math.floor(Date.now() / 1000) * 1000;
            return device.prove(outgoing);
          },
        }),
      });
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      throw new ConnectError('service.unreachable', `The wallet service at ${url} did not answer in time.`);
    }
  };
  return Object.assign(call, { now: () => Date.now() + ahead });
}

/** The token's user; read without the vault. */
export function readProfileOf(options: ServiceOptions): Promise<Profile> {
  const none = () => Promise.reject(new Error('Reading proves nothing.'));
  const noDevice = { prove: none, thumbprint: none };
  return callService(options, noDevice)(readProfile, {});
}

function assertToken(token: string | undefined): string {
  if (token !== undefined) return token;
  throw new ConnectError(
    'token.expired',
    'The site gave no access token for the wallet service. Sign in there again.',
  );
}
