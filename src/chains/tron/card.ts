import type { ChainCard } from '../card.ts';

export const card = {
  name: 'Tron',
  coin: { symbol: 'TRX', decimals: 6 },
  unit: 'sun',
  reserve: { transfer: '1.5', swap: '25' },
  transactions: ['TRX_TRANSACTION', 'TRC10_TRANSACTION', 'TRON_CONTRACT_EXECUTION'],
  signatures: ['TRON_MESSAGE'],
  data: 'text',
  tokens: true,
  contracts: 'tron',
  tokenId: /^[1-9]\d{0,18}$/,
  hash: /^[0-9a-f]{64}$/i,
  addresses: [/^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$/],
  privateKey: { keystore: false },
  confirmations: 20,
  badge: { path: 'M6.5 7.5h11M12 7.5v10', color: '#a63b3b' },
} as const satisfies ChainCard;
