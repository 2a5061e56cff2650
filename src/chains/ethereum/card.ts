import type { ChainCard } from '../card.ts';

export const card = {
  name: 'Ethereum',
  coin: { symbol: 'ETH', decimals: 18 },
  unit: 'wei',
  reserve: { transfer: '0.001', swap: '0.01' },
  transactions: ['ETH_TRANSACTION', 'ETHEREUM_ERC20_TRANSACTION'],
  signatures: ['ETHEREUM_TRANSACTION', 'ETHEREUM_RAW', 'ETHEREUM_TYPED_DATA'],
  data: 'hex',
  tokens: true,
  nonFungibles: true,
  contracts: 'evm',
  hash: /^0x[0-9a-f]{64}$/i,
  addresses: 'hex',
  privateKey: { keystore: true },
  signs: 'chainId',
  confirmations: 12,
  confirmation: { from: 15, to: 30, unit: 'seconds' },
  badge: { path: 'M7.5 7.5h9M9 12h6M7.5 16.5h9', color: '#4b5a8c' },
} as const satisfies ChainCard;
