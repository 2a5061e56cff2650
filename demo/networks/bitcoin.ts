/**
 * The local Bitcoin of the demo. It is a second litecoind in regtest, not a Bitcoin node: Debian has none. Transactions, scripts and
 * signatures are the same on both, so what it accepts is well signed; the addresses in Esplora's answers are Bitcoin's, and its dust
 * limits are set to Bitcoin's. What differs and is not checked: Litecoin's blocks (2.5 minutes, proof of work by scrypt, another first
 * block) and the rules that only newer Bitcoin nodes have (full replacement, relay below 1 sat/vB).
 */
import { networks } from 'bitcoinjs-lib';
import { type LocalUtxo, startLocalUtxo } from './esplora.ts';
import type { LocalNetworkOptions } from './local-network.ts';

export { litecoindPath } from './litecoind.ts';

export function startBitcoinNetwork({ port }: LocalNetworkOptions): Promise<LocalUtxo> {
  return startLocalUtxo({
    asset: 'BTC',
    gift: 10n ** 7n,
    network: {
      id: 'bitcoin-local',
      secretType: 'BITCOIN',
      name: 'Local Bitcoin',
      kind: 'local',
      feeCeiling: '100000',
    },
    encodings: [networks.regtest],
    litecoind: ['-dustrelayfee=0.00003'],
    port,
    setting: 'BITCOIN_PORT',
  });
}
