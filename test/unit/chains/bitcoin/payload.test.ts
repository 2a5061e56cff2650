import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { loadPayloads } from '../../../../src/chains/index.ts';
import { describePayloads } from '../utxo/payload-table.ts';

const payloads = await loadPayloads('BITCOIN');

describePayloads({
  params: BITCOIN,
  payloads,
  addresses: [
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 294],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 546],
    ['3L1YkZjdeNSqaZcNKZFXQfyokx3zVYm7r6', 540],
    ['bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 330],
    ['bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5', 330],
  ],
  testnet: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  foreign: [
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'is a Litecoin address, not a Bitcoin one'],
    ['LYWKqJhtPeGyBAw7WC8R3F7ovxtzAiubdM', 'is a Litecoin address, not a Bitcoin one'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'is a Tron address, not a Bitcoin one'],
    ['ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', 'is an Aeternity address, not a Bitcoin one'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'not a Bitcoin one'],
  ],
  feeField: 'feePerByte',
  fees: [
    [1, '1'],
    ['12.5', '12.5'],
    [3.125, '3.125'],
    [20n, '20'],
    [10_000, '10000'],
    // Rounded up: a rate is often worked out as a float.
    [1.1 * 1.1, '1.211'],
    ['1.2345', '1.235'],
    ['12.50000', '12.5'],
  ],
  badFees: [0, 0.5, '0.999', -1, 10_001, 10_000.0001, 'fast', true, Number.NaN, {}],
});
