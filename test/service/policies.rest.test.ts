/** Policies where keys are used: three processes on one database, an application with two wallets, and the back office. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther, parseUnits, Wallet as Key } from 'ethers';
import { sql } from 'kysely';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { type AuditHead, auditHead, listAudit, verifyAudit } from '../../service/audit/audit-log.ts';
import { noteHeads } from '../../service/audit/note-heads.ts';
import { createClient, readScopes } from '../../service/auth/clients.ts';
import { Custody } from '../../service/custody/custody.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import type { Database } from '../../service/database/database.ts';
import { Guard } from '../../service/policies/guard.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { BatchResult } from '../../src/api/orders.ts';
import type { HeldTransaction, Policy, StoredPolicy } from '../../src/api/policy.ts';
import type { Scope } from '../../src/api/scopes.ts';
import type { EvmDraft } from '../../src/chains/evm/draft.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { KeyProvider } from '../../service/keys/key-provider.ts';
import { ServiceClient } from '../../src/service-sdk/index.ts';
import { commandOn } from './command-setup.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';
import { startTested, type Tested } from './harness.ts';
import {
  type Application,
  careful,
  createApplication,
  end,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from './processes-setup.ts';

const OTHERS = 2;
const GAS_PRICE = parseUnits('2', 'gwei');
/** Of a transfer with that price. */
const FEE = 21_000n * GAS_PRICE;

let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let owner: Tested;
let db: Database;
let keys: KeyProvider;
let processes: ServiceProcess[] = [];
let office: Party;
let shop: Party & { wallets: Application['wallet'][] };
let colleague: Party;

interface Answered {
  status: number;
  body: {
    code?: string;
    details?: Record<string, string>;
    transactionHash?: string;
    raw?: string;
    detail?: string;
  };
}

interface Party {
  id: string;
  secret: string;
  call<T = Answered['body']>(
    method: string,
    path: string,
    body?: object,
    at?: number,
    key?: string,
  ): Promise<{ status: number; body: T }>;
}

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  owner = await startTested(
    {
      networks: { customNodes: true, reported: [], networks: [ethereum.network] },
      outboundRanges: [readRange('127.0.0.0/8')],
    },
    { pins: { cost: QUICK } },
  );
  ({ db, keys } = owner.service);
  const { config, folder } = owner;
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  const settings = {
    DATABASE_URL: config.databaseUrl ?? urlOf((await runningCluster(config.dataFolder))!),
    MASTER_KEY_FILE: config.masterKeyFile,
    NETWORKS: networks,
  };
  processes = await Promise.all(Array.from({ length: OTHERS }, () => startProcess(settings)));
  const first = await createApplication(db, config.masterKeyFile);
  shop = { ...(await partyOf(first)), wallets: [first.wallet, await walletOf(first.id)] };
  office = await party(['manage:policies']);
  colleague = await party(['approve:transactions']);
});

after(async () => {
  provider?.destroy();
  await Promise.all(processes.map((one) => end(one)));
  await owner?.close();
  await ethereum?.close();
});

function urlOf({
  user,
  password,
  host,
  port,
  database,
}: Awaited<ReturnType<typeof runningCluster>> & object) {
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
}

async function party(scopes: Scope[]): Promise<Party> {
  return partyOf(await createClient(db, { name: 'test', scopes }));
}

