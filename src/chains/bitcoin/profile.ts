/** Version bytes: https://github.com/bitcoin/bitcoin/blob/master/src/kernel/chainparams.cpp */
import { CARDS } from '../secret-type.ts';
import type { UtxoProfile } from '../utxo/profile.ts';

export const BITCOIN: UtxoProfile = {
  secretType: 'BITCOIN',
  type: 'BTC_TRANSACTION',
  coin: CARDS.BITCOIN.coin,
  slip44: 0,
  hrp: { mainnet: 'bc', testnet: 'tb', local: 'bcrt' },
  p2pkh: { mainnet: 0x00, testnet: 0x6f, local: 0x6f },
  p2sh: { mainnet: [0x05], testnet: [0xc4], local: [0xc4] },
  wif: { mainnet: 0x80, testnet: 0xef, local: 0xef },
  base58: /^[123mn]/,
  beginsWith: 'bc1, 1 or 3',
  dustRate: 3_000n,
  supply: 21_000_000n * 10n ** 8n,
  feeCeiling: 100_000n,
  feeField: { name: 'feePerByte', decimals: 3, unit: 'byte' },
};
