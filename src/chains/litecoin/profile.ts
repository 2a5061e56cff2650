/**
 * Version bytes: https://github.com/litecoin-project/litecoin/blob/master/src/chainparams.cpp. P2SH addresses had Bitcoin's bytes (3, 2)
 * before they got their own (M, Q). The dust rate is ten times Bitcoin's (src/policy/policy.h).
 */
import { CARDS } from '../secret-type.ts';
import type { UtxoProfile } from '../utxo/profile.ts';

export const LITECOIN: UtxoProfile = {
  secretType: 'LITECOIN',
  type: 'LTC_TRANSACTION',
  coin: CARDS.LITECOIN.coin,
  slip44: 2,
  hrp: { mainnet: 'ltc', testnet: 'tltc', local: 'rltc' },
  p2pkh: { mainnet: 0x30, testnet: 0x6f, local: 0x6f },
  p2sh: { mainnet: [0x32, 0x05], testnet: [0x3a, 0xc4], local: [0x3a, 0xc4] },
  wif: { mainnet: 0xb0, testnet: 0xef, local: 0xef },
  base58: /^[LMQ23mn]/,
  beginsWith: 'ltc1, L, M or 3',
  dustRate: 30_000n,
  supply: 84_000_000n * 10n ** 8n,
  feeCeiling: 1_000_000n,
  feeField: { name: 'feePerKiloByte', decimals: 0, unit: '1000 bytes' },
};