async function partyOf(client: { id: string; secret: string }): Promise<Party> {
  const urls = [owner.url, ...processes.map(({ url }) => url)];
  const tokens = await Promise.all(urls.map((url) => tokenAt(url, client as Application)));
  return {
    ...client,
    async call(method, path, body, at = 0, key = undefined) {
      const headers = {
        ...tokens[at],
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      };
      const ask = () =>
        fetch(urls[at] + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const response = await (key ? careful(ask) : ask());
      return { status: response.status, body: (await response.json()) as never };
    },
  };
}

/** With coins, of the shop. */
async function walletOf(ownerId: string): Promise<Application['wallet']> {
  const { wallet } = await new Custody(db, keys, { cost: QUICK }).createWallet({
    ownerId,
    applicationId: ownerId,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin: PIN,
    pinOf: 'wallet',
  });
  return { id: wallet.id, address: wallet.address };
}

async function freshWallet(): Promise<Application['wallet']> {
  const wallet = await walletOf(shop.id);
  await ethereum.fund(wallet.address, parseEther('10'));
  return wallet;
}

function pay(wallet: { id: string }, value: bigint, more: object = {}): object {
  return {
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: String(value),
    gas: '21000',
    gasPrice: String(GAS_PRICE),
    pincode: PIN,
    ...more,
  };
}

const execute = (body: object, at = 0, key?: string): Promise<Answered> =>
  shop.call('POST', '/api/transactions/execute', body, at, key);

/** `200`, or the rule that refused it. */
async function outcome(answer: Promise<Answered>): Promise<string> {
  const { status, body } = await answer;
  return body.details?.['rule'] ?? (body.code ? `${status} ${body.code}` : String(status));
}

async function limit(of: 'wallet' | 'client', id: string, policy: Policy): Promise<void> {
  const { status, body } = await office.call('PUT', `/api/policies/${of}/${id}`, policy);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Every earlier policy has ended. */
async function passDelay(): Promise<void> {
  await db
    .updateTable('policies')
    .set({ ends_at: sql<Date>`clock_timestamp()` })
    .where('ends_at', 'is not', null)
    .execute();
}

const ether = (wei: bigint): string => `${wei / 10n ** 18n}.${String(wei % 10n ** 18n).padStart(18, '0')}`;

const perDay = (wei: bigint): Policy => ({ limits: [{ secretType: 'ETHEREUM', perDay: ether(wei) }] });
const perTransaction = (wei: bigint): Policy => ({
  limits: [{ secretType: 'ETHEREUM', perTransaction: ether(wei) }],
});

async function actions(subject: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', subject)
    .orderBy('position')
    .execute();
  return rows.map(({ action }) => action);
}

const SPENDS = 48;

test(`${SPENDS} concurrent spends over three processes and two wallets stay within the client’s limit, exactly`, async () => {
  const value = 1000n;
  const allowed = 17n;
  for (const { address } of shop.wallets) await ethereum.fund(address, parseEther('10'));
  await limit('client', shop.id, perDay(allowed * (value + FEE) + FEE));
  const outcomes = await Promise.all(
    Array.from({ length: SPENDS }, (_, i) =>
      outcome(execute(pay(shop.wallets[i % 2]!, value), i % (OTHERS + 1), `spend-${i}`)),
    ),
  );
  assert.equal(outcomes.filter((one) => one === '200').length, Number(allowed));
  assert.equal(outcomes.filter((one) => one === 'daily-limit').length, SPENDS - Number(allowed));
  const { rows } = await sql<{ raw: string; count: string }>`
    select sum(raw)::text as raw, count(*)::text as count from policy_spends where subject = ${`client:${shop.id}`}`.execute(
    db,
  );
  assert.deepEqual(rows, [{ raw: String(allowed * (value + FEE)), count: String(allowed) }]);
  // 24 hours later.
  await sql`update policy_spends set spent_at = spent_at - interval '24 hours'`.execute(db);
  assert.equal(await outcome(execute(pay(shop.wallets[0]!, value))), '200');
  await limit('client', shop.id, {});
  await passDelay();
});

test('a wallet’s limit applies beside the client’s, and a refusal signs nothing and names the rule', async () => {
  const wallet = await freshWallet();
  await limit('client', shop.id, perTransaction(100n + FEE));
  await limit('wallet', wallet.id, perTransaction(50n + FEE));
  const refused = await execute(pay(wallet, 51n));
  assert.equal(refused.status, 403);
  assert.equal(refused.body.code, 'policy.refused');
  assert.deepEqual(refused.body.details, {
    rule: 'transaction-limit',
    asset: 'ETHEREUM',
    policy: `wallet:${wallet.id}`,
  });
  assert.equal(await outcome(execute(pay(shop.wallets[0]!, 100n))), '200');
  assert.equal(await outcome(execute(pay(shop.wallets[0]!, 101n))), 'transaction-limit');
  assert.equal(await outcome(execute(pay(wallet, 50n))), '200');
  const signed = await db
    .selectFrom('transactions')
    .select('id')
    .where('wallet_id', '=', wallet.id)
    .execute();
  assert.equal(signed.length, 1);
  assert.deepEqual(await actions(`wallet:${wallet.id}`), [
    'policy.set',
    'policy.refused',
    'transaction.signed',
  ]);
  await limit('client', shop.id, {});
  await passDelay();
});

test('a wrong PIN reveals nothing about a policy', async () => {
  const wallet = await freshWallet();
  await limit('wallet', wallet.id, perTransaction(0n));
  assert.equal(await outcome(execute(pay(wallet, 1n, { pincode: '111213' }))), '403 pincode.wrong');
});

test('tightening applies at once, loosening after the delay, and a pending change is listed and withdrawn', async () => {
  const wallet = await freshWallet();
  const path = `/api/policies/wallet/${wallet.id}`;
  const spend = (value: bigint) => outcome(execute(pay(wallet, value)));
  await limit('wallet', wallet.id, perTransaction(100n + FEE));
  await limit('wallet', wallet.id, { ...perTransaction(500n + FEE), recipients: [] });
  assert.equal(await spend(500n), 'transaction-limit');
  // The new list of recipients is tighter.
  assert.equal(await spend(1n), 'recipients');
  const { body: pending } = await office.call<StoredPolicy>('GET', path);
  assert.deepEqual(pending.policy, { ...perTransaction(500n + FEE), recipients: [] });
  assert.deepEqual(
    pending.earlier.map(({ policy }) => policy),
    [perTransaction(100n + FEE)],
  );
  const hours = (Date.parse(pending.earlier[0]!.until) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours <= 24, String(hours));
  const { body: all } = await office.call<StoredPolicy[]>('GET', '/api/policies');
  assert.deepEqual(
    all.find(({ id }) => id === wallet.id),
    pending,
  );
  for (const of of ['client', 'wallet']) {
    const { body: some } = await office.call<StoredPolicy[]>('GET', `/api/policies?of=${of}`);
    assert.deepEqual(
      some,
      all.filter((one) => one.of === of),
    );
  }

  const withdrawn = await office.call<StoredPolicy>('POST', `${path}/withdrawals`);
  assert.deepEqual(withdrawn.body.policy, perTransaction(100n + FEE));
  // What was tightened loosens later, too.
  assert.equal(await spend(1n), 'recipients');
  await passDelay();
  assert.equal(await spend(100n), '200');
  assert.equal(await spend(101n), 'transaction-limit');
  assert.equal((await office.call('POST', `${path}/withdrawals`)).status, 409);

  await limit('wallet', wallet.id, {});
  assert.equal(await spend(101n), 'transaction-limit');
  await passDelay();
  assert.equal(await spend(101n), '200');
});

test('a concurrent spend and tightening are serialised', async () => {
  const wallet = await freshWallet();
  const guard = new Guard(db, keys);
  const subject = `wallet:${wallet.id}`;
  const use = {
    wallet: { ...wallet, owner_id: shop.id, application_id: shop.id, secret_type: 'ETHEREUM' as const },
    network: ethereum.network,
    byDefault: true,
    clientId: shop.id,
  };
  const order: string[] = [];
  let written: Promise<void> | undefined;
  await guard.run(db, async (tx) => {
    await guard.admitSignature(tx, { ...use, request: { type: 'ETHEREUM_RAW', data: '0x00' } as never });
    written = limit('wallet', wallet.id, perTransaction(0n)).then(() => void order.push('written'));
    // It waits for this transaction.
    for (let waits = false; !waits; ) {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(
        db,
      );
      waits = rows.length > 0;
    }
    order.push('spent');
  });
  await written;
  assert.deepEqual(order, ['spent', 'written']);
  assert.deepEqual(await actions(subject), ['policy.set']);
});

test('a replaced transaction counts once, plus what the replacement pays in addition', async () => {
  const wallet = await freshWallet();
  const chain = await loadChain('ETHEREUM');
  const node = chain.node(ethereum.network);
  await provider.send('evm_setAutomine', [false]);
  await provider.send('evm_setIntervalMining', [0]);
  try {
    await limit('wallet', wallet.id, perDay(300n + 3n * FEE));
    const { parse } = await loadPayloads('ETHEREUM');
    const request = parse({
      type: 'ETH_TRANSACTION',
      walletId: wallet.id,
      to: Key.createRandom().address,
      value: 100,
      gas: 21_000,
      gasPrice: String(GAS_PRICE),
    });
    const draft = (await chain.prepare(request, wallet.address, node, {
      used: [],
      own: [],
      reported: [],
    })) as EvmDraft;
    const approved = async (change: Partial<EvmDraft>, replaces?: string): Promise<Answered> =>
      shop.call('POST', '/api/transactions/approved', {
        walletId: wallet.id,
        pincode: PIN,
        draft: draftToJson({ ...draft, ...change }),
        ...(replaces && { replaces }),
      });
    const spent = async () => {
      const { rows } = await sql<{
        raw: string;
      }>`select sum(raw)::text as raw from policy_spends where subject = ${`wallet:${wallet.id}`}`.execute(
        db,
      );
      return BigInt(rows[0]!.raw);
    };
    const { body: first } = await approved({});
    assert.equal(await spent(), 100n + FEE);
    const { body: second } = await approved({ gasPrice: GAS_PRICE * 2n }, first.transactionHash);
    assert.equal(await spent(), 100n + 2n * FEE);
    // The same price again, and a higher amount: the difference counts, and the sum of the day is kept.
    assert.equal(
      await outcome(approved({ gasPrice: GAS_PRICE * 3n, value: 301n }, second.transactionHash)),
      'daily-limit',
    );
    assert.equal(
      await outcome(approved({ gasPrice: GAS_PRICE * 3n, value: 300n }, second.transactionHash)),
      '200',
    );
    assert.equal(await spent(), 300n + 3n * FEE);
    assert.equal(await outcome(approved({ nonce: draft.nonce + 1, value: 0n, gasPrice: 1n })), 'daily-limit');
  } finally {
    await provider.send('evm_setAutomine', [true]);
    await provider.send('evm_mine', []);
  }
});

test('of several replacements of one transaction that do not compete with each other, each counts', async () => {
  const [wallet, other] = [await freshWallet(), await freshWallet()];
  for (let n = 1n; n <= 3n; n++) assert.equal(await outcome(execute(pay(other, n))), '200');
  const stored = await db
    .selectFrom('transactions')
    .select('id')
    .where('wallet_id', '=', other.id)
    .orderBy('created_at')
    .execute();
  const [a, b, c] = stored.map(({ id }) => id) as [string, string, string];
  await limit('wallet', wallet.id, perDay(10n ** 18n));
  const guard = new Guard(db, keys);
  const row = await db
    .selectFrom('wallets')
    .selectAll()
    .where('id', '=', wallet.id)
    .executeTakeFirstOrThrow();
  const admit = (id: string, value: bigint, replaced: string[], undo = false): Promise<bigint> => {
    let sum = 0n;
    const work = guard.run(db, async (tx) => {
      const draft = {
        from: wallet.address,
        type: 0,
        chainId: 1,
        nonce: 0,
        gas: 1n,
        gasPrice: 0n,
        value,
      } as object;
      const count = await guard.admitTransfer(tx, {
        wallet: row,
        clientId: shop.id,
        draft: { to: Key.createRandom().address, data: '0x', ...draft } as EvmDraft,
        network: ethereum.network,
        byDefault: true,
        customNode: false,
        replaced,
      });
      await count(id);
      const { rows } = await sql<{ raw: string }>`select sum(raw)::text as raw from policy_spends
        where subject = ${`wallet:${wallet.id}`}`.execute(tx);
      sum = BigInt(rows[0]!.raw);
      if (undo) throw new Error('undo');
    });
    return work.catch(() => {}).then(() => sum);
  };
  assert.equal(await admit(a, 100n, []), 100n);
  assert.equal(await admit(b, 150n, [a]), 150n);
  assert.equal(await admit(c, 120n, [a, b], true), 150n);
  // Not in the place of the first, which may be in a block all the same.
  assert.equal(await admit(c, 120n, [b]), 270n);
});

test('replacements in a batch, and speeding up, also count by what they take', async () => {
  const wallet = await freshWallet();
  await provider.send('evm_setAutomine', [false]);
  await provider.send('evm_setIntervalMining', [0]);
  try {
    await limit('wallet', wallet.id, perDay(300n + 2n * FEE));
    const to = Key.createRandom().address;
    const transfer = { type: 'ETH_TRANSACTION', to, gas: 21_000, nonce: 0 };
    const { body: results } = await shop.call<BatchResult>(
      'POST',
      '/api/transactions/batch',
      {
        walletId: wallet.id,
        pincode: PIN,
        onRefusal: 'continue',
        transactions: [
          { ...transfer, value: 100, gasPrice: String(GAS_PRICE) },
          { ...transfer, value: 301, gasPrice: String(GAS_PRICE * 2n) },
          { ...transfer, value: 300, gasPrice: String(GAS_PRICE * 2n) },
        ],
      },
      0,
      'three-of-one-nonce',
    );
    assert.deepEqual(
      results.map(({ outcome: is, error }) => error?.details['rule'] ?? is),
      ['sent', 'daily-limit', 'sent'],
      JSON.stringify(results),
    );
    const faster = await shop.call('POST', `/api/transactions/${results[2]!.transactionHash}/speed-up`, {
      walletId: wallet.id,
      pincode: PIN,
    });
    assert.equal(faster.body.details?.['rule'], 'daily-limit');
  } finally {
    await provider.send('evm_setAutomine', [true]);
    await provider.send('evm_mine', []);
  }
});

test('a second client approves exactly one transaction, once, for that client only', async () => {
  const wallet = await freshWallet();
  const stranger = await party(['approve:transactions']);
  const policy: Policy = {
    fourEyes: {
      above: [{ secretType: 'ETHEREUM', amount: ether(100n + FEE) }],
      approvers: [colleague.id, shop.id],
    },
  };
  await limit('wallet', wallet.id, policy);
  assert.equal(await outcome(execute(pay(wallet, 100n))), '200');
  const large = pay(wallet, 101n);
  const { body: refused } = await execute(large);
  assert.equal(refused.details?.['rule'], 'four-eyes');
  const id = refused.details!['transactionId']!;
  // Asking again asks for the same approval.
  assert.equal((await execute(large)).body.details?.['transactionId'], id);

  const { body: listed } = await colleague.call<HeldTransaction[]>('GET', '/api/approvals');
  const held = listed.find((one) => one.id === id)!;
  const draft = JSON.parse(held.draft) as Record<string, unknown>;
  assert.deepEqual([held.clientId, held.walletId, held.approvedBy], [shop.id, wallet.id, []]);
  const approvals = async (walletId: string) =>
    (await colleague.call<HeldTransaction[]>('GET', `/api/approvals?walletId=${walletId}`)).body;
  assert.deepEqual(await approvals(wallet.id), [held]);
  assert.deepEqual(await approvals((await freshWallet()).id), []);
  assert.deepEqual([draft['value'], draft['from'], draft['data']], ['101', wallet.address, '0x']);
  assert.equal((await stranger.call<HeldTransaction[]>('GET', '/api/approvals')).body.length, 0);

  const approve = (who: Party, draftHash = held.draftHash) =>
    who.call<HeldTransaction>('POST', `/api/transactions/${id}/approvals`, { draftHash });
  assert.equal((await approve(stranger)).status, 404);
  assert.equal((await approve(colleague, '0'.repeat(64))).status, 400);
  // The client that asks cannot approve, whatever the list says.
  assert.equal((await approve(shop)).status, 403);
  const both = await partyOfShop();
  assert.equal((await approve(both)).status, 404);
  const approved = await approve(colleague);
  assert.deepEqual([approved.status, approved.body.approvedBy], [201, [colleague.id]]);

  // Neither another amount nor another recipient, and no higher fee than was shown.
  assert.equal(await outcome(execute({ ...large, value: '102' })), 'four-eyes');
  assert.equal(await outcome(execute({ ...large, to: Key.createRandom().address })), 'four-eyes');
  assert.equal(await outcome(execute({ ...large, gasPrice: String(GAS_PRICE * 2n + 1n) })), 'four-eyes');
  assert.equal(await outcome(execute({ ...large, gasPrice: String(GAS_PRICE * 2n) })), '200');
  assert.equal(await outcome(execute({ ...large, gasPrice: String(GAS_PRICE * 2n) })), 'four-eyes');
  assert.deepEqual(
    await actions(`wallet:${wallet.id}`).then((all) => all.filter((one) => one.startsWith('transaction'))),
    [
      'transaction.signed',
      'transaction.held',
      'transaction.approved',
      'transaction.held',
      'transaction.held',
      'transaction.held',
      'transaction.signed',
    ],
  );
});

/** A client of the same account has both scopes. */
async function partyOfShop(): Promise<Party> {
  await db
    .updateTable('clients')
    .set({ scopes: ['whitelabel', 'view:wallets', 'sign:wallets', 'approve:transactions'] })
    .where('id', '=', shop.id)
    .execute();
  const tokens = await owner.service.tokens.issue({
    accountId: shop.id,
    clientId: shop.id,
    scopes: ['approve:transactions'],
  });
  const headers = { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' };
  return {
    ...shop,
    async call(method, path, body) {
      const response = await fetch(owner.url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as never };
    },
  };
}

test('at most 100 transactions of a wallet wait for an approval', async () => {
  const wallet = await freshWallet();
  await limit('wallet', wallet.id, {
    fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '0' }], approvers: [colleague.id] },
  });
  assert.equal(await outcome(execute(pay(wallet, 1n))), 'four-eyes');
  await sql`insert into held_transactions select 'held ' || n, wallet_id, client_id, approvers, fixed_hash, draft, draft_hash,
    maximum_fee, created_at, expires_at from held_transactions, generate_series(2, 100) as n
    where wallet_id = ${wallet.id}`.execute(db);
  assert.equal(await outcome(execute(pay(wallet, 1n))), '429 request.rate-limited');
  await sql`delete from held_transactions where wallet_id = ${wallet.id}`.execute(db);
});

