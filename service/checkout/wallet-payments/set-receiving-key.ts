/** Sets and removes the extended public key of which every session gets an address of its own. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import {
  DEFAULT_MAX_GAP,
  type PutReceivingKey,
  type ReceivingWallet,
} from '../../../src/api/receiving-wallet.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import type { Network } from '../../../src/chains/network.ts';
import { acrossAccounts } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { deriveAddress, legacyAddress } from './derive-addresses.ts';
import { type AccountKey, type KeyPurpose, readAccountKey } from './extended-keys.ts';
import { identityOf } from './receiving-keys.ts';
import { sealKey } from './sealed-keys.ts';
import { confirmationsOf } from './confirmations.ts';
import {
  checkPriced,
  isSameAsset,
  lockAccount,
  networkFor,
  type Setting,
  storeWallets,
  toleranceOf,
} from './receiving-wallets.ts';

/** How many addresses are shown, to be compared with those of the wallet. */
const SHOWN = 2;
/** A merchant who names another address than the first one may have copied one of these. */
const LOOKED_AT = 20;

interface CheckedKey {
  key: AccountKey;
  network: Network;
  addresses: string[];
}

/** Throws `token.scope`, and `request.invalid` with every field that is wrong; it never repeats the key. */
export async function putReceivingKey(
  service: Setting,
  applicationId: string,
  body: PutReceivingKey,
): Promise<ReceivingWallet> {
  const { db, keys } = service;
  await requireClientScope(db, applicationId);
  const { key, network, addresses } = check(service, body);
  const identity = identityOf(key);
  const known = await acrossAccounts('receiving-keys', () =>
    db
      .selectFrom('receiving_keys')
      .select(['id', 'application_id', 'network'])
      .where('identity', '=', identity)
      .executeTakeFirst(),
  );
  if (known && known.application_id !== applicationId) throw usedElsewhere();
  if (known && known.network !== network.id)
    throw keyProblem(`is already used on ${known.network}: every network takes a key of its own`);
  const id = known?.id ?? `rk_${randomBytes(12).toString('hex')}`;
  const sealed = await sealKey(keys, id, key);
  const values = {
    fingerprint: key.fingerprint,
    addresses,
    max_gap: body.maxGap ?? DEFAULT_MAX_GAP,
    ...sealed,
  };
  const wallet = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, applicationId);
    if (known) await renewKey(tx, id, values);
    else {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('receiving_keys')
        .values({
          ...values,
          id,
          application_id: applicationId,
          secret_type: body.secretType,
          network: network.id,
          identity,
        })
        .onConflict((on) => on.column('identity').doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return undefined;
    }
    const entry = {
      secret_type: body.secretType,
      network: network.id,
      token_address: '',
      address: '',
      key_id: id,
      ...confirmationsOf(network, body),
      tolerance: toleranceOf(body),
    };
    const wallets = await storeWallets(tx, keys, { applicationId, by: 'secret' }, (before) => {
      const at = before.findIndex((each) => isSameAsset(each, entry));
      return at < 0 ? [...before, entry] : before.with(at, { ...before[at]!, ...entry });
    });
    return wallets.find(({ key }) => key?.id === id)!;
  });
  // Another request was first, whose key is known now.
  return wallet ?? putReceivingKey(service, applicationId, body);
}

/** The wallet that has the key. Sessions keep the addresses that they have. Throws `token.scope`, `request.not-found`. */
export async function deleteReceivingKey(
  { db, keys }: Pick<Setting, 'db' | 'keys'>,
  applicationId: string,
  id: string,
): Promise<void> {
  await requireClientScope(db, applicationId);
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, applicationId);
    await storeWallets(tx, keys, { applicationId, by: 'secret' }, (before) => {
      const others = before.filter(({ key_id }) => key_id !== id);
      if (others.length === before.length)
        throw new ConnectError('request.not-found', 'No receiving wallet has this key.');
      return others;
    });
  });
}

type Renewed = {
  fingerprint: string;
  addresses: string[];
  max_gap: number;
  sealed: Buffer;
  master_version: number;
};

/** A key that is set again goes on where it was. */
async function renewKey(tx: Transaction<Schema>, id: string, values: Renewed): Promise<void> {
  await tx
    .updateTable('receiving_keys')
    .set({ ...values, retired_at: null })
    .where('id', '=', id)
    .execute();
}

function usedElsewhere(): RequestInvalidError {
  return keyProblem('is used by another account of this service: make an account of its own in your wallet');
}

function keyProblem(message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: 'key', message }]);
}

/** The call takes the client's secret in place of a token, which would have its scopes. */
async function requireClientScope(db: Database, id: string): Promise<void> {
  const client = await db.selectFrom('clients').select('scopes').where('id', '=', id).executeTakeFirst();
  if (client?.scopes.includes('receiving-wallet')) return;
  throw new ConnectError('token.scope', 'The client needs the scope receiving-wallet.', {
    scopes: ['receiving-wallet'],
  });
}

function check({ networks, payments }: Setting, body: PutReceivingKey): CheckedKey {
  const issues: Issue[] = [];
  const network = networkFor(networks.file, body, payments.livemode, issues);
  if (!network) throw new RequestInvalidError(issues);
  checkPriced(network, '', 'network', issues);
  const purpose = { secretType: body.secretType, kind: network.kind };
  const key = readKeyAt(body.key, purpose, issues);
  const addresses = key && firstAddresses(key, purpose, SHOWN, issues);
  if (key && addresses) checkFirst(body, { key, addresses, purpose }, issues);
  if (!key || !addresses || issues.length > 0) throw new RequestInvalidError(issues);
  return { key, network, addresses };
}

function readKeyAt(text: string, purpose: KeyPurpose, issues: Issue[]): AccountKey | undefined {
  try {
    return readAccountKey(text, purpose);
  } catch (error) {
    issues.push({ path: 'key', message: (error as Error).message });
    return undefined;
  }
}

function firstAddresses(
  key: AccountKey,
  purpose: KeyPurpose,
  count: number,
  issues: Issue[],
): string[] | undefined {
  try {
    return Array.from({ length: count }, (_, index) => deriveAddress(key, index, purpose).address);
  } catch {
    issues.push({ path: 'key', message: 'is not a public key, though its checksum is right' });
    return undefined;
  }
}

interface Derived {
  key: AccountKey;
  addresses: string[];
  purpose: KeyPurpose;
}

function checkFirst({ firstAddress }: PutReceivingKey, derived: Derived, issues: Issue[]): void {
  const { key, addresses } = derived;
  const message =
    firstAddress === undefined
      ? key.isAmbiguous &&
        'is required, as such a key does not say for which addresses it is: copy the first receiving address from your wallet. A descriptor, or a zpub, needs none'
      : firstAddress !== addresses[0] && problemWithFirst(firstAddress, derived);
  if (message) issues.push({ path: 'firstAddress', message });
}

function problemWithFirst(firstAddress: string, { key, purpose }: Derived): string {
  if (firstAddress === legacyAddress(key, 0, purpose))
    return 'is a legacy address of the key: make a native segwit account in your wallet';
  const first = Array.from({ length: LOOKED_AT }, (_, index) => deriveAddress(key, index, purpose).address);
  const index = first.indexOf(firstAddress);
  return index > 0
    ? `is the address with index ${index} of the key: give the one with index 0`
    : 'is not the first native segwit address of the key: it is of another account, kind of address, or network';
}
