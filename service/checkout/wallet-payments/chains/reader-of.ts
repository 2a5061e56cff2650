/** The reader of each chain. */
import type { AddressChain, KeyChain, ReceivingChain } from '../../../../src/api/secret-type.ts';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../../src/chains/litecoin/profile.ts';
import { aeternityReader } from './aeternity-reader.ts';
import type { ChainReader } from './chain-reader.ts';
import { evmReader } from './evm-reader.ts';
import { tronReader } from './tron-reader.ts';
import { type OutputReader, utxoReader } from './utxo-reader.ts';
import { vechainReader } from './vechain-reader.ts';

const OUTPUT_READERS: Record<KeyChain, OutputReader> = {
  BITCOIN: utxoReader(BITCOIN),
  LITECOIN: utxoReader(LITECOIN),
};

const READERS: Record<AddressChain, ChainReader> = {
  ETHEREUM: evmReader,
  GOCHAIN: evmReader,
  VECHAIN: vechainReader,
  AETERNITY: aeternityReader,
  TRON: tronReader,
};

export function readerOf(chain: ReceivingChain): ChainReader {
  return isKeyChain(chain) ? OUTPUT_READERS[chain] : READERS[chain];
}

/** Undefined on chains where an account's payments go to one address. */
export function outputReaderOf(chain: ReceivingChain): OutputReader | undefined {
  return isKeyChain(chain) ? OUTPUT_READERS[chain] : undefined;
}

function isKeyChain(chain: ReceivingChain): chain is KeyChain {
  return Object.hasOwn(OUTPUT_READERS, chain);
}
