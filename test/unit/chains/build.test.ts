/** Native requests, built: the same on every chain. */
import { expect } from '@open-wc/testing';
import type { Chain } from '../../../src/chains/chain.ts';
import type { Node } from '../../../src/chains/terms.ts';
import { loadChain, loadPayloads } from '../../../src/chains/index.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';

const HEX = `0x${'11'.repeat(20)}`;
const TRON = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const AE = 'ak_11111111111111111111111111111111273Yts';

const NATIVE: [SecretType, object][] = [
  ['ETHEREUM', { type: 'ETH_TRANSACTION', to: HEX, value: 5n, gas: 21_000n, gasPrice: 7n, nonce: 3 }],
  ['ETHEREUM', { type: 'ETHEREUM_ERC20_TRANSACTION', to: HEX, value: 1e21, tokenAddress: HEX }],
  ['GOCHAIN', { type: 'GO_TRANSACTION', to: HEX, value: '5', gasPrice: '2000000000000' }],
  [
    'VECHAIN',
    { type: 'VET_TRANSACTION', clauses: [{ to: HEX, amount: 5n, data: '0x01' }], gas: 50_000, nonce: '0x1' },
  ],
  ['VECHAIN', { type: 'VECHAIN_VIP180_TRANSACTION', clauses: [{ to: HEX, amount: 5, tokenAddress: HEX }] }],
  ['BITCOIN', { type: 'BTC_TRANSACTION', to: BITCOIN, value: 10_000n, feePerByte: 12.25 }],
  ['TRON', { type: 'TRX_TRANSACTION', to: TRON, value: 5n, data: 'Thanks' }],
  ['TRON', { type: 'TRC10_TRANSACTION', to: TRON, value: 5, token: '1002000' }],
  [
    'TRON',
    {
      type: 'TRON_CONTRACT_EXECUTION',
      to: TRON,
      value: 5n,
      functionName: 'set',
      inputs: [{ type: 'uint256', value: 2n ** 100n }],
    },
  ],
  ['AETERNITY', { type: 'AE_TRANSACTION', to: AE, value: 5n, fee: 10n ** 18n, ttl: 7 }],
];

describe('a native request that is built', () => {
  for (const [secretType, fields] of NATIVE)
    it(`goes through JSON, with amounts as decimal text: ${(fields as { type: string }).type}`, async () => {
      const [chain, payloads] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
      const request = { walletId: 'w', ...fields };
      const built = await (chain as Chain).build(payloads.parse(request), '', {} as Node);
      expect(JSON.parse(JSON.stringify(built))).to.deep.equal(built);
      const amounts = JSON.stringify(built).match(/"(?:value|amount|gas|gasPrice|fee|feePerByte)":"\d+/g);
      expect(amounts).to.have.length.greaterThan(0);
      expect(await chain.build(payloads.parse(built), '', {} as Node)).to.deep.equal(built);
    });
});
