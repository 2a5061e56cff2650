/**
 * The local Bitcoin of the demo. It is a second litecoind in regtest, not a Bitcoin node: Debian has none. Transactions, scripts and
 * signatures are the same on both, so what it accepts is well signed; the addresses in Esplora's answers are Bitcoin's, and its dust
 * limits are set to Bitcoin's. What differs and is not checked: Litecoin's blocks (2.5 minutes, proof of work by scrypt, another first
 * block) and the rules that only newer Bitcoin nodes have (full replacement, relay below 1 sat/vB).
 */
import { networks } from 'bitcoinjs-lib';
import { type LocalUtxo, startLocalUtxo } from './esplora.ts';
import { startLitecoind } from './litecoind.ts';
import type { LocalNetworkOptions } from './local-network.ts';

export { litecoindPath } from './litecoind.ts';

/** Of `networks.json`. */
export const NETWORK = {
  id: 'bitcoin-local',
  secretType: 'BITCOIN',
  name: 'Local Bitcoin',
  kind: 'local',
  feeCeiling: '100000',
} as const;

export function startBitcoinNetwork({ port }: LocalNetworkOptions): Promise<LocalUtxo> {
  return startLocalUtxo({
    asset: 'BTC',
    gift: 10n ** 7n,
    network: NETWORK,
    encodings: [networks.regtest],
    start: () => startLitecoind('-dustrelayfee=0.00003'),
    port,
    setting: 'BITCOIN_PORT',
  });
}
