/** Bitcoin: satoshis, fee rates per byte, every address type. */
import type { ChainScenarios } from './scenario.ts';
import { bitcoinBadInput } from './utxo-bad-input.ts';
import { utxoScenarios } from './utxo.ts';

export const bitcoin: ChainScenarios = {
  ...utxoScenarios({
    secretType: 'BITCOIN',
    type: 'BTC_TRANSACTION',
    value: '0.0025',
    feeField: 'feePerByte',
    feeRate: 12.5,
    rateHint: 'feePerByte: 12.5 satoshi for each virtual byte. The approval shows the rate and the change.',
    feeOverCeiling: 1_000,
    recipient: 'bcrt1q06426mzd9qmrsxm5qyfzfse8az8ukdxgkhwtv2',
    addresses: {
      P2PKH: 'mzauNcyfqcMUoqpue1YB6ffr2zL66m3fmm',
      P2SH: '2MvPfWB42F3vsdYJVcJtjTXAjHpMossXafA',
      P2WSH: 'bcrt1qmgr0syt78uphjr985uttngr5apah27tclz2z4aa0gj88utj3474qq7x53w',
      P2TR: 'bcrt1py86860fy7p52u9cnzth2tka46x5fuqcnthuwrvkgaar98ux6fdxqnyl2k6',
    },
  }),
  faucet: { BTC: 'Get test bitcoin' },
  badInput: bitcoinBadInput,
};
