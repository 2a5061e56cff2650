import type { ChainCard } from '../card.ts';

export const card = {
  name: 'Bitcoin',
  coin: { symbol: 'BTC', decimals: 8 },
  unit: 'satoshi',
  reserve: { transfer: '0.0001' },
  transactions: ['BTC_TRANSACTION'],
  signatures: ['BITCOIN_MESSAGE'],
  data: 'text',
  tokens: false,
  hash: /^[0-9a-f]{64}$/i,
  addresses: [
    // Bech32 is all lower or all upper case (BIP-173).
    /^((bc|tb|bcrt)1[02-9ac-hj-np-z]{11,}|(BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,})$/,
    // Litecoin has 2, 3, m and n, too. It rules its own forms out before it asks.
    /^[123mn][1-9A-HJ-NP-Za-km-z]{24,34}$/,
  ],
  uriScheme: 'bitcoin',
  addressPerNetwork: true,
  privateKey: { wif: ['K', 'L'], keystore: false },
  confirmations: 3,
  confirmation: { from: 10, to: 60, unit: 'minutes' },
  badge: { path: 'M9 6.5v11m0-11h3.6a2.6 2.6 0 0 1 0 5.3H9m0 0h4.2a2.8 2.8 0 0 1 0 5.7H9', color: '#a5610f' },
} as const satisfies ChainCard;
