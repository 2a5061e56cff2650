import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { tellSite } from '../wallets/site-wallets.ts';

/** Enrols this device, if the user wants to, for wallets created elsewhere. */
export async function enrolHere(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const { enrolIfWanted } = await import('./service-account-flow.ts');
  if (await enrolIfWanted(frame, options)) await tellSite(frame.link, frame.networks, vault);
}
