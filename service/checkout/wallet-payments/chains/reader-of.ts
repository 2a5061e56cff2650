/** The reader of each chain. */
import type { ReceivingChain } from '../../../../src/api/secret-type.ts';
import type { ChainCard } from '../../../../src/chains/card.ts';
import { CARDS } from '../../../../src/chains/secret-type.ts';
import { aeternityReader } from './aeternity-reader.ts';
import type { ChainReader } from './chain-reader.ts';
import { evmReader } from './evm-reader.ts';
import { tronReader } from './tron-reader.ts';
import { vechainReader } from './vechain-reader.ts';

/** Of chains whose contracts are of one kind. */
const BY_CONTRACTS: Record<NonNullable<ChainCard['contracts']>, ChainReader> = {
  evm: evmReader,
  vechain: vechainReader,
};

export function readerOf(chain: ReceivingChain): ChainReader {
  if (chain === 'TRON') return tronReader;
  if (chain === 'AETERNITY') return aeternityReader;
  return BY_CONTRACTS[CARDS[chain].contracts!];
}
