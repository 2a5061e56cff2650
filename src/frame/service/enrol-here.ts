import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { tellSite } from '../wallets/site-wallets.ts';

/** Brings in the user's wallets that were made elsewhere, if the user wants to. */
export async function enrolHere(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const { enrolIfWanted } = await import('./service-account-flow.ts');
  if (await enrolIfWanted(frame, options)) await tellSite(frame.link, frame.networks, vault);
}