test('a node that the request names is refused under a limit', async () => {
  const wallet = await freshWallet();
  const network = { name: 'Mine', nodeUrl: ethereum.url, chainId: ethereum.network.chainId };
  const payment = (): Promise<Answered> => execute(pay(wallet, 1n, { network }));
  assert.equal(await outcome(payment()), '200');
  await limit('wallet', wallet.id, perTransaction(100n + FEE));
  assert.equal(await outcome(payment()), 'custom-node');
});

test('changes of secrets and PINs are in the audit log', async () => {
  const wallet = await freshWallet();
  const { clientSecrets } = new ServiceClient({
    url: owner.url,
    clientId: shop.id,
    clientSecret: shop.secret,
  });
  await clientSecrets.revoke((await clientSecrets.create()).id);
  const secrets = (await actions(`client:${shop.id}`)).filter((action) => action.startsWith('secret'));
  assert.deepEqual(secrets, ['secret.created', 'secret.revoked']);
  const body = { walletId: wallet.id, pincode: PIN };
  const { body: renewed } = await shop.call<{ recoveryCode: string }>(
    'POST',
    '/api/pincode/recovery-code',
    body,
  );
  assert.equal((await shop.call('POST', '/api/pincode', { ...body, next: OTHER_PIN })).status, 200);
  const { recoveryCode } = renewed;
  const recovered = { walletId: wallet.id, recoveryCode, next: PIN };
  assert.equal((await shop.call('POST', '/api/pincode/recover', recovered)).status, 200);
  assert.deepEqual(await actions(`wallet:${wallet.id}`), [
    'recovery-code.renewed',
    'pin.changed',
    'pin.recovered',
  ]);
});

