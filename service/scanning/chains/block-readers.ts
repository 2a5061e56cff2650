/** The block readers of chains. Where there is none, wallets are not watched for deposits. */
import { BITCOIN } from '../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../src/chains/litecoin/profile.ts';
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { aeternityBlocks } from './aeternity-blocks.ts';
import type { BlockReader } from './block-reader.ts';
import { evmBlocks } from './evm-blocks.ts';
import { tronBlocks } from './tron-blocks.ts';
import { utxoBlocks } from './utxo-blocks.ts';
import { vechainBlocks } from './vechain-blocks.ts';

const READERS: Readonly<Partial<Record<SecretType, BlockReader>>> = {
  AETERNITY: aeternityBlocks,
  BITCOIN: utxoBlocks(BITCOIN),
  ETHEREUM: evmBlocks,
  GOCHAIN: evmBlocks,
  LITECOIN: utxoBlocks(LITECOIN),
  TRON: tronBlocks,
  VECHAIN: vechainBlocks,
};

/** Throws `chain.not-supported`. */
export function blockReaderOf(secretType: SecretType): BlockReader {
  const reader = READERS[secretType];
  if (reader) return reader;
  const message = `Blocks of ${CHAIN_NAMES[secretType]} are not searched for deposits.`;
  throw new ConnectError('chain.not-supported', message, { secretType });
}
