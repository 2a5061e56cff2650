import { ConnectError } from '../../base/errors.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Trouble } from '../ui/rows.ts';
import { tellSite } from '../shell/site-wallets.ts';

/** Why the user's service wallets are missing from a list. */
export async function readTrouble({ service }: Vault): Promise<Trouble> {
  const trouble = await service?.trouble();
  if (!trouble) return undefined;
  return trouble.code.startsWith('token.') ? 'signed-out' : 'unreachable';
}

/** Why a call to the service failed, if neither the call nor the user caused it. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ConnectError)) return undefined;
  if (error.code.startsWith('token.')) return 'signed-out';
  return error.code === 'service.unreachable' ? 'unreachable' : undefined;
}

/** Enrols this device, if the user wants to, for wallets created elsewhere. */
export async function enrolHere(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const { enrolIfWanted } = await import('./service-account-flow.ts');
  if (await enrolIfWanted(frame, options)) await tellSite(frame.link, frame.networks, vault);
}