test('an approval ends after 24 hours, with its client, and with the policy that required it', async () => {
  const wallet = await freshWallet();
  const fourEyes = (...approvers: string[]): Policy => ({
    fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '0' }], approvers },
  });
  await limit('wallet', wallet.id, fourEyes(colleague.id));
  const approvedPay = async (by: Party): Promise<object> => {
    const body = pay(wallet, 1n);
    const { body: refused } = await execute(body);
    const id = refused.details!['transactionId']!;
    const { body: listed } = await by.call<HeldTransaction[]>('GET', '/api/approvals');
    const { draftHash } = listed.find((one) => one.id === id)!;
    assert.equal((await by.call('POST', `/api/transactions/${id}/approvals`, { draftHash })).status, 201);
    return body;
  };
  const late = await approvedPay(colleague);
  await sql`update held_transactions set expires_at = expires_at - interval '24 hours'`.execute(db);
  assert.equal(await outcome(execute(late)), 'four-eyes');
  assert.equal((await colleague.call<HeldTransaction[]>('GET', '/api/approvals')).body.length, 1);

  const leaver = await party(['approve:transactions']);
  await limit('wallet', wallet.id, fourEyes(colleague.id, leaver.id));
  await passDelay();
  const byLeaver = await approvedPay(leaver);
  await db.updateTable('clients').set({ revoked_at: new Date() }).where('id', '=', leaver.id).execute();
  assert.equal(await outcome(execute(byLeaver)), 'four-eyes');

  const inTime = await approvedPay(colleague);
  await limit('wallet', wallet.id, fourEyes(leaver.id));
  assert.equal(await outcome(execute(inTime)), 'four-eyes');
});

