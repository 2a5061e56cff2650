/** A network whose blocks a test mines, and on which a transaction needs several of them. */
import type { Anvil } from '../../demo/networks/anvil.ts';
import type { Network } from '../../src/chains/network.ts';

export const NEEDED = 3;

export function networkOf({ url }: Pick<Anvil, 'url'>): Network {
  return {
    id: 'chain',
    secretType: 'ETHEREUM',
    name: 'Chain',
    kind: 'local',
    chainId: 31337,
    nodes: [url],
    tokens: [],
    confirmations: NEEDED,
  };
}
