/** The wallets that receive an application's payments. */
import { type Insertable, sql, type Transaction } from 'kysely';
import type { PutReceivingWallet, ReceivingWallet } from '../../../src/api/receiving-wallet.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../../src/chains/network.ts';
import { usableNetworks } from '../../../src/chains/nodes/networks.ts';
import { CARDS } from '../../../src/chains/secret-type.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import { audit } from '../../audit/audit-log.ts';
import type { Database } from '../../database/database.ts';
import type { ReceivingWalletRow, ReceivingWallets, Schema } from '../../database/schema.ts';
import type { KeyProvider } from '../../keys/key-provider.ts';
import type { Service } from '../../service.ts';
import { readyPrices } from '../../prices/prices.ts';
import { recordReceivingWallet } from '../../webhooks/record-event.ts';
import { addressAt, checkPayable } from './payable-address.ts';
import { describeKey, hasKey, readKey } from './receiving-keys.ts';

export type Setting = Pick<Service, 'db' | 'keys' | 'networks' | 'payments'>;

/**
 * Of mainnets; others need one. Tron's blocks are final with the last of them; Aeternity's come every three minutes, Bitcoin's every ten, and
 * Litecoin's, which cost less to replace, every two and a half.
 */
const MAINNET_CONFIRMATIONS: { readonly [S in ReceivingChain]?: number } = {
  AETERNITY: 3,
  BITCOIN: 2,
  LITECOIN: 6,
  TRON: 20,
};

export function confirmationsOn({ kind }: Network, secretType: ReceivingChain): number {
  return kind === 'mainnet' ? (MAINNET_CONFIRMATIONS[secretType] ?? 12) : 1;
}

/** Test payments never pay for live sessions, nor the reverse. */
export function fitsMoney({ kind }: Pick<Network, 'kind'>, livemode: boolean): boolean {
  return (kind === 'mainnet') === livemode;
}

/** Throws `request.invalid` with every field that is wrong. */
export async function putReceivingWallet(
  { db, keys, networks, payments }: Setting,
  applicationId: string,
  body: PutReceivingWallet,
): Promise<ReceivingWallet> {
  const issues: Issue[] = [];
  const network = networkFor(networks.file, body, payments.livemode, issues);
  const address = addressAt('address', body.address, body.secretType, issues);
  const token = tokenOf(body, issues);
  if (address) checkPayable('address', address, network, issues);
  if (network) {
    if (token) checkToken(network, token, issues);
    else if (token === '') checkPriced(network, '', 'network', issues);
  }
  if (issues.length > 0 || !network || address === undefined || token === undefined)
    throw new RequestInvalidError(issues);
  const wallet = {
    secret_type: body.secretType,
    network: network.id,
    token_address: token,
    address,
    confirmations: body.confirmations ?? confirmationsOn(network, body.secretType),
  };
  return db
    .transaction()
    .execute((tx) => storeWallet(tx, keys, { ...wallet, application_id: applicationId, key_id: null }));
}

/** What payments depend on. */
const FIELDS = ['secret_type', 'network', 'token_address', 'address', 'key_id', 'confirmations'] as const;

