import type { ChainCard } from '../card.ts';

export const card = {
  name: 'VeChain',
  coin: { symbol: 'VET', decimals: 18 },
  gasCoin: { symbol: 'VTHO', decimals: 18 },
  unit: 'wei',
  otherScheme: 'vet',
  reserve: { transfer: '2' },
  transactions: ['VET_TRANSACTION', 'VTHO_TRANSACTION', 'VECHAIN_VIP180_TRANSACTION'],
  signatures: ['VECHAIN_TRANSACTION', 'VECHAIN_CERTIFICATE'],
  data: 'hex',
  tokens: true,
  contracts: 'vechain',
  hash: /^0x[0-9a-f]{64}$/i,
  addresses: 'hex',
  privateKey: { keystore: true },
  signs: 'genesis',
  confirmations: 12,
  badge: { path: 'm6.5 7 5.5 10.5L17.5 7', color: '#2d6f9f' },
} as const satisfies ChainCard;
