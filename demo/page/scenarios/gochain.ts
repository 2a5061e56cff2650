/** GoChain: what it shares with Ethereum, at its own prices. */
import { NO_NETWORK } from './bad-input.ts';
import { evmBadInput } from './evm-bad-input.ts';
import { type EvmNames, small } from './evm-names.ts';
import { evmScenarios } from './evm.ts';
import type { ChainScenarios } from './scenario.ts';

const SMALL = small('GO_TRANSACTION');

const NAMES: EvmNames = {
  secretType: 'GOCHAIN',
  coin: 'GO',
  tokenStandard: 'GO20',
  coinRequest: 'GO_TRANSACTION',
  tokenRequest: 'GOCHAIN_GO20_TRANSACTION',
  transactionSignature: 'GOCHAIN_TRANSACTION',
  rawSignature: 'GOCHAIN_RAW',
  typedSignature: 'GOCHAIN_TYPED_DATA',
};

export const gochain: ChainScenarios = {
  ...evmScenarios(NAMES, {
    gasPrice: {
      id: 'gas-price',
      title: 'Gas price given',
      hint: '3000 gwei per gas; the network takes 2000 at least.',
      payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 3000000000000 } }),
    },
    feeOverCeiling: {
      id: 'fee-over-ceiling',
      title: 'Fee over ceiling',
      hint: 'Take coins twice first: a fee of more than 10 GO needs its own tick.',
      payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 500000000000000 } }),
    },
  }),
  faucet: {
    GO: 'Get test GO',
    DUSD: 'Get Demo Dollars',
    DCENT: 'Get Demo Cents',
    NFT: 'Get a ticket',
    ITEM: 'Get items',
  },
  badInput: evmBadInput(NAMES, [
    NO_NETWORK,
    // Below the network's minimum.
    { path: 'gasPrice', values: [1999999999999] },
  ]),
};
