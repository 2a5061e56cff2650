/** Bitcoin and Litecoin on litecoind in regtest. */
import { litecoindPath, startBitcoinNetwork } from '../../demo/networks/bitcoin.ts';
import { startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import { group } from '../groups.ts';
import { BITCOIN_SCENE, LITECOIN_SCENE, utxoFlows, type Words } from './flows/utxo.ts';

const words: Words = {
  wrongSignature: /script-verify-flag/,
  spent: /bad-txns-inputs-missingorspent/,
  dust: /dust/,
  lowFee: /min relay fee not met/,
  notATransaction: /^400 \* sendrawtransaction RPC error: \{"code":-22,"message":"TX decode failed/,
};
const missing = litecoindPath() ? false : 'litecoind is not installed';

for (const scene of [
  { ...BITCOIN_SCENE, start: startBitcoinNetwork },
  { ...LITECOIN_SCENE, start: startLitecoinNetwork },
])
  group(`${scene.params.secretType} on a local node`, missing, () => utxoFlows({ ...scene, words }));
