/** The demo's local Litecoin: litecoind in regtest behind Esplora's HTTP API. See `esplora.ts` for what is missing. */
import { networks } from 'bitcoinjs-lib';
import { type LocalUtxo, startLocalUtxo } from './esplora.ts';
import { LITECOIN_REGTEST, startLitecoind } from './litecoind.ts';
import type { LocalNetworkOptions } from './local-network.ts';

export { litecoindPath } from './litecoind-path.ts';

export function startLitecoinNetwork({ port }: LocalNetworkOptions): Promise<LocalUtxo> {
  return startLocalUtxo({
    asset: 'LTC',
    gift: 10n * 10n ** 8n,
    network: {
      id: 'litecoin-local',
      secretType: 'LITECOIN',
      name: 'Local Litecoin',
      kind: 'local',
      feeCeiling: '1000000',
    },
    encodings: [LITECOIN_REGTEST, { ...networks.regtest, bech32: 'rltc' }],
    start: () => startLitecoind(),
    port,
    setting: 'LITECOIN_PORT',
  });
}
