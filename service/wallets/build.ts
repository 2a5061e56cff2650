/** Building a native transaction request of an intent (spec 4.3.1). */
import { buildTransaction } from '../../src/api/routes.ts';
import type { Node } from '../../src/chains/chain.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import { JsonRpc } from '../../src/chains/json-rpc.ts';
import { isCustom, type NetworkChoice, networkFor } from '../../src/chains/networks.ts';
import { invalid } from '../../src/chains/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { archived } from '../custody/failures.ts';
import { serve } from '../http/serve.ts';
import type { ServiceNetworks } from '../networks.ts';
import { type Outbound, RefusedAddress } from '../outbound/outbound.ts';
import type { Area } from '../service.ts';
import { walletOf } from './stored-wallets.ts';

/** The node that a request names, through the guard, else the service's own. */
async function nodeOf(
  networks: ServiceNetworks,
  outbound: Outbound,
  secretType: SecretType,
  choice: NetworkChoice | null | undefined,
): Promise<Node> {
  const network = networkFor(networks.file, { secretType }, choice);
  if (!isCustom(network)) return (await networks.reach(secretType)).node;
  try {
    for (const url of network.nodes) outbound.check(new URL(url));
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid('network.nodeUrl', 'must be on the public internet');
    throw error;
  }
  return new JsonRpc(network, { fetch: outbound.fetch });
}

export const build: Area = (app, { db, networks, outbound }) => {
  serve(app, buildTransaction, async ({ body, principal }) => {
    // NEO is a value of the interface; this refuses it.
    const secretType = body.secretType as SecretType;
    const [chain, payloads] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
    const wallet = await walletOf(db, principal, body.walletId);
    if (wallet.secret_type !== secretType)
      throw invalid('secretType', `must be ${wallet.secret_type}, as the wallet's`);
    if (wallet.archived_at) throw archived();
    const request = payloads.parse(body);
    const node = await nodeOf(
      networks,
      outbound,
      secretType,
      request['network'] as NetworkChoice | undefined,
    );
    return chain.build(request, wallet.address, node);
  });
};
