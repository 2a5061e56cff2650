/** The demo's local Ethereum. */
import { parseEther } from 'ethers';
import { CHAIN_ID } from './anvil.ts';
import { type LocalEvm, startLocalEvm } from './evm.ts';
import type { LocalNetworkOptions } from './local-network.ts';

export type LocalEthereum = LocalEvm<'ETH'>;

export function startEthereum({ port, anvil }: LocalNetworkOptions): Promise<LocalEthereum> {
  return startLocalEvm({
    coin: 'ETH',
    network: {
      id: 'ethereum-local',
      secretType: 'ETHEREUM',
      name: 'Local Ethereum',
      kind: 'local',
      chainId: CHAIN_ID,
      feeCeiling: parseEther('0.05').toString(),
    },
    anvil,
    port,
    setting: 'ETHEREUM_PORT',
  });
}
