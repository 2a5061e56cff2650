/** The network that a request about a wallet is for: the wallet's default one, or another of its kind that the request names. */
import { RequestInvalidError } from '../../src/base/errors.ts';
import { networkOn } from '../../src/chains/nodes/networks.ts';
import type { Home } from '../../src/chains/secret-type.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { networksOfClient } from '../auth/clients.ts';
import type { WalletRow } from '../database/schema.ts';
import type { Principal } from '../http/principal.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import type { Service } from '../service.ts';

type Placed = Pick<WalletRow, 'secret_type' | 'network'>;
type Named = string | null | undefined;

export function homeOf({ secret_type: secretType, network }: Placed): Home {
  return { secretType, network: network ?? undefined };
}

/** The wallet as it is on the network that a read names. Throws `request.invalid` at `network` if it is not on it. */
export function walletOn<W extends Placed>({ file }: ServiceNetworks, wallet: W, named: Named): W {
  return named == null ? wallet : { ...wallet, network: networkOn(file, homeOf(wallet), named).id };
}

/** A network that is not the wallet's default one, and the field of the request that names it. */
export interface OtherNetwork {
  id: string;
  field: string;
}

/** Undefined for the wallet's default network. Throws `request.invalid` at `field` if the wallet is not on the one that is named. */
export function otherNetwork(
  networks: ServiceNetworks,
  wallet: Placed,
  named: Named,
  field = 'network',
): OtherNetwork | undefined {
  if (named == null) return undefined;
  try {
    const { id } = networkOn(networks.file, homeOf(wallet), named);
    return id === networks.idOf(wallet) ? undefined : { id, field };
  } catch (error) {
    if (!(error instanceof RequestInvalidError)) throw error;
    throw invalid(field, error.issues[0]!.message);
  }
}

/**
 * Throws `request.invalid` at the network's field if wallets may not be used there through the client. One whose networks the operator has
 * not chosen uses its own wallets on their default networks only; its users, who approve each transaction, use theirs on all.
 */
export async function requireUsable(
  { db }: Pick<Service, 'db'>,
  { applicationId, isApplication, networks: ofIssuer }: Principal,
  other: OtherNetwork | undefined,
): Promise<void> {
  if (!other) return;
  const chosen = ofIssuer ?? (await networksOfClient(db, applicationId));
  if (chosen ? chosen.includes(other.id) : !isApplication) return;
  throw invalid(
    other.field,
    `is for ${other.id}, where this client may not use wallets: the operator allows it with npm run service:client -- networks <client id> <network> …`,
  );
}

/** Both, before anything is prepared to be signed on the network. The wallet as it is there. */
export async function usableOn<W extends Placed>(
  service: Pick<Service, 'db' | 'networks'>,
  principal: Principal,
  wallet: W,
  named: Named,
): Promise<W> {
  await requireUsable(service, principal, otherNetwork(service.networks, wallet, named));
  return walletOn(service.networks, wallet, named);
}
