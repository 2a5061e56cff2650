import { LITECOIN } from '../../../../src/chains/litecoin/profile.ts';
import { loadPayloads } from '../../../../src/chains/index.ts';
import { describePayloads } from '../utxo/payload-table.ts';

const payloads = await loadPayloads('LITECOIN');

describePayloads({
  params: LITECOIN,
  payloads,
  addresses: [
    ['ltc1qytnqzjknvv03jwfgrsmzt0ycmwqgl0asjnaxwu', 2940],
    ['LWPvWpD86JNrBVGiju377iuShKGPq5AmoV', 5460],
    ['MX9ZMoqAQ7ATem77pCPTfeCP1n93YaLekd', 5400],
    ['3L1YkZjdeNSqaZcNKZFXQfyokx3zVYm7r6', 5400],
  ],
  testnet: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
  foreign: [
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'is a Bitcoin address, not a Litecoin one'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'is a Bitcoin address, not a Litecoin one'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'is a Tron address, not a Litecoin one'],
    ['ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', 'is an Aeternity address, not a Litecoin one'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'not a Litecoin one'],
    [`ltcmweb1${'q'.repeat(110)}`, 'private (MWEB) address'],
  ],
  feeField: 'feePerKiloByte',
  fees: [
    [1000, '1000'],
    ['12500', '12500'],
    [100_000n, '100000'],
    [1e7, '10000000'],
    [1000.5, '1001'],
  ],
  badFees: [0, 999, 998.5, -1, 10_000_001, 'fast', true, Number.NaN, {}],
});
