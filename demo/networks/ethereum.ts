/** The local Ethereum of the demo. */
import { parseEther } from 'ethers';
import { CHAIN_ID } from './anvil.ts';
import { type LocalEvm, startLocalEvm } from './evm.ts';

export type LocalEthereum = LocalEvm<'ETH'>;

export function startEthereum({ port }: { port: number }): Promise<LocalEthereum> {
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
    port,
    setting: 'ETHEREUM_PORT',
  });
}
