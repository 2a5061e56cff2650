/**
 * `networks.json` of the demo: the local networks, and the public ones of `public.json` without their nodes, so that the demo never
 * contacts them. They only name chain ids.
 */
import { fileURLToPath } from 'node:url';
import { readNetworks } from '../../service/networks/networks-file.ts';
import type { Network, Networks } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';

/** A starting point for operators. */
export const PUBLIC_NETWORKS = readNetworks(fileURLToPath(new URL('public.json', import.meta.url)));

const REPORTED_ACCOUNT = '0x000000000000000000000000000000000000bad1';

/** Addresses on a fraud list. Nobody has their keys. */
export const REPORTED: { [S in SecretType]?: string } = {
  ETHEREUM: REPORTED_ACCOUNT,
  GOCHAIN: REPORTED_ACCOUNT,
  VECHAIN: REPORTED_ACCOUNT,
  BITCOIN: 'bcrt1qhsc0784t4n5fglakj6gy3qpe0u7ace0v6jwrxw',
  LITECOIN: 'rltc1qhsc0784t4n5fglakj6gy3qpe0u7ace0vyl523s',
  TRON: 'TT8GjTrrAuHENbXiU9m6veS1NjALSEcydn',
  AETERNITY: 'ak_2UL2dxz7sb6ksizkquJ4tDfXagxHYwV2vKkqZBc3XBE64BPNj2',
};

export function demoNetworks(...local: Network[]): Networks {
  const named = PUBLIC_NETWORKS.networks.map((network) => ({ ...network, nodes: [] }));
  return {
    customNodes: true,
    networks: [...local, ...named],
    reported: [...new Set(Object.values(REPORTED))].map((address) => address.toLowerCase()),
  };
}
