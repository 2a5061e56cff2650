/** `networks.json` of the demo. The public networks have no nodes here: they only give a chain id its name. */
import type { Network, Networks } from '../../src/chains/network.ts';

const NAMED: Network[] = [
  {
    id: 'ethereum',
    secretType: 'ETHEREUM',
    name: 'Ethereum mainnet',
    kind: 'mainnet',
    chainId: 1,
    nodes: [],
    explorer: 'https://etherscan.io/tx/',
    tokens: [],
    feeCeiling: '50000000000000000',
  },
  {
    id: 'ethereum-sepolia',
    secretType: 'ETHEREUM',
    name: 'Ethereum Sepolia',
    kind: 'testnet',
    chainId: 11155111,
    nodes: [],
    explorer: 'https://sepolia.etherscan.io/tx/',
    tokens: [],
  },
];

/** Nobody has the key: it stands for an address on a fraud list. */
export const REPORTED_ADDRESS = '0x000000000000000000000000000000000000bad1';

export function demoNetworks(local: Network): Networks {
  return { customNodes: true, networks: [local, ...NAMED], reported: [REPORTED_ADDRESS] };
}
