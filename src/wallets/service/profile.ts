import type { Profile } from '../../api/profile.ts';
import { readProfile } from '../../api/routes.ts';
import { callService, type ServiceOptions } from './calls.ts';

/** The token's user; read without the vault. */
export function readProfileOf(options: ServiceOptions): Promise<Profile> {
  const none = () => Promise.reject(new Error('Reading proves nothing.'));
  const noDevice = { prove: none, thumbprint: none };
  return callService(options, noDevice)(readProfile, {});
}
