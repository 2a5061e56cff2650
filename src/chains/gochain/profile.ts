import { CARDS } from '../secret-type.ts';
import type { EvmProfile } from '../evm/profile.ts';

/** A fork of Ethereum's Petersburg with its own gas price: https://github.com/gochain/gochain (5.0.12) */
export const GOCHAIN: EvmProfile = {
  secretType: 'GOCHAIN',
  coin: CARDS.GOCHAIN.coin,
  slip44: 6060,
  coinRequest: 'GO_TRANSACTION',
  tokenRequest: 'GOCHAIN_GO20_TRANSACTION',
  transactionSignature: 'GOCHAIN_TRANSACTION',
  rawSignature: 'GOCHAIN_RAW',
  typedSignature: 'GOCHAIN_TYPED_DATA',
  tokenStandard: 'GO20',
  legacy: true,
  /** 2000 gwei, since its Darvaza fork. */
  minGasPrice: 2_000_000_000_000n,
  maxSize: 32 * 1024,
  /** 10 GO: 5 million gas at the lowest price. */
  feeCeiling: 10n ** 19n,
  customNetwork: false,
};
