/** Bitcoin on btcd in regtest. */
import { startBtcdNetwork } from '../../demo/networks/real/btcd.ts';
import { BITCOIN_SCENE, utxoFlows } from '../conformance/flows/utxo.ts';
import { onNode } from './on-node.ts';

onNode('Bitcoin on btcd', () =>
  utxoFlows({
    ...BITCOIN_SCENE,
    start: startBtcdNetwork,
    words: {
      wrongSignature: /script-verify-flag|signature/,
      spent: /missing ?or ?spent|orphan/,
      dust: /dust/,
      lowFee: /fees? .*(not met|below|required)|insufficient/,
      notATransaction: /^400 \* sendrawtransaction RPC error: \{"code":-22/,
    },
  }),
);
