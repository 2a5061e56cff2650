import type { ChainCard } from '../card.ts';

export const card = {
  name: 'Aeternity',
  coin: { symbol: 'AE', decimals: 18 },
  unit: 'aettos',
  otherScheme: 'ae',
  reserve: { transfer: '0.0001' },
  transactions: ['AE_TRANSACTION'],
  signatures: ['AETERNITY_MESSAGE'],
  data: 'text',
  tokens: false,
  hash: /^th_[1-9A-HJ-NP-Za-km-z]{38,60}$/,
  addresses: [/^(ak|ct)_[1-9A-HJ-NP-Za-km-z]{38,53}$/],
  privateKey: { secret: 'sk_', keystore: true },
  signs: 'genesis',
  confirmations: 10,
  badge: {
    path: 'M12 12H7.8a2.6 2.6 0 1 0 0 5.2c2.4 0 4.2-2 4.2-5.2V9.7a2.7 2.7 0 0 0-4.8-1.7M12 12h6.2c0-3-1.3-5-3.2-5s-3 1.7-3 4.3v1.7c0 2.6 1.5 4.2 3.5 4.2 1.2 0 2.1-.5 2.7-1.4',
    color: '#9a3570',
  },
} as const satisfies ChainCard;
