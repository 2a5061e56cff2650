/** The reader of each chain. */
import type { AddressChain, ReceivingChain } from '../../../../src/api/secret-type.ts';
import { aeternityReader } from './aeternity-reader.ts';
import type { ChainReader } from './chain-reader.ts';
import { evmReader } from './evm-reader.ts';
import { tronReader } from './tron-reader.ts';
import { vechainReader } from './vechain-reader.ts';

const READERS: Record<AddressChain, ChainReader> & { readonly [S in ReceivingChain]?: ChainReader } = {
  ETHEREUM: evmReader,
  GOCHAIN: evmReader,
  VECHAIN: vechainReader,
  AETERNITY: aeternityReader,
  TRON: tronReader,
};

export function readerOf(chain: ReceivingChain): ChainReader {
  const reader = READERS[chain];
  if (!reader) throw new Error(`No payments are read on ${chain}.`);
  return reader;
}