/** Sets the wallet, retires the key that it replaces, and tells the application and the audit log if anything is different now. */
export async function storeWallet(
  tx: Transaction<Schema>,
  keys: KeyProvider,
  wallet: Insertable<ReceivingWallets> & { key_id: string | null },
): Promise<ReceivingWallet> {
  const { application_id, ...fields } = wallet;
  const before = await lockWallet(tx, application_id);
  const row = await tx
    .insertInto('receiving_wallets')
    .values(wallet)
    .onConflict((on) =>
      on.column('application_id').doUpdateSet({
        ...fields,
        // Setting the same wallet again keeps its date.
        created_at: sql<Date>`case when (receiving_wallets.network, receiving_wallets.token_address, receiving_wallets.address)
          = (excluded.network, excluded.token_address, excluded.address)
          and receiving_wallets.key_id is not distinct from excluded.key_id
          then receiving_wallets.created_at else now() end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await retireKeys(tx, application_id, row.key_id);
  const answer = await describe(tx, row);
  if (!before || FIELDS.some((field) => before[field] !== row[field])) {
    await recordReceivingWallet(tx, application_id, { receiving_wallet: answer });
    await noteChange(tx, keys, row, 'receiving-wallet.set');
  }
  return answer;
}

/** Changes to the wallet and the keys of an application are made one after the other. */
export async function lockAccount(tx: Database, applicationId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
}

/** The wallet as it is, which nobody changes until the transaction ends. */
async function lockWallet(tx: Database, applicationId: string): Promise<ReceivingWalletRow | undefined> {
  await lockAccount(tx, applicationId);
  return tx
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
}

/** No new session gets an address of a key that is not set any more. */
async function retireKeys(tx: Database, applicationId: string, kept: string | null): Promise<void> {
  await tx
    .updateTable('receiving_keys')
    .set({ retired_at: new Date(Date.now()) })
    .where('application_id', '=', applicationId)
    .where('retired_at', 'is', null)
    .$if(kept !== null, (keys) => keys.where('id', '<>', kept!))
    .execute();
}

/** Last in the transaction: see `audit`. */
async function noteChange(
  tx: Transaction<Schema>,
  keys: KeyProvider,
  row: ReceivingWalletRow,
  action: 'receiving-wallet.set' | 'receiving-wallet.removed',
): Promise<void> {
  const { application_id: application, network, token_address, address, confirmations } = row;
  const key = hasKey(row) ? await readKey(tx, row.key_id) : undefined;
  await audit(tx, keys, {
    actor: application,
    action,
    subject: `client:${application}`,
    details: {
      network,
      ...(token_address && { token: token_address }),
      ...(key ? { key: key.id, fingerprint: key.fingerprint, firstAddress: key.addresses[0] } : { address }),
      confirmations,
    },
  });
}

/** Empty for the coin. */
function tokenOf({ tokenAddress, secretType }: PutReceivingWallet, issues: Issue[]): string | undefined {
  if (tokenAddress === undefined) return '';
  if (CARDS[secretType].tokens) return addressAt('tokenAddress', tokenAddress, secretType, issues);
  issues.push({ path: 'tokenAddress', message: `must be absent: ${secretType} is paid in its coin` });
  return undefined;
}

/** The network of the request that can be used for the money that the service takes. */
export function networkFor(
  file: Parameters<typeof usableNetworks>[0],
  { secretType, network: id }: { secretType: ReceivingChain; network?: string | undefined },
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

export function checkPriced(network: Network, token: string, path: string, issues: Issue[]): void {
  const prices = [...readyPrices(network).values()];
  if (prices.length === 0)
    issues.push({ path: 'network', message: 'has no prices in networks.json: the operator can add them' });
  else if (!prices.some(({ source, entry }) => source.canPrice(entry, network, token)))
    issues.push({ path, message: 'has no exchange that could give a price' });
}

export async function findReceivingWallet(
  db: Database,
  applicationId: string,
): Promise<ReceivingWalletRow | undefined> {
  return db
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
}

/** Throws `request.not-found`. */
export async function readReceivingWallet(db: Database, applicationId: string): Promise<ReceivingWallet> {
  const row = await findReceivingWallet(db, applicationId);
  if (!row) throw new ConnectError('request.not-found', 'No receiving wallet is set.');
  return describe(db, row);
}

export async function deleteReceivingWallet(
  { db, keys }: Pick<Service, 'db' | 'keys'>,
  applicationId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockWallet(tx, applicationId);
    if (!row) return;
    await tx.deleteFrom('receiving_wallets').where('application_id', '=', applicationId).execute();
    await retireKeys(tx, applicationId, null);
    await recordReceivingWallet(tx, applicationId, { receiving_wallet: null });
    await noteChange(tx, keys, row, 'receiving-wallet.removed');
  });
}

async function describe(db: Database, row: ReceivingWalletRow): Promise<ReceivingWallet> {
  const key = hasKey(row) ? describeKey(await readKey(db, row.key_id)) : undefined;
  return {
    secretType: row.secret_type,
    network: row.network,
    tokenAddress: row.token_address || null,
    address: key?.addresses[0] ?? row.address,
    confirmations: row.confirmations,
    ...(key && { key }),
    createdAt: row.created_at.toISOString(),
  };
}
