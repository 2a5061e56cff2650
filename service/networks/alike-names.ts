/** Names of networks that people could take for one another. */
import type { Network } from '../../src/chains/network.ts';
import { isAlike } from '../../src/chains/contracts/token-facts.ts';

/**
 * Networks of one chain whose names look alike are shown with their ids: `Base (base)` and `Base (base-2)`. An approval would otherwise not
 * tell which of them it is for.
 */
export function toldApart(networks: readonly Network[]): Network[] {
  return networks.map((network) => {
    const { id, name, secretType } = network;
    const isShared = networks.some(
      (other) =>
        other !== network &&
        other.secretType === secretType &&
        (other.name.trim() === name.trim() || isAlike(other.name, name)),
    );
    return isShared ? { ...network, name: `${name} (${id})` } : network;
  });
}
