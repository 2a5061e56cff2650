/** The block reader of each chain. */
import { BITCOIN } from '../../../src/chains/bitcoin/params.ts';
import { LITECOIN } from '../../../src/chains/litecoin/params.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { aeternityBlocks } from './aeternity-blocks.ts';
import type { BlockReader } from './block-reader.ts';
import { evmBlocks } from './evm-blocks.ts';
import { tronBlocks } from './tron-blocks.ts';
import { utxoBlocks } from './utxo-blocks.ts';
import { vechainBlocks } from './vechain-blocks.ts';

export const BLOCK_READERS: Readonly<Record<SecretType, BlockReader>> = {
  AETERNITY: aeternityBlocks,
  BITCOIN: utxoBlocks(BITCOIN),
  ETHEREUM: evmBlocks,
  GOCHAIN: evmBlocks,
  LITECOIN: utxoBlocks(LITECOIN),
  TRON: tronBlocks,
  VECHAIN: vechainBlocks,
};
