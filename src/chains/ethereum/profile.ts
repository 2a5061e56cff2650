import { CARDS } from '../secret-type.ts';
import type { EvmProfile } from '../evm/profile.ts';

export const ETHEREUM: EvmProfile = {
  secretType: 'ETHEREUM',
  coin: CARDS.ETHEREUM.coin,
  slip44: 60,
  coinRequest: 'ETH_TRANSACTION',
  tokenRequest: 'ETHEREUM_ERC20_TRANSACTION',
  transactionSignature: 'ETHEREUM_TRANSACTION',
  rawSignature: 'ETHEREUM_RAW',
  typedSignature: 'ETHEREUM_TYPED_DATA',
  tokenStandard: 'ERC20',
  legacy: false,
  minGasPrice: 0n,
  /** Geth, `txMaxSize`. */
  maxSize: 128 * 1024,
  feeCeiling: 10n ** 17n,
  customNetwork: true,
};
