/** What an operator wants of a machine, from the options of the command. */
import { withPresets } from '../networks/presets.ts';
import { isWithin, readHostName, requireApart, WrongName } from './host-names.ts';
import type { Machine } from './production-files.ts';

export interface Wishes {
  shop: string;
  wallet: string;
  service?: string | undefined;
  network: readonly string[];
  embed?: string | undefined;
}

/** `home`: the folder that the units run in. Throws for the first option that is wrong, and names it. */
export function machineOf(options: Wishes, home: string): Machine {
  const shop = readHostName('--shop', options.shop);
  const wallet = readHostName('--wallet', options.wallet);
  const service = options.service === undefined ? undefined : readHostName('--service', options.service);
  requireApart({ '--shop': shop, '--wallet': wallet, ...(service && { '--service': service }) });
  const site = options.embed === undefined ? undefined : readHostName('--embed', options.embed);
  if (site && !(isWithin(shop, site) && isWithin(wallet, site)))
    throw new WrongName(
      `--embed ${site} must be a domain that --shop ${shop} and --wallet ${wallet} are both in`,
    );
  try {
    withPresets({ presets: options.network });
  } catch (error) {
    throw new WrongName(`--network: ${(error as Error).message}`);
  }
  // In units, a space or a percent sign would mean something else.
  if (!/^\/[\w./-]+$/.test(home))
    throw new Error(`move ${home} to a folder such as /srv/carabiner, without spaces`);
  return { shop, wallet, service, site, networks: options.network, home };
}
