/** Litecoin: satoshis, fee rates per 1000 bytes, both encodings of its script addresses. */
import type { ChainScenarios } from './scenario.ts';
import { litecoinBadInput } from './utxo-bad-input.ts';
import { utxoScenarios } from './utxo.ts';

export const litecoin: ChainScenarios = {
  ...utxoScenarios({
    secretType: 'LITECOIN',
    type: 'LTC_TRANSACTION',
    value: '0.25',
    feeField: 'feePerKiloByte',
    feeRate: 20_000,
    rateHint:
      'feePerKiloByte: 20,000 satoshi for 1000 virtual bytes. The approval shows the rate and the change.',
    feeOverCeiling: 9_000_000,
    recipient: 'rltc1qmvg62qauasfqe07xhdepnu80u9tk59htahkkfd',
    addresses: {
      P2PKH: 'mzauNcyfqcMUoqpue1YB6ffr2zL66m3fmm',
      P2SH: 'QPkRdBvGG9yxmj4YEQvkYDcASCodpnctMB',
      'P2SH of the older form': '2MvPfWB42F3vsdYJVcJtjTXAjHpMossXafA',
      P2WSH: 'rltc1qzcfvk3skdttd04yst39r62zkckj95r2y3ej3ke24u6ntfcvf474qclrdut',
      P2TR: 'rltc1py86860fy7p52u9cnzth2tka46x5fuqcnthuwrvkgaar98ux6fdxqm844eh',
    },
  }),
  faucet: { LTC: 'Get test litecoin' },
  badInput: litecoinBadInput,
};
