/** The wallets that receive an application's payments. */
import { sql } from 'kysely';
import type { PutReceivingWallet, ReceivingWallet } from '../../../src/api/receiving-wallet.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../../src/chains/network.ts';
import { usableNetworks } from '../../../src/chains/nodes/networks.ts';
import { CARDS } from '../../../src/chains/secret-type.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import type { ReceivingWalletRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { readyPrices } from '../../prices/prices.ts';
import { confirmationsOn } from './confirmations.ts';
import { addressAt, checkPayable } from './payable-address.ts';

type Parts = Pick<Service, 'db' | 'networks' | 'payments'>;

/** Test payments never pay for live sessions, nor the reverse. */
export function fitsMoney({ kind }: Pick<Network, 'kind'>, livemode: boolean): boolean {
  return (kind === 'mainnet') === livemode;
}

/** Throws `request.invalid` with every field that is wrong. */
export async function putReceivingWallet(
  { db, networks, payments }: Parts,
  applicationId: string,
  body: PutReceivingWallet,
): Promise<ReceivingWallet> {
  const issues: Issue[] = [];
  const network = networkOf(networks.file, body, payments.livemode, issues);
  const address = addressAt('address', body.address, body.secretType, issues);
  const token = tokenOf(body, issues);
  if (address) checkPayable('address', address, network, issues);
  if (network) {
    if (token) checkToken(network, token, issues);
    else if (token === '') checkPriced(network, '', 'network', issues);
  }
  if (issues.length > 0 || !network || address === undefined || token === undefined)
    throw new RequestInvalidError(issues);
  const row = await db
    .insertInto('receiving_wallets')
    .values({
      application_id: applicationId,
      secret_type: body.secretType,
      network: network.id,
      token_address: token,
      address,
      confirmations: body.confirmations ?? confirmationsOn(network, body.secretType),
    })
    .onConflict((on) =>
      on.column('application_id').doUpdateSet((is) => ({
        secret_type: is.ref('excluded.secret_type'),
        network: is.ref('excluded.network'),
        token_address: is.ref('excluded.token_address'),
        address: is.ref('excluded.address'),
        confirmations: is.ref('excluded.confirmations'),
        // Setting the same wallet again keeps its date.
        created_at: sql<Date>`case when (receiving_wallets.network, receiving_wallets.token_address, receiving_wallets.address)
          = (excluded.network, excluded.token_address, excluded.address)
          then receiving_wallets.created_at else now() end`,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return describe(row);
}

/** Empty for the coin. */
function tokenOf({ tokenAddress, secretType }: PutReceivingWallet, issues: Issue[]): string | undefined {
  if (tokenAddress === undefined) return '';
  if (CARDS[secretType].tokens) return addressAt('tokenAddress', tokenAddress, secretType, issues);
  issues.push({ path: 'tokenAddress', message: `must be absent: ${secretType} is paid in its coin` });
  return undefined;
}

function networkOf(
  file: Parameters<typeof usableNetworks>[0],
  { secretType, network: id }: PutReceivingWallet,
  livemode: boolean,
  issues: Issue[],
): Network | undefined {
  const fitting = usableNetworks(file, secretType).filter((network) => fitsMoney(network, livemode));
  const network = id === undefined ? fitting[0] : fitting.find((network) => network.id === id);
  if (network) return network;
  const of = `a ${livemode ? 'live network' : 'test network'} of ${secretType}, with nodes: this service takes ${livemode ? 'real money' : 'test payments'}`;
  issues.push(
    id === undefined
      ? { path: 'secretType', message: `has no network here that could be used: it must have ${of}` }
      : { path: 'network', message: `must be ${of}` },
  );
  return undefined;
}

function checkToken(network: Network, address: string, issues: Issue[]): void {
  const token = listedToken(network.tokens, address);
  if (!token) issues.push({ path: 'tokenAddress', message: `must be a token that ${network.id} lists` });
  // Less arrives than was sent, so no amount would ever match.
  else if (token.transferFee !== undefined)
    issues.push({ path: 'tokenAddress', message: 'must not be a token that takes a share of what is sent' });
  else checkPriced(network, address, 'tokenAddress', issues);
}

function checkPriced(network: Network, token: string, path: string, issues: Issue[]): void {
  const prices = [...readyPrices(network).values()];
  if (prices.length === 0)
    issues.push({ path: 'network', message: 'has no prices in networks.json: the operator can add them' });
  else if (!prices.some(({ source, entry }) => source.canPrice(entry, network, token)))
    issues.push({ path, message: 'has no exchange that could give a price' });
}

export async function findReceivingWallet(
  db: Parts['db'],
  applicationId: string,
): Promise<ReceivingWalletRow | undefined> {
  return db
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
}

/** Throws `request.not-found`. */
export async function readReceivingWallet(db: Parts['db'], applicationId: string): Promise<ReceivingWallet> {
  const row = await findReceivingWallet(db, applicationId);
  if (!row) throw new ConnectError('request.not-found', 'No receiving wallet is set.');
  return describe(row);
}

export async function deleteReceivingWallet(db: Parts['db'], applicationId: string): Promise<void> {
  await db.deleteFrom('receiving_wallets').where('application_id', '=', applicationId).execute();
}

function describe(row: ReceivingWalletRow): ReceivingWallet {
  return {
    secretType: row.secret_type,
    network: row.network,
    tokenAddress: row.token_address || null,
    address: row.address,
    confirmations: row.confirmations,
    createdAt: row.created_at.toISOString(),
  };
}
