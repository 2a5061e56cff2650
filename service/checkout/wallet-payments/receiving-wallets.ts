/** The wallets that receive an application's payments. */
import type { Transaction } from 'kysely';
import type {
  PutReceivingWallet,
  PutReceivingWallets,
  ReceivingWallet,
  ReceivingWallets,
} from '../../../src/api/receiving-wallet.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../../src/chains/network.ts';
import { usableNetworks } from '../../../src/chains/nodes/networks.ts';
import { CARDS } from '../../../src/chains/secret-type.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import { audit } from '../../audit/audit-log.ts';
import type { Database } from '../../database/database.ts';
import type { ReceivingWalletEntry, Schema } from '../../database/schema.ts';
import type { KeyProvider } from '../../keys/key-provider.ts';
import type { Service } from '../../service.ts';
import { readyPrices } from '../../prices/prices.ts';
import { recordReceivingWallets } from '../../webhooks/record-event.ts';
import { confirmationsOf } from './confirmations.ts';
import { addressAt, checkPayable } from './payable-address.ts';
import { describeKey, hasKey, readKey } from './receiving-keys.ts';

export type Setting = Pick<Service, 'db' | 'keys' | 'networks' | 'payments'>;
type NewEntry = Omit<ReceivingWalletEntry, 'created_at'>;

/** The tolerance is stored in hundredths of a percent. */
const HUNDREDTHS = 100;

/** As a wallet's entry has it. */
export function toleranceOf({ tolerance = 0 }: Pick<PutReceivingWallet, 'tolerance'>): number {
  return Math.round(tolerance * HUNDREDTHS);
}

/** Test payments never pay for live sessions, nor the reverse. */
export function fitsMoney({ kind }: Pick<Network, 'kind'>, livemode: boolean): boolean {
  return (kind === 'mainnet') === livemode;
}

/** A wallet that may be stored, or undefined: `issues` then names every field that is wrong, behind `at`. */
function entryOf(
  { networks, payments }: Pick<Setting, 'networks' | 'payments'>,
  body: PutReceivingWallet,
  at: string,
  issues: Issue[],
): NewEntry | undefined {
  const wrong: Issue[] = [];
  const network = networkFor(networks.file, body, payments.livemode, wrong);
  const address = addressAt('address', body.address, body.secretType, wrong);
  const token = tokenOf(body, wrong);
  if (address) checkPayable('address', address, network, wrong);
  if (network) {
    if (token) checkToken(network, token, wrong);
    else if (token === '') checkPriced(network, '', 'network', wrong);
  }
  issues.push(...wrong.map(({ path, message }) => ({ path: at + path, message })));
  if (wrong.length > 0 || !network || address === undefined || token === undefined) return undefined;
  return {
    secret_type: body.secretType,
    network: network.id,
    token_address: token,
    address,
    key_id: null,
    ...confirmationsOf(network, body),
    tolerance: toleranceOf(body),
  };
}

/** Sets the only wallet that has an address; those with a key stay, after it. Throws `request.invalid` with every field that is wrong. */
export async function putReceivingWallet(
  setting: Setting,
  applicationId: string,
  body: PutReceivingWallet,
): Promise<ReceivingWallet> {
  const issues: Issue[] = [];
  const entry = entryOf(setting, body, '', issues);
  if (!entry) throw new RequestInvalidError(issues);
  const [only] = await setAddresses(setting, applicationId, [entry]);
  return only!;
}

/**
 * Sets all of them that have an address, in their order; those with a key stay, after them. Throws `request.invalid` with every field that
 * is wrong, and changes nothing then.
 */
export async function putReceivingWallets(
  setting: Setting,
  applicationId: string,
  { wallets }: PutReceivingWallets,
): Promise<ReceivingWallets> {
  const issues: Issue[] = [];
  const entries = wallets.flatMap((body, i) => entryOf(setting, body, `wallets.${i}.`, issues) ?? []);
  if (issues.length > 0) throw new RequestInvalidError(issues);
  for (const [i, entry] of entries.entries())
    if (entries.findIndex((other) => isSameAsset(other, entry)) < i)
      issues.push({
        path: `wallets.${i}.${entry.token_address ? 'tokenAddress' : 'network'}`,
        message: 'is in the list already: a coin or token of a network has one wallet',
      });
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return { wallets: await setAddresses(setting, applicationId, entries) };
}

/** Removes all that have an address. */
export async function deleteReceivingWallets(
  setting: Pick<Setting, 'db' | 'keys'>,
  applicationId: string,
): Promise<void> {
  await setAddresses(setting, applicationId, []);
}

/** What a token may do: whatever it sets, the wallets that have a key stay. */
function setAddresses(
  { db, keys }: Pick<Setting, 'db' | 'keys'>,
  applicationId: string,
  entries: readonly NewEntry[],
): Promise<ReceivingWallet[]> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, applicationId);
    return storeWallets(tx, keys, { applicationId, by: 'token' }, (before) => [
      ...entries,
      ...before.filter(hasKey),
    ]);
  });
}

export function isSameAsset(
  one: Pick<ReceivingWalletEntry, 'network' | 'token_address'>,
  other: Pick<ReceivingWalletEntry, 'network' | 'token_address'>,
): boolean {
  return one.network === other.network && one.token_address === other.token_address;
}

