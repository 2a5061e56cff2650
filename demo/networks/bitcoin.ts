/**
 * The demo's local Bitcoin: a second litecoind in regtest, since Debian has no Bitcoin node. Transactions, scripts and signatures are the
 * same on both, so what it accepts is validly signed; the addresses in Esplora's answers and the dust limits are Bitcoin's. Not covered:
 * what differs in blocks (2.5 minutes, scrypt, another genesis block) and the policy of newer Bitcoin nodes (full RBF, relay below
 * 1 sat/vB).
 */
import { networks } from 'bitcoinjs-lib';
import { type LocalUtxo, startLocalUtxo } from './esplora.ts';
import { startLitecoind } from './litecoind.ts';
import type { LocalNetworkOptions } from './local-network.ts';

export { litecoindPath } from './litecoind-path.ts';

/** The entry of `networks.json`. */
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