test('after a change of the approvers, the new ones can approve what was held, and a removed one cannot', async () => {
  const wallet = await freshWallet();
  const successor = await party(['approve:transactions']);
  const fourEyes = (...approvers: string[]): Policy => ({
    fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '0' }], approvers },
  });
  const body = pay(wallet, 1n);
  const heldAs = async (): Promise<string> => {
    const answer = execute(body);
    assert.equal(await outcome(answer), 'four-eyes');
    return (await answer).body.details!['transactionId']!;
  };
  const hashOf = async (id: string): Promise<string> => {
    const { draft_hash } = await db
      .selectFrom('held_transactions')
      .select('draft_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return draft_hash;
  };
  const approve = async (by: Party, id: string): Promise<number> => {
    const draftHash = await hashOf(id);
    return (await by.call('POST', `/api/transactions/${id}/approvals`, { draftHash })).status;
  };
  await limit('wallet', wallet.id, fourEyes(colleague.id));
  const first = await heldAs();
  assert.equal(await heldAs(), first);

  await limit('wallet', wallet.id, fourEyes(successor.id));
  const both = await heldAs();
  assert.notEqual(both, first);
  assert.equal(await heldAs(), both);
  // The earlier policy still applies, and so each has to approve.
  assert.equal(await approve(successor, both), 201);
  assert.equal(await outcome(execute(body)), 'four-eyes');
  await passDelay();
  assert.equal(await outcome(execute(body)), '200');

  await limit('wallet', wallet.id, fourEyes(colleague.id));
  await passDelay();
  const second = await heldAs();
  await limit('wallet', wallet.id, fourEyes(successor.id));
  await passDelay();
  const third = await heldAs();
  assert.notEqual(third, second);
  for (const id of [second, third]) assert.equal(await approve(colleague, id), 404);
  assert.equal(await outcome(execute(body)), 'four-eyes');
  assert.equal(await approve(successor, third), 201);
  assert.equal(await outcome(execute(body)), '200');
  // Once.
  assert.equal(await outcome(execute(body)), 'four-eyes');
});

