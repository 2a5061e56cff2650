/** What can be swapped, for how much, and the transactions that do it: docs/swaps.md. */
import type { CreateSwap } from '../../src/api/swap.ts';
import * as routes from '../../src/api/routes.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import * as exchanges from '../../src/swaps/index.ts';
import type { Principal } from '../http/principal.ts';
import { archived } from '../custody/wallet-errors.ts';
import { serve } from '../http/serve.ts';
import type { Reach } from '../networks/service-networks.ts';
import type { Area, Service } from '../service.ts';
import { type StoredWallet, walletOf } from '../wallets/stored-wallets.ts';
import { NodeQueries } from '../concurrency/node-queries.ts';

export const swaps: Area = (app, { db, networks }) => {
  const queries = new NodeQueries();

  /** Undefined when the service has no node: nothing can be swapped on such a network. */
  const reachOf = async (secretType: SecretType, network: string | null): Promise<Reach | undefined> =>
    networks.has(secretType, network) ? networks.reach(secretType, network) : undefined;
  const placeOf = (secretType: SecretType, network: string | null): string =>
    networks.idOf({ secret_type: secretType, network }) ?? '';

  serve(app, routes.swapPairs, async ({ params, principal }) => {
    const { secret_type: secretType, network } = await walletOf(db, principal, params.id);
    const reach = await reachOf(secretType, network);
    return reach ? queries.run(placeOf(secretType, network), () => exchanges.swapPairs(reach)) : [];
  });

  serve(app, routes.swapRates, async ({ query: { walletId, ...query }, principal }) => {
    const wallet = walletId === undefined ? undefined : await walletOf(db, principal, walletId);
    if (wallet) checkChain(wallet, query);
    const network = wallet?.network ?? null;
    // NEO is a value of the interface, but has no network.
    return queries.runShared(placeOf(query.fromSecretType as SecretType, network), query, () =>
      exchanges.swapRates(query, (secretType) => reachOf(secretType, network)),
    );
  });

  serve(app, routes.createSwap, async ({ params, body, principal }) => {
    if (body.walletId !== params.id) throw invalid('walletId', "must be the path's id");
    const wallet = await walletOf(db, principal, params.id);
    checkChain(wallet, body);
    if (wallet.archived_at) throw archived();
    const { secret_type: secretType, network, address: from } = wallet;
    const to = await recipientOf({ db, networks }, principal, body, wallet);
    return queries.run(placeOf(secretType, network), () =>
      exchanges.createSwap(body, { from, to }, (of) => reachOf(of, network)),
    );
  });
};

function checkChain(
  { secret_type: own }: StoredWallet,
  { fromSecretType }: Pick<CreateSwap, 'fromSecretType'>,
): void {
  if (own !== fromSecretType) throw invalid('fromSecretType', `must be ${own}, as the wallet's`);
}

/**
 * The address that gets the output. It must be a wallet that the caller may see: knowing a wallet's id must not reveal its address.
 * Throws `wallet.forbidden`, and `request.invalid` for one that cannot take the output.
 */
async function recipientOf(
  { db, networks }: Pick<Service, 'db' | 'networks'>,
  principal: Principal,
  { destinationWalletId: id, toSecretType }: CreateSwap,
  wallet: StoredWallet,
): Promise<string> {
  if (id == null) return wallet.address;
  const to = await walletOf(db, principal, id);
  if (to.secret_type !== toSecretType)
    throw invalid('destinationWalletId', `must be a wallet of ${toSecretType}`);
  if (to.archived_at) throw invalid('destinationWalletId', 'is archived: restore it first');
  if (to.secret_type === wallet.secret_type && networks.idOf(to) !== networks.idOf(wallet))
    throw invalid('destinationWalletId', 'must be on the same network as the wallet');
  return to.address;
}
