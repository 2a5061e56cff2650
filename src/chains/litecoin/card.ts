import type { ChainCard } from '../card.ts';

export const card = {
  name: 'Litecoin',
  coin: { symbol: 'LTC', decimals: 8 },
  unit: 'satoshi',
  reserve: { transfer: '0.001' },
  transactions: ['LTC_TRANSACTION'],
  signatures: ['LITECOIN_MESSAGE'],
  data: 'text',
  tokens: false,
  hash: /^[0-9a-f]{64}$/i,
  addresses: [
    /^((ltc|tltc|rltc|ltcmweb|tmweb)1[02-9ac-hj-np-z]{11,}|(LTC|TLTC|RLTC|LTCMWEB|TMWEB)1[02-9AC-HJ-NP-Z]{11,})$/,
    /^[LMQ][1-9A-HJ-NP-Za-km-z]{25,33}$/,
  ],
  uriScheme: 'litecoin',
  addressPerNetwork: true,
  privateKey: { wif: ['T'], keystore: false },
  confirmations: 6,
  confirmation: { from: 3, to: 15, unit: 'minutes' },
  badge: { path: 'M9 6.5v11h7.5', color: '#4f6b82' },
} as const satisfies ChainCard;