test('under a policy, keys are not exported and nothing is signed blindly', async () => {
  const wallet = await freshWallet();
  const path = `/api/wallets/${wallet.id}/export`;
  const exported = (): Promise<Answered> => shop.call('POST', path, { pincode: PIN });
  const sign = (more: object): Promise<Answered> =>
    shop.call('POST', '/api/signatures', {
      type: 'ETHEREUM_RAW',
      walletId: wallet.id,
      data: '0x1234',
      pincode: PIN,
      ...more,
    });
  assert.equal(await outcome(exported()), '200');
  await limit('wallet', wallet.id, perTransaction(1n));
  assert.equal(await outcome(exported()), 'key-export');
  assert.equal(await outcome(sign({ prefix: true })), 'signatures');
  assert.equal(await outcome(sign({ prefix: false, hash: true })), 'signatures');
  await limit('wallet', wallet.id, {
    ...perTransaction(1n),
    keyExport: true,
    signatures: { messages: true },
  });
  assert.equal(await outcome(exported()), 'key-export');
  await passDelay();
  assert.equal(await outcome(exported()), '200');
  assert.equal(await outcome(sign({ prefix: true })), '200');
  assert.equal(await outcome(sign({ prefix: false, hash: true })), 'signatures');
  assert.deepEqual(await actions(`wallet:${wallet.id}`), [
    'key.exported',
    'policy.set',
    ...Array.from({ length: 3 }, () => 'policy.refused'),
    'policy.set',
    'policy.refused',
    'key.exported',
    'data.signed',
    'policy.refused',
  ]);
});