/** From the wallets that are set to those that shall be. */
type Change = (before: readonly ReceivingWalletEntry[]) => readonly NewEntry[];

/** Who changes the wallets: an application, by a token, or by its client's secret, which alone may change those that have a key. */
interface Author {
  applicationId: string;
  by: 'token' | 'secret';
}

/**
 * Call it in a transaction that has locked the account. A wallet that is set again keeps its date, whatever its place. Retires keys that are
 * not set any more, and tells the application and the audit log if anything is different now.
 */
export async function storeWallets(
  tx: Transaction<Schema>,
  keys: KeyProvider,
  { applicationId, by }: Author,
  to: Change,
): Promise<ReceivingWallet[]> {
  const before = await findReceivingWallets(tx, applicationId);
  const now = new Date();
  const entries = to(before).map((entry): ReceivingWalletEntry => {
    const same = before.find(
      (each) => isSameAsset(each, entry) && each.address === entry.address && each.key_id === entry.key_id,
    );
    return { ...entry, created_at: same?.created_at ?? now };
  });
  const wallets = await describeAll(tx, entries);
  if (JSON.stringify(wallets) === JSON.stringify(await describeAll(tx, before))) return wallets;
  const [first, ...further] = entries;
  if (first) {
    const { confirmations_above: above } = first;
    const row = {
      ...first,
      confirmations_above: JSON.stringify(above ?? []),
      further: JSON.stringify(further),
    };
    await tx
      .insertInto('receiving_wallets')
      .values({ application_id: applicationId, ...row })
      .onConflict((on) => on.column('application_id').doUpdateSet(row))
      .execute();
  } else await tx.deleteFrom('receiving_wallets').where('application_id', '=', applicationId).execute();
  await retireKeys(tx, applicationId, entries);
  await recordReceivingWallets(tx, applicationId, { receiving_wallets: wallets });
  // Last in the transaction: see `audit`.
  await audit(tx, keys, {
    actor: applicationId,
    action: 'receiving-wallet.changed',
    subject: `account:${applicationId}`,
    details: { by, wallets: wallets.map(auditedWallet) },
  });
  return wallets;
}

/** Changes to the wallets and the keys of an application are made one after the other. */
export async function lockAccount(tx: Database, applicationId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
}

/** No new session gets an address of a key that is not set any more. */
async function retireKeys(
  tx: Database,
  applicationId: string,
  entries: readonly ReceivingWalletEntry[],
): Promise<void> {
  const kept = entries.flatMap(({ key_id }) => key_id ?? []);
  await tx
    .updateTable('receiving_keys')
    .set({ retired_at: new Date(Date.now()) })
    .where('application_id', '=', applicationId)
    .where('retired_at', 'is', null)
    .$if(kept.length > 0, (rows) => rows.where('id', 'not in', kept))
    .execute();
}

function auditedWallet(wallet: ReceivingWallet): Record<string, unknown> {
  const { network, tokenAddress: token, address, key, confirmations, confirmationsAbove, tolerance } = wallet;
  return {
    network,
    ...(token !== null && { token }),
    ...(key ? { key: key.id, fingerprint: key.fingerprint, firstAddress: address } : { address }),
    confirmations,
    ...(confirmationsAbove.length > 0 && { confirmationsAbove }),
    ...(tolerance > 0 && { tolerance }),
  };
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

/** In the order in which customers see them. */
export async function findReceivingWallets(
  db: Database,
  applicationId: string,
): Promise<ReceivingWalletEntry[]> {
  const row = await db
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  if (!row) return [];
  const { application_id: _, further, key_id, ...rest } = row;
  // A process of the previous release knows of neither keys nor further wallets: it may have put an address in place of a key, and have
  // made the first one the same as another.
  const first = { ...rest, key_id: rest.address ? null : key_id };
  const others = further.filter((each) => !isSameAsset(each, first));
  return [first, ...others.map((each) => ({ ...each, created_at: new Date(each.created_at) }))];
}

export async function readReceivingWallets(db: Database, applicationId: string): Promise<ReceivingWallets> {
  return { wallets: await describeAll(db, await findReceivingWallets(db, applicationId)) };
}

/** The first. Throws `request.not-found`. */
export async function readReceivingWallet(db: Database, applicationId: string): Promise<ReceivingWallet> {
  const [first] = await findReceivingWallets(db, applicationId);
  if (!first) throw new ConnectError('request.not-found', 'No receiving wallet is set.');
  return describe(db, first);
}

async function describeAll(
  db: Database,
  entries: readonly ReceivingWalletEntry[],
): Promise<ReceivingWallet[]> {
  const wallets: ReceivingWallet[] = [];
  for (const entry of entries) wallets.push(await describe(db, entry));
  return wallets;
}

async function describe(db: Database, entry: ReceivingWalletEntry): Promise<ReceivingWallet> {
  const key = hasKey(entry) ? describeKey(await readKey(db, entry.key_id)) : undefined;
  return {
    secretType: entry.secret_type,
    network: entry.network,
    tokenAddress: entry.token_address || null,
    address: key?.addresses[0] ?? entry.address,
    confirmations: entry.confirmations,
    confirmationsAbove: entry.confirmations_above ?? [],
    tolerance: entry.tolerance / HUNDREDTHS,
    ...(key && { key }),
    createdAt: entry.created_at.toISOString(),
  };
}
