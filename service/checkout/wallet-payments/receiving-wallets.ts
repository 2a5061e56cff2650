/** The wallets that receive an application's payments. */
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
import type { ReceivingWalletEntry } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { readyPrices } from '../../prices/prices.ts';
import { addressAt, checkPayable } from './payable-address.ts';

type Parts = Pick<Service, 'db' | 'keys' | 'networks' | 'payments'>;

/** The tolerance is stored in hundredths of a percent. */
const HUNDREDTHS = 100;

/** Of mainnets; others need one. Tron's blocks are final with the last of them, and Aeternity's come every three minutes. */
const MAINNET_CONFIRMATIONS: { readonly [S in ReceivingChain]?: number } = { AETERNITY: 3, TRON: 20 };

function confirmationsOn({ kind }: Network, secretType: ReceivingChain): number {
  return kind === 'mainnet' ? (MAINNET_CONFIRMATIONS[secretType] ?? 12) : 1;
}

/** Test payments never pay for live sessions, nor the reverse. */
export function fitsMoney({ kind }: Pick<Network, 'kind'>, livemode: boolean): boolean {
  return (kind === 'mainnet') === livemode;
}

/** A wallet that may be stored, or undefined: `issues` then names every field that is wrong, behind `at`. */
function entryOf(
  { networks, payments }: Pick<Parts, 'networks' | 'payments'>,
  body: PutReceivingWallet,
  at: string,
  issues: Issue[],
): Omit<ReceivingWalletEntry, 'created_at'> | undefined {
  const wrong: Issue[] = [];
  const network = networkOf(networks.file, body, payments.livemode, wrong);
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
    confirmations: body.confirmations ?? confirmationsOn(network, body.secretType),
    tolerance: Math.round((body.tolerance ?? 0) * HUNDREDTHS),
  };
}

/** Sets the only wallet. Throws `request.invalid` with every field that is wrong. */
export async function putReceivingWallet(
  parts: Parts,
  applicationId: string,
  body: PutReceivingWallet,
): Promise<ReceivingWallet> {
  const issues: Issue[] = [];
  const entry = entryOf(parts, body, '', issues);
  if (!entry) throw new RequestInvalidError(issues);
  const [only] = await store(parts, applicationId, [entry]);
  return only!;
}

/** Sets all of them, in their order. Throws `request.invalid` with every field that is wrong, and changes nothing then. */
export async function putReceivingWallets(
  parts: Parts,
  applicationId: string,
  { wallets }: PutReceivingWallets,
): Promise<ReceivingWallets> {
  const issues: Issue[] = [];
  const entries = wallets.flatMap((body, i) => entryOf(parts, body, `wallets.${i}.`, issues) ?? []);
  if (issues.length > 0) throw new RequestInvalidError(issues);
  for (const [i, entry] of entries.entries())
    if (entries.findIndex((other) => isSameAsset(other, entry)) < i)
      issues.push({
        path: `wallets.${i}.${entry.token_address ? 'tokenAddress' : 'network'}`,
        message: 'is in the list already: a coin or token of a network has one wallet',
      });
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return { wallets: await store(parts, applicationId, entries) };
}

export function isSameAsset(
  one: Pick<ReceivingWalletEntry, 'network' | 'token_address'>,
  other: Pick<ReceivingWalletEntry, 'network' | 'token_address'>,
): boolean {
  return one.network === other.network && one.token_address === other.token_address;
}

/** A wallet that is set again keeps its date, whatever its place. A change is in the audit log. */
function store(
  { db, keys }: Pick<Parts, 'db' | 'keys'>,
  applicationId: string,
  entries: readonly Omit<ReceivingWalletEntry, 'created_at'>[],
): Promise<ReceivingWallet[]> {
  return db.transaction().execute(async (tx) => {
    const before = await findReceivingWallets(tx, applicationId, true);
    const now = new Date();
    const wallets = entries.map((entry) => {
      const same = before.find((each) => isSameAsset(each, entry) && each.address === entry.address);
      return { ...entry, created_at: same?.created_at ?? now };
    });
    if (JSON.stringify(wallets.map(describe)) === JSON.stringify(before.map(describe)))
      return wallets.map(describe);
    const [first, ...further] = wallets;
    if (first) {
      const row = { ...first, further: JSON.stringify(further) };
      await tx
        .insertInto('receiving_wallets')
        .values({ application_id: applicationId, ...row })
        .onConflict((on) => on.column('application_id').doUpdateSet(row))
        .execute();
    } else await tx.deleteFrom('receiving_wallets').where('application_id', '=', applicationId).execute();
    await audit(tx, keys, {
      actor: applicationId,
      action: 'receiving-wallet.changed',
      subject: `account:${applicationId}`,
      details: {
        wallets: wallets.map(({ network, token_address: token, address }) => ({ network, token, address })),
      },
    });
    return wallets.map(describe);
  });
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

/** In the order in which customers see them. `locked`: nobody else changes them until the transaction ends. */
export async function findReceivingWallets(
  db: Parts['db'],
  applicationId: string,
  locked = false,
): Promise<ReceivingWalletEntry[]> {
  const query = db.selectFrom('receiving_wallets').selectAll().where('application_id', '=', applicationId);
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return [];
  const { application_id: _, further, ...first } = row;
  // A process of the previous release may have made the first one the same as another.
  const others = further.filter((each) => !isSameAsset(each, first));
  return [first, ...others.map((each) => ({ ...each, created_at: new Date(each.created_at) }))];
}

export async function readReceivingWallets(
  db: Parts['db'],
  applicationId: string,
): Promise<ReceivingWallets> {
  return { wallets: (await findReceivingWallets(db, applicationId)).map(describe) };
}

/** The first. Throws `request.not-found`. */
export async function readReceivingWallet(db: Parts['db'], applicationId: string): Promise<ReceivingWallet> {
  const [first] = await findReceivingWallets(db, applicationId);
  if (!first) throw new ConnectError('request.not-found', 'No receiving wallet is set.');
  return describe(first);
}

export async function deleteReceivingWallets(
  parts: Pick<Parts, 'db' | 'keys'>,
  applicationId: string,
): Promise<void> {
  await store(parts, applicationId, []);
}

function describe(entry: ReceivingWalletEntry): ReceivingWallet {
  return {
    secretType: entry.secret_type,
    network: entry.network,
    tokenAddress: entry.token_address || null,
    address: entry.address,
    confirmations: entry.confirmations,
    tolerance: entry.tolerance / HUNDREDTHS,
    createdAt: entry.created_at.toISOString(),
  };
}