test('nothing is spent outside the hours, or if somebody has set a clock', async () => {
  const wallet = await freshWallet();
  const now = new Date();
  const [today, tomorrow] = [now, new Date(now.getTime() + 86_400_000)].map(
    (one) => (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[one.getUTCDay()]!,
  );
  const on = (day: typeof today): Policy => ({
    hours: { timeZone: 'UTC', windows: [{ days: [day!], from: '00:00', to: '24:00' }] },
  });
  await limit('wallet', wallet.id, on(tomorrow));
  assert.equal(await outcome(execute(pay(wallet, 1n))), 'hours');
  const sign = { type: 'ETHEREUM_RAW', walletId: wallet.id, data: '0x1234', pincode: PIN };
  assert.equal(await outcome(shop.call('POST', '/api/signatures', sign)), 'hours');
  await limit('wallet', wallet.id, on(today));
  await passDelay();
  assert.equal(await outcome(shop.call('POST', '/api/signatures', sign)), '200');
  const use = {
    wallet: { ...wallet, owner_id: shop.id, application_id: shop.id, secret_type: 'ETHEREUM' as const },
    network: ethereum.network,
    byDefault: true,
    clientId: shop.id,
  };
  for (const [minutes, expected] of [
    [-6, 'clock'],
    [6, 'clock'],
    [4, 'signed'],
  ] as const) {
    const guard = new Guard(db, keys, () => Date.now() + minutes * 60_000);
    const signed = guard.run(db, async (tx) => {
      await guard.admitSignature(tx, {
        ...use,
        request: { type: 'ETHEREUM_RAW', data: '0x00', prefix: true } as never,
      });
      return { details: { rule: 'signed' } };
    });
    const { details } = await signed.catch((error: { details: { rule: string } }) => error);
    assert.equal(details.rule, expected);
  }
});

test('policies are set only with their own scope, which nobody who may sign has', async () => {
  const wallet = await freshWallet();
  const path = `/api/policies/wallet/${wallet.id}`;
  assert.equal(await outcome(shop.call('PUT', path, {})), '403 token.scope');
  assert.equal(await outcome(colleague.call('PUT', path, {})), '403 token.scope');
  assert.equal(await outcome(office.call('GET', path)), '404 request.not-found');
  assert.equal(await outcome(office.call('PUT', '/api/policies/wallet/nobody', {})), '404 request.not-found');
  assert.equal(
    await outcome(office.call('PUT', path, { limits: [{ secretType: 'VECHAIN' }] })),
    '400 request.invalid',
  );
  const functions = Array.from({ length: 900 }, (_, n) => `${'f'.repeat(120)}${n}()`);
  const { body: tooLong } = await office.call<{ detail: string }>('PUT', path, {
    calls: [{ secretType: 'ETHEREUM', contract: wallet.address, functions }],
  });
  assert.match(tooLong.detail, /^calls: is too long: .* 100000 characters/);
  // With `whitelabel` a client exports the keys of its own wallets.
  for (const spending of ['sign:wallets', 'whitelabel'] as const) {
    const refused = new RegExp(`No client may have both manage:policies and ${spending}`);
    await assert.rejects(party(['manage:policies', spending]), refused);
    assert.throws(() => readScopes(`manage:policies ${spending}`), refused);
  }
  const grant = (id: string, scopes: Scope[]) =>
    db.updateTable('clients').set({ scopes }).where('id', '=', id).execute();
  await assert.rejects(grant(office.id, ['manage:policies', 'sign:wallets']), /clients_policies/);
  // Of a client from before, with a token for each.
  const both = await party(['manage:policies']);
  await grant(both.id, ['manage:policies', 'whitelabel']);
  for (const [clientId, scopes] of [
    // Of another issuer.
    [office.id, ['manage:policies', 'sign:wallets']],
    [office.id, ['manage:policies', 'whitelabel']],
    [both.id, ['manage:policies']],
  ] as const) {
    const { access_token } = await owner.service.tokens.issue({ accountId: clientId, clientId, scopes });
    for (const [method, at] of [
      ['PUT', path],
      ['GET', path],
      ['GET', '/api/policies'],
      ['POST', `${path}/withdrawals`],
    ] as const) {
      const answer = await fetch(owner.url + at, {
        method,
        headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      assert.equal(answer.status, 403, `${at} ${scopes.join(' ')}`);
    }
  }
  const user = await owner.service.tokens.issue({
    accountId: shop.id,
    clientId: office.id,
    scopes: ['manage:policies'],
  });
  const asUser = await fetch(`${owner.url}/api/policies`, {
    headers: { Authorization: `Bearer ${user.access_token}` },
  });
  assert.equal(asUser.status, 403);
  const approving = await owner.service.tokens.issue({
    accountId: shop.id,
    clientId: office.id,
    scopes: ['approve:transactions'],
  });
  const read = await fetch(`${owner.url}/api/approvals`, {
    headers: { Authorization: `Bearer ${approving.access_token}` },
  });
  assert.equal(read.status, 403);
});

test('the operator sets, shows and withdraws policies by command', async () => {
  const wallet = await freshWallet();
  const command = commandOn('policy', () => owner.config);
  const file = join(owner.folder, 'policy.json');
  writeFileSync(file, JSON.stringify(perTransaction(5n)));
  const set = await command('set', 'wallet', wallet.id, file);
  assert.equal(set.code, 0, set.err);
  assert.equal((JSON.parse(set.out) as StoredPolicy).writtenBy, 'command');
  writeFileSync(file, JSON.stringify({ limits: [{ secretType: 'ETHER' }] }));
  const [wrong, shown, withdrawn] = await Promise.all([
    command('set', 'wallet', wallet.id, file),
    command('show', 'wallet', wallet.id),
    command('withdraw', 'wallet', wallet.id),
  ]);
  assert.match(wrong.err, /is not a policy:\n {2}limits\.0\.secretType/);
  assert.deepEqual((JSON.parse(shown.out) as StoredPolicy).policy, perTransaction(5n));
  assert.match(withdrawn.err, /Nothing is pending/);
});

test('changes to the audit log without the master key are detected', async (t) => {
  const command = commandOn('audit', () => owner.config);
  const lines: AuditHead[] = [];
  t.mock.timers.enable({ apis: ['setInterval'] });
  const log = { info: (line: AuditHead) => void lines.push(line), warn: assert.fail };
  const heads = noteHeads(db, log as never);
  t.mock.timers.tick(60_000);
  await heads.stop();
  t.mock.timers.reset();
  const head = (await auditHead(db))!;
  assert.deepEqual(lines, [head, head]);
  const last = head.position;
  const noted = `${last}:${head.mac}`;
  const [fine, listed] = await Promise.all([
    command('verify', '--head', noted),
    command('list', '--last', '2'),
  ]);
  assert.equal(fine.out, `All ${last} rows are as they were written. The head is ${noted}\n`);
  assert.equal(listed.out.trim().split('\n').length, 2);

  /** What is found after the changes, which are then undone. */
  const after = async (...changes: ReturnType<typeof sql>[]): Promise<string> => {
    let problems: string[] = [];
    const undo = new Error('undo');
    const changing = db.transaction().execute(async (tx) => {
      for (const change of changes) await change.execute(tx);
      ({ problems } = await verifyAudit(tx, keys, { noted: [head] }));
      throw undo;
    });
    await assert.rejects(changing, undo);
    return problems.join();
  };
  assert.equal(await after(), '');
  for (const column of ['actor', 'action', 'subject', 'details'])
    assert.equal(
      await after(sql`update audit_log set ${sql.ref(column)} = '{}' where position = 3`),
      'Row 3 is not as it was written.',
    );
  const later = sql`update audit_log set at = at + interval '1 second' where position = 3`;
  assert.equal(await after(later), 'Row 3 is not as it was written.');
  const remove = sql`delete from audit_log where position = 3`;
  assert.equal(await after(remove), 'Row 3 is missing: 4 comes next.');
  const moveUp = [
    sql`update audit_log set position = position + 1000000 where position > 3`,
    sql`update audit_log set position = position - 1000001 where position > 1000000`,
  ];
  assert.equal(await after(remove, ...moveUp), 'Row 3 is not as it was written.');
  const repeat = sql`insert into audit_log select position + 1, at, actor, action, subject, details, master_version, mac
    from audit_log where position = ${last}`;
  assert.equal(await after(repeat), `Row ${last + 1} is not as it was written.`);
  const cut = sql`delete from audit_log where position = ${last}`;
  assert.equal(await after(cut), `Row ${last} was recorded and is gone: the log ends with ${last - 1}.`);
  const { problems } = await verifyAudit(db, keys, { noted: [{ position: 2, mac: head.mac }] });
  assert.match(problems.join(), /^Row 2 is not the one that was recorded/);

  const { mac } = (await listAudit(db, last)).find(({ position }) => Number(position) === 3)!;
  const third = `3:${mac.toString('hex')}`;
  const [rest, late, forged, gone] = await Promise.all([
    command('verify', '--after', third, '--head', noted),
    command('verify', '--after', noted, '--head', third),
    command('verify', '--after', `3:${head.mac}`),
    command('verify', '--after', `${last + 1}:${head.mac}`),
  ]);
  assert.equal(rest.out, `All ${last - 3} rows after 3 are as they were written. The head is ${noted}\n`);
  assert.match(late.err, /--head must name a later row than --after/);
  assert.match(forged.err, /Row 3 is not the one that was verified before/);
  assert.match(gone.err, new RegExp(`Row ${last + 1} was verified before and is gone`));
  await cut.execute(db);
  const found = await command('verify', '--head', noted);
  assert.deepEqual([found.code, /was recorded and is gone/.test(found.err)], [1, true]);
});
