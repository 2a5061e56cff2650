/** Ethereum: what it shares with GoChain, and networks named by the site. */
import { evmBadInput } from './evm-bad-input.ts';
import { type EvmNames, small } from './evm-names.ts';
import { evmScenarios } from './evm.ts';
import type { ChainScenarios } from './scenario.ts';

const SMALL = small('ETH_TRANSACTION');

const NAMES: EvmNames = {
  secretType: 'ETHEREUM',
  coin: 'ether',
  tokenStandard: 'ERC-20',
  coinRequest: 'ETH_TRANSACTION',
  tokenRequest: 'ETHEREUM_ERC20_TRANSACTION',
  transactionSignature: 'ETHEREUM_TRANSACTION',
  rawSignature: 'ETHEREUM_RAW',
  typedSignature: 'ETHEREUM_TYPED_DATA',
};

export const ethereum: ChainScenarios = {
  ...evmScenarios(NAMES, {
    gasPrice: {
      id: 'legacy-transaction',
      title: 'Gas price given',
      hint: 'gasPrice makes it a type-0 transaction.',
      payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 3000000000 } }),
    },
    feeOverCeiling: {
      id: 'fee-over-ceiling',
      title: 'Fee over ceiling',
      hint: 'A gas price far above the network’s ceiling needs its own tick.',
      payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 5000000000000 } }),
    },
    more: [
      {
        id: 'custom-network',
        title: 'Custom network',
        hint: 'The site names the node. The approval says so.',
        payload: ({ network }) => ({
          action: 'execute',
          request: {
            ...SMALL,
            network: { name: 'My test network', nodeUrl: network.nodes[0], chainId: network.chainId },
          },
        }),
      },
      {
        id: 'custom-network-lies',
        title: 'Wrong chain id',
        hint: 'The node is of another chain than the request says: request.invalid at network.chainId.',
        fails: 'request.invalid',
        payload: ({ network }) => ({
          action: 'execute',
          request: {
            ...SMALL,
            network: { name: 'Free test network', nodeUrl: network.nodes[0], chainId: 1 },
          },
        }),
      },
    ],
  }),
  faucet: {
    ETH: 'Get test ether',
    DUSD: 'Get Demo Dollars',
    DCENT: 'Get Demo Cents',
    NFT: 'Get a ticket',
    ITEM: 'Get items',
  },
  badInput: evmBadInput(NAMES, [
    { path: 'network', values: ['mainnet', 7] },
    {
      path: 'network.nodeUrl',
      field: 'network',
      values: [
        { name: 'Mine', chainId: 31337 },
        { name: 'Mine', nodeUrl: 'node', chainId: 31337 },
      ],
    },
  ]),
};
