/** The reader of each kind of contracts. */
import type { ReceivingChain } from '../../../../src/api/secret-type.ts';
import type { ChainCard } from '../../../../src/chains/card.ts';
import { CARDS } from '../../../../src/chains/secret-type.ts';
import type { ChainReader } from './chain-reader.ts';
import { evmReader } from './evm-reader.ts';
import { vechainReader } from './vechain-reader.ts';

const READERS: Record<NonNullable<ChainCard['contracts']>, ChainReader> = {
  evm: evmReader,
  vechain: vechainReader,
};

export function readerOf(chain: ReceivingChain): ChainReader {
  return READERS[CARDS[chain].contracts!];
}
