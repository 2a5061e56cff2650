/** Resolves registered names through the wallet's own nodes. */
import { type ResolvedName, lookUp, NameProblem } from '../../chains/names/look-up.ts';
import type { Network } from '../../chains/network.ts';
import { isCustom, usableNetworks } from '../../chains/nodes/networks.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { msg, str } from '../../base/localize.ts';
import type { NodeReader } from '../frame.ts';

export { type ResolvedName as Found, NameProblem };

/** Throws `NameProblem`, and the node's errors. Never asks a node chosen by the site: it could return the site's own address. */
export async function lookUpName(frame: NodeReader, text: string, home: Network): Promise<ResolvedName> {
  const own = isCustom(home)
    ? usableNetworks(frame.networks, home.secretType).find(({ chainId }) => chainId === home.chainId)
    : home;
  if (!own) throw new NameProblem('no-registry', home.name);
  return lookUp(text, own, {
    networks: frame.networks,
    node: async (network) => (await frame.chain(network.secretType)).node(network),
  });
}

export function problemText({ reason, where }: NameProblem, { secretType, name }: Network): string {
  const chain = CHAIN_NAMES[secretType];
  switch (reason) {
    case 'form':
      return msg('This name cannot be right: a character in it is not allowed.');
    case 'other-chain':
      return msg(str`This name stands for an address on ${where}. This wallet is on ${name}.`);
    case 'unknown':
      return msg(str`This name has no ${chain} address. Ask the recipient for an address.`);
    case 'gateway':
      return msg(
        'A server outside the network keeps the address of this name. Ask the recipient for an address.',
      );
    case 'no-registry':
      return msg(str`${where} has no register of names. Enter an address.`);
  }
}
