/** The chains that share their code, with the profile of each. */
import { BITCOIN } from '../src/chains/bitcoin/profile.ts';
import { ETHEREUM } from '../src/chains/ethereum/profile.ts';
import { evmChain } from '../src/chains/evm/index.ts';
import { evmPayloads } from '../src/chains/evm/payload.ts';
import { GOCHAIN } from '../src/chains/gochain/profile.ts';
import { LITECOIN } from '../src/chains/litecoin/profile.ts';
import { utxoChain } from '../src/chains/utxo/index.ts';
import { utxoPayloads } from '../src/chains/utxo/payload.ts';

export const bitcoin = utxoChain(BITCOIN);
export const bitcoinPayloads = utxoPayloads(BITCOIN);
export const ethereum = evmChain(ETHEREUM);
export const ethereumPayloads = evmPayloads(ETHEREUM);
export const gochain = evmChain(GOCHAIN);
export const gochainPayloads = evmPayloads(GOCHAIN);
export const litecoin = utxoChain(LITECOIN);
export const litecoinPayloads = utxoPayloads(LITECOIN);
