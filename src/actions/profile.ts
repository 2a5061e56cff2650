import type { Profile } from '../api/profile.ts';
import type { Context } from './context.ts';
import type { CallOptions, ConnectOptions } from './types.ts';

/**
 * The user, as the wallet service knows them. Without the service, the answer describes this browser, and reveals
 * whether it has a PIN only to a page with a linked wallet.
 */
export async function profile(
  { host, record }: Context,
  { getAccessToken }: ConnectOptions,
  options: CallOptions,
): Promise<Profile> {
  if (getAccessToken) return host.read('profile', {}, options);
  return {
    userId: 'browser',
    hasMasterPin: record.read().wallets.length > 0,
    username: null,
    email: null,
    firstName: null,
    lastName: null,
  };
}
