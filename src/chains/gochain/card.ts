import type { ChainCard } from '../card.ts';

export const card = {
  name: 'GoChain',
  coin: { symbol: 'GO', decimals: 18 },
  unit: 'wei',
  reserve: { transfer: '0.1', swap: '1' },
  transactions: ['GO_TRANSACTION', 'GOCHAIN_GO20_TRANSACTION'],
  signatures: ['GOCHAIN_TRANSACTION', 'GOCHAIN_RAW', 'GOCHAIN_TYPED_DATA'],
  data: 'hex',
  tokens: true,
  contracts: 'evm',
  hash: /^0x[0-9a-f]{64}$/i,
  addresses: 'hex',
  privateKey: { keystore: true },
  signs: 'chainId',
  confirmations: 12,
  badge: { path: 'M16.6 8.6A5.4 5.4 0 1 0 17.4 12.6H13', color: '#1f7a63' },
} as const satisfies ChainCard;
