import type { Network, Networks } from '../../chains/network.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import type { NewHome } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';

/** The networks of which a new wallet has to be made on one: where it is on all of them anyway, its default one is the first. */
export function homesOf(networks: Networks, secretType: SecretType): Network[] {
  const usable = usableNetworks(networks, secretType);
  return CARDS[secretType].addressPerNetwork ? usable : usable.slice(0, 1);
}

/** The network of a new wallet: the only one, or the user's choice. Undefined on Back. */
export async function chooseHome(
  frame: Frame,
  secretType: SecretType,
  options: OpenOptions,
): Promise<NewHome | undefined> {
  const network = await chooseNetwork(frame, homesOf(frame.networks, secretType), options);
  return network && homeOn(frame.networks, network);
}

/** The only one, or the user's choice. Undefined on Back, and if there is none. */
export async function chooseNetwork(
  frame: Frame,
  networks: readonly Network[],
  options: OpenOptions,
  heading?: string,
): Promise<Network | undefined> {
  if (networks.length < 2) return networks[0];
  const { ChooseNetworkView } = await import('./choose-network-view.ts');
  const view = Object.assign(new ChooseNetworkView(), { networks, chosen: networks[0] });
  if (heading) view.heading = heading;
  const { type } = await frame.stage.open(view, options).next('cbf-continue', 'cbf-back');
  return type === 'cbf-continue' ? view.chosen : undefined;
}

export function homeOn(networks: Networks, network: Network): NewHome {
  const { id, kind, secretType } = network;
  return { id, kind, first: usableNetworks(networks, secretType)[0] === network };
}
