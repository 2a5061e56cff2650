/** What can be swapped, for how much, and the transactions that do it: docs/swaps.md. */
import type { CreateSwap } from '../../src/api/swap.ts';
import * as routes from '../../src/api/routes.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';
import * as exchanges from '../../src/swaps/index.ts';
import type { Principal } from '../http/principal.ts';
import { archived } from '../custody/wallet-errors.ts';
import { serve } from '../http/serve.ts';
import type { Reach } from '../networks/service-networks.ts';
import type { Area, Service } from '../service.ts';
import { type StoredWallet, walletOf } from '../wallets/stored-wallets.ts';
import { otherNetwork, requireUsable, usableOn, walletOn } from '../wallets/wallet-network.ts';
import { NodeQueries } from '../concurrency/node-queries.ts';

export const swaps: Area = (app, { db, networks }) => {
  const queries = new NodeQueries();

  /** Undefined when the service has no node: nothing can be swapped on such a network. */
  const reachOf = async (secretType: SecretType, network: string | null): Promise<Reach | undefined> =>
    networks.has(secretType, network) ? networks.reach(secretType, network) : undefined;
  const placeOf = (secretType: SecretType, network: string | null): string =>
    networks.idOf({ secret_type: secretType, network }) ?? '';

  serve(app, routes.swapPairs, async ({ params, query, principal }) => {
    const wallet = await walletOf(db, principal, params.id);
    const { secret_type: secretType, network } = walletOn(networks, wallet, query.network);
    const reach = await reachOf(secretType, network);
    if (!reach) return [];
    const crossChain = await networks.crossChain();
    return queries.run(placeOf(secretType, network), () => exchanges.swapPairs(reach, crossChain));
  });

  serve(app, routes.swapRates, async ({ query: { walletId, network: named, ...query }, principal }) => {
    const wallet = walletId === undefined ? undefined : await walletOf(db, principal, walletId);
    if (wallet) checkChain(wallet, query);
    // NEO is a value of the interface, but has no network.
    const secretType = query.fromSecretType as SecretType;
    const home = wallet ?? { secret_type: secretType, network: null };
    const { network } = Object.hasOwn(CARDS, secretType) ? walletOn(networks, home, named) : home;
    const crossChain = await networks.crossChain();
    return queries.runShared(placeOf(secretType, network), query, () =>
      exchanges.swapRates(query, (of) => reachOf(of, network), { crossChain }),
    );
  });

  serve(app, routes.createSwap, async ({ params, body, principal }) => {
    if (body.walletId !== params.id) throw invalid('walletId', "must be the path's id");
    const stored = await walletOf(db, principal, params.id);
    checkChain(stored, body);
    if (stored.archived_at) throw archived();
    const { network: named, ...order } = body;
    const wallet = await usableOn({ db, networks }, principal, stored, named);
    const { secret_type: secretType, network, address: from } = wallet;
    const crossChain = await networks.crossChain();
    const place = placeOf(secretType, network);
    const there =
      secretType === body.toSecretType ? networks.idOf(wallet) : arrivalOf(crossChain, body, place);
    const to = await recipientOf({ db, networks }, principal, body, { wallet, there });
    const requests = await queries.run(place, () =>
      exchanges.createSwap(order, { from, to }, (of, other) => reachOf(of, other ?? network), crossChain),
    );
    return named == null ? requests : requests.map((request) => ({ ...request, network: named }));
  });
};

function checkChain(
  { secret_type: own }: StoredWallet,
  { fromSecretType }: Pick<CreateSwap, 'fromSecretType'>,
): void {
  if (own !== fromSecretType) throw invalid('fromSecretType', `must be ${own}, as the wallet's`);
}

/** Id of the network on which the output arrives; undefined where nothing swaps to the chain. */
function arrivalOf(
  crossChain: Awaited<ReturnType<Service['networks']['crossChain']>>,
  { exchange, toSecretType }: CreateSwap,
  place: string,
): string | undefined {
  const pairs = crossChain.filter(({ name }) => name === exchange).flatMap((each) => each.pairs(place));
  return pairs.find(([, to]) => to.secretType === toSecretType)?.[1].network;
}

/**
 * The address that gets the output, on the network `there`. It must be a wallet that the caller may see: knowing a wallet's id must not
 * reveal its address. Throws `wallet.forbidden`, and `request.invalid` for one that cannot take the output.
 */
async function recipientOf(
  { db, networks }: Pick<Service, 'db' | 'networks'>,
  principal: Principal,
  { destinationWalletId: id, toSecretType }: CreateSwap,
  { wallet, there }: { wallet: StoredWallet; there: string | undefined },
): Promise<string> {
  if (id == null) return wallet.address;
  const to = await walletOf(db, principal, id);
  if (to.secret_type !== toSecretType)
    throw invalid('destinationWalletId', `must be a wallet of ${toSecretType}`);
  if (to.archived_at) throw invalid('destinationWalletId', 'is archived: restore it first');
  // What arrives where the client may not use the wallet would be stuck there.
  await requireUsable({ db }, principal, otherNetwork(networks, to, there, 'destinationWalletId'));
  return to.address;
}
