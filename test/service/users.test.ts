import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { loadChain, SECRET_TYPES } from '../../src/chains/index.ts';
import { Account } from '../../src/api/account.ts';
import { CreatedWallet, Wallet } from '../../src/api/wallet.ts';
import type { Profile } from '../../src/api/token.ts';
import { advanceLocks, OTHER_PIN, PIN } from './custody-setup.ts';
import { newDevice, startUsers, type User, type UsersTest } from './users-setup.ts';

const THIRD_PIN = '418263';
const CODE = /^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/;

let at: UsersTest;
before(async () => {
  at = await startUsers();
});
after(() => at.close());

const accountOf = async (user: User, as?: Parameters<User['call']>[3]): Promise<Account> =>
  Account.parse((await user.call('GET', '/api/account', undefined, as)).body);

const exported = async (user: User, id: string, pincode = PIN): Promise<string> =>
  (await user.call('POST', `/api/wallets/${id}/export`, { pincode })).outcome;

/** Creates a white-label wallet of the shop. */
async function whiteLabel(more: Record<string, unknown> = {}): Promise<CreatedWallet> {
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN, ...more };
  return (await at.call<CreatedWallet>(at.shop, 'POST', '/api/wallets', order)).body;
}

test('the first wallet of a user sets the master PIN, enrols the device and shows the recovery code once', async () => {
  const user = await at.user();
  const nothing = { hasMasterPin: false, pinChangedAt: null, wrongPins: 0, retryAfter: null };
  assert.deepEqual(await accountOf(user), {
    userId: user.id,
    ...nothing,
    hardLocked: false,
    enrolled: false,
    passkeyRequired: false,
  });
  const profile = async () => (await user.call<Profile>('GET', '/api/profile')).body.hasMasterPin;
  assert.equal(await profile(), false);

  const from = Date.now();
  const first = CreatedWallet.parse(await user.wallet({ alias: 'Savings', description: 'For later' }));
  assert.match(first.recoveryCode!, CODE);
  assert.equal(await profile(), true);
  const { pinChangedAt, ...rest } = await accountOf(user);
  assert.deepEqual(rest, {
    userId: user.id,
    hasMasterPin: true,
    wrongPins: 0,
    retryAfter: null,
    hardLocked: false,
    enrolled: true,
    passkeyRequired: false,
  });
  assert.ok(pinChangedAt! >= from - 1000 && pinChangedAt! <= Date.now() + 1000);
  assert.equal((await accountOf(user, { device: undefined })).enrolled, false, 'without a proof');
  assert.equal((await accountOf(user, { device: await newDevice() })).enrolled, false, 'with another key');

  const second = await user.wallet({ secretType: 'BITCOIN' });
  assert.equal(second.recoveryCode, undefined);
  const { body } = await user.call<Wallet[]>('GET', '/api/wallets');
  const { recoveryCode: _once, ...seen } = first;
  // There is no node here, which only the list shows.
  const unavailable = { status: 'UNAVAILABLE' };
  assert.deepEqual(body, [
    { ...seen, ...unavailable },
    { ...second, ...unavailable },
  ]);
  assert.deepEqual(
    [first.walletType, first.hasCustomPin, first.primary, first.alias, first.status],
    ['THREEWAY_SHARED', false, true, 'Savings', 'ACTIVE'],
  );
});

test('a further wallet needs the master PIN and an enrolled device', async () => {
  const user = await at.user();
  await user.wallet();
  const create = async (pincode: string, as?: Parameters<User['call']>[3]) => {
    const order = { walletType: 'THREEWAY_SHARED', secretType: 'TRON', pincode };
    return (await user.call('POST', '/api/wallets', order, as)).outcome;
  };
  assert.equal(await create(PIN, { device: undefined }), '401 device.proof.invalid');
  assert.equal(await create(OTHER_PIN, { device: await newDevice() }), '403 device.unknown');
  assert.equal((await accountOf(user)).wrongPins, 0, 'another device cannot try PINs');
  assert.equal(await create(OTHER_PIN), '403 pincode.wrong');
  assert.equal((await accountOf(user)).wrongPins, 1);
  assert.equal(await create(PIN), '201');
  assert.equal((await accountOf(user)).wrongPins, 0);
});

test('each caller may create only its own kinds of wallets', async () => {
  const user = await at.user();
  const order = { secretType: 'ETHEREUM', pincode: PIN };
  const shared = await at.call(at.shop, 'POST', '/api/wallets', { ...order, walletType: 'THREEWAY_SHARED' });
  assert.equal(shared.outcome, '400 request.invalid walletType');
  const label = await user.call('POST', '/api/wallets', { ...order, walletType: 'WHITE_LABEL' });
  assert.equal(label.outcome, '403 token.scope');
  const { body } = await at.service.service.tokens
    .issue({ accountId: user.id, clientId: at.clientId, scopes: ['whitelabel', 'view:wallets'] })
    .then(async ({ access_token: token }) => {
      const headers = {
        DPoP: await user.device.prove({
          method: 'POST',
          url: `${at.service.url}/api/wallets`,
          accessToken: token,
        }),
      };
      return at.call(token, 'POST', '/api/wallets', { ...order, walletType: 'THREEWAY_SHARED' }, headers);
    });
  assert.equal(body['code'], 'token.scope', 'whitelabel creates no wallets of users');
  for (const path of ['/api/account', '/api/devices'])
    assert.equal((await at.call(at.shop, 'GET', path)).outcome, '403 token.scope', path);
});

test('easily guessed PINs are refused at their field', async () => {
  const user = await at.user();
  const easy = ['0000', '123456', '1987', '2580'];
  for (const pincode of easy) {
    const order = { secretType: 'ETHEREUM', pincode };
    const refused = '400 request.invalid pincode';
    const shared = { ...order, walletType: 'THREEWAY_SHARED' };
    assert.equal((await user.call('POST', '/api/wallets', shared)).outcome, refused);
    const label = { ...order, walletType: 'WHITE_LABEL' };
    assert.equal((await at.call(at.shop, 'POST', '/api/wallets', label)).outcome, refused);
  }
  assert.equal((await accountOf(user)).hasMasterPin, false);
  const { id, recoveryCode } = await user.wallet();
  for (const next of easy) {
    const refused = '400 request.invalid next';
    assert.equal((await user.call('POST', '/api/pincode', { pincode: PIN, next })).outcome, refused);
    const own = await user.call('POST', `/api/wallets/${id}/pincode`, { pincode: PIN, next });
    assert.equal(own.outcome, refused);
    const recovered = await user.call('POST', '/api/pincode/recover', { recoveryCode, next });
    assert.equal(recovered.outcome, refused);
  }
  const { body } = await user.call('POST', '/api/pincode', { pincode: PIN, next: '1987' });
  assert.equal(body['detail'], 'next: is easy to guess: it is a year. Choose another one');
  assert.equal(await exported(user, id), '200', 'the PIN is unchanged');
});

test('changing the master PIN requires the old one', async () => {
  const user = await at.user();
  const { id } = await user.wallet();
  const before = (await accountOf(user)).pinChangedAt!;
  const change = (pincode: string, next: string) => user.call('POST', '/api/pincode', { pincode, next });
  assert.equal((await change(OTHER_PIN, THIRD_PIN)).outcome, '403 pincode.wrong');
  const changed = await change(PIN, OTHER_PIN);
  assert.deepEqual([changed.status, changed.body], [200, {}]);
  assert.ok((await accountOf(user)).pinChangedAt! >= before);
  assert.equal(await exported(user, id), '403 pincode.wrong');
  assert.equal(await exported(user, id, OTHER_PIN), '200');
});

test('a wallet can have its own PIN and recovery code', async () => {
  const user = await at.user();
  const [own, other] = [await user.wallet(), await user.wallet()];
  const path = `/api/wallets/${own.id}/pincode`;
  const set = await user.call('POST', path, { pincode: PIN, next: OTHER_PIN });
  assert.match(String(set.body['recoveryCode']), CODE);
  assert.notEqual(set.body['recoveryCode'], own.recoveryCode);
  assert.equal((await user.call('GET', `/api/wallets/${own.id}`)).body['hasCustomPin'], true);
  assert.equal(await exported(user, own.id), '403 pincode.wrong');
  assert.equal(await exported(user, own.id, OTHER_PIN), '200');
  assert.equal(await exported(user, other.id), '200');
  assert.equal(
    (await user.call('POST', path, { pincode: OTHER_PIN, next: PIN })).outcome,
    '409 request.conflict',
  );

  const change = { pincode: OTHER_PIN, next: THIRD_PIN, walletId: own.id };
  assert.equal((await user.call('POST', '/api/pincode', change)).outcome, '200');
  assert.equal(await exported(user, own.id, THIRD_PIN), '200');
  const none = await user.call('POST', '/api/pincode', { ...change, walletId: other.id });
  assert.equal(none.outcome, '409 request.conflict', 'the other wallet does not have its own PIN');

  const code = { recoveryCode: set.body['recoveryCode'], next: OTHER_PIN, walletId: own.id };
  const elsewhere = await user.call('POST', '/api/pincode/recover', code, { device: await newDevice() });
  assert.equal(elsewhere.outcome, '403 device.unknown', "a wallet's recovery code enrols no device");
  assert.equal((await user.call('POST', '/api/pincode/recover', code)).outcome, '200');
  assert.equal(await exported(user, own.id, OTHER_PIN), '200');
  assert.equal(await exported(user, other.id), '200', 'the master PIN is unchanged');
});

test('the recovery code lifts a lock by wrong PINs, enrols the device, and works once', async () => {
  const user = await at.user();
  const { id, recoveryCode } = await user.wallet();
  for (let n = 0; n < 5; n++) await exported(user, id, OTHER_PIN);
  const locked = await user.call('POST', `/api/wallets/${id}/export`, { pincode: PIN });
  assert.equal(locked.outcome, '423 pincode.locked');
  assert.equal(
    locked.headers.get('retry-after'),
    String((locked.body['details'] as { retryAfter: number }).retryAfter),
  );
  const { retryAfter, wrongPins } = await accountOf(user);
  assert.ok(retryAfter! > 14 * 60 && retryAfter! <= 15 * 60);
  assert.equal(wrongPins, 5);
  for (const minutes of [15, 30, 60, 120, 240]) {
    await advanceLocks(at.service.service.db, user.id, minutes);
    await exported(user, id, OTHER_PIN);
  }
  const hard = await accountOf(user);
  assert.deepEqual([hard.hardLocked, hard.wrongPins, hard.retryAfter], [true, 10, null]);

  const device = await newDevice();
  const recover = (code: unknown, as = {}) =>
    user.call('POST', '/api/pincode/recover', { recoveryCode: code, next: OTHER_PIN }, { device, ...as });
  const wrong = recoveryCode!.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
  assert.equal((await recover(wrong)).outcome, '400 request.invalid recoveryCode');
  assert.equal((await recover(recoveryCode, { device: undefined })).outcome, '401 device.proof.invalid');
  const typed = recoveryCode!.toLowerCase().replaceAll('-', ' ');
  const next = (await recover(typed)).body['recoveryCode'];
  assert.match(String(next), CODE);
  assert.equal((await recover(recoveryCode)).outcome, '400 request.invalid recoveryCode');
  const lifted = await accountOf(user, { device });
  assert.deepEqual([lifted.hardLocked, lifted.wrongPins, lifted.enrolled], [false, 0, true]);
  const spent = await user.call('POST', `/api/wallets/${id}/export`, { pincode: OTHER_PIN }, { device });
  assert.equal(spent.outcome, '200');
  assert.equal((await recover(next)).outcome, '200');
});

test('a lost recovery code is replaced by whoever knows the PIN', async () => {
  const user = await at.user();
  const { id, recoveryCode } = await user.wallet();
  const renew = (pincode: string) => user.call('POST', '/api/pincode/recovery-code', { pincode });
  const before = (await accountOf(user)).pinChangedAt;
  assert.equal((await renew(OTHER_PIN)).outcome, '403 pincode.wrong');
  const code = (await renew(PIN)).body['recoveryCode'];
  assert.match(String(code), CODE);
  assert.equal((await accountOf(user)).pinChangedAt, before, 'the PIN is the same');
  const recover = async (given: unknown) =>
    (await user.call('POST', '/api/pincode/recover', { recoveryCode: given, next: OTHER_PIN })).outcome;
  assert.equal(await recover(recoveryCode), '400 request.invalid recoveryCode');
  assert.equal(await recover(code), '200');
  assert.equal(await exported(user, id, OTHER_PIN), '200');
  const several = await Promise.all([renew(OTHER_PIN), renew(OTHER_PIN), renew(OTHER_PIN)]);
  const answered = several.filter(({ status }) => status === 200);
  assert.ok(answered.length >= 1);
  for (const { outcome } of several) assert.match(outcome, /^(200|409 request.conflict)$/);
  // Only the last code returned works.
  const works = await Promise.all(
    answered.map(({ body }) =>
      user.call('POST', '/api/pincode/recover', { recoveryCode: body['recoveryCode'], next: PIN }),
    ),
  );
  assert.equal(works.filter(({ status }) => status === 200).length, 1);
});

test('devices are enrolled with PIN and recovery code, listed and removed', async () => {
  const user = await at.user();
  const { id, recoveryCode } = await user.wallet();
  const phone = await newDevice();
  const enrol = (body: Record<string, unknown>, device = phone) =>
    user.call('POST', '/api/devices', { pincode: PIN, recoveryCode, ...body }, { device });
  const foreign = (await (await at.user()).wallet()).recoveryCode;
  assert.equal((await enrol({ recoveryCode: foreign })).outcome, '400 request.invalid recoveryCode');
  assert.equal(
    (await enrol({ pincode: OTHER_PIN, recoveryCode: foreign })).outcome,
    '400 request.invalid recoveryCode',
  );
  assert.equal((await accountOf(user)).wrongPins, 0, 'without the code no attempt is counted');
  assert.equal((await enrol({ pincode: OTHER_PIN })).outcome, '403 pincode.wrong');
  const enrolled = await enrol({});
  assert.equal(enrolled.outcome, '201');
  assert.equal(enrolled.body['thumbprint'], phone.thumbprint);
  assert.deepEqual((await enrol({})).body, enrolled.body, 'enrolling twice is harmless');
  const list = async () =>
    (await user.call<{ thumbprint: string }[]>('GET', '/api/devices')).body.map((each) => each.thumbprint);
  assert.deepEqual(await list(), [user.device.thumbprint, phone.thumbprint]);
  const spend = () => user.call('POST', `/api/wallets/${id}/export`, { pincode: PIN }, { device: phone });
  assert.equal((await spend()).outcome, '200');
  const remove = async (thumbprint: string) =>
    (await user.call('DELETE', `/api/devices/${thumbprint}`)).outcome;
  const stranger = await at.user();
  await stranger.wallet();
  assert.equal(await remove(stranger.device.thumbprint), '400 request.invalid thumbprint');
  assert.equal(await remove(phone.thumbprint), '200');
  assert.equal((await spend()).outcome, '403 device.unknown');
  assert.equal((await enrol({}, user.device)).outcome, '201', 'enrolling does not use up the code');
  const nobody = await at.user();
  const early = await nobody.call('POST', '/api/devices', { pincode: PIN, recoveryCode });
  assert.equal(early.outcome, '409 request.conflict');
});

test('a wallet is renamed, archived and restored; each chain has one primary wallet', async () => {
  const user = await at.user();
  const ids = [await user.wallet(), await user.wallet(), await user.wallet()].map(({ id }) => id);
  const [one, two, three] = ids as [string, string, string];
  const edit = (id: string, body: object) => user.call<Wallet>('PATCH', `/api/wallets/${id}`, body);
  const primary = async () =>
    (await user.call<Wallet[]>('GET', '/api/wallets')).body
      .filter((each) => each.primary)
      .map(({ id }) => id);

  const renamed = Wallet.parse((await edit(one, { alias: 'Tïll', description: 'a\nb' })).body);
  assert.deepEqual([renamed.alias, renamed.description, renamed.primary], ['Tïll', 'a\nb', true]);
  assert.equal((await edit(one, {})).body.alias, 'Tïll', 'absent fields are unchanged');
  assert.equal((await edit(one, { alias: 'a\u0007' })).outcome, '400 request.invalid alias');
  assert.equal((await edit(one, { primary: false })).outcome, '400 request.invalid primary');
  assert.equal((await edit(one, { primary: true, archived: true })).outcome, '400 request.invalid primary');

  assert.equal((await edit(two, { primary: true })).body.primary, true);
  assert.deepEqual(await primary(), [two]);
  const away = (await edit(two, { archived: true })).body;
  assert.deepEqual([away.archived, away.status, away.primary], [true, 'ARCHIVED', false]);
  assert.deepEqual(await primary(), [one], 'the oldest remaining one becomes primary');
  for (const [method, path, body] of [
    ['POST', `/api/wallets/${two}/export`, { pincode: PIN }],
    ['POST', `/api/wallets/${two}/pincode`, { pincode: PIN, next: OTHER_PIN }],
    ['PATCH', `/api/wallets/${two}`, { primary: true }],
  ] as const)
    assert.equal((await user.call(method, path, body)).outcome, '409 wallet.archived', path);
  await edit(one, { archived: true });
  await edit(three, { archived: true });
  assert.deepEqual(await primary(), []);
  assert.equal((await edit(three, { archived: false })).body.primary, true, 'the only one in use');
  assert.equal((await edit(two, { archived: false, primary: true })).body.primary, true);
  assert.equal((await edit(one, { archived: false })).body.primary, false);
  assert.equal(await exported(user, one), '200');

  const all = await Promise.all(ids.map((id) => edit(id, { primary: true })));
  assert.deepEqual(
    all.map(({ outcome }) => outcome),
    ['200', '200', '200'],
  );
  assert.equal((await primary()).length, 1);
});

test('a key is exported in the chain’s usual format, and yields the address', async () => {
  const user = await at.user();
  for (const secretType of SECRET_TYPES) {
    const { id, address } = await user.wallet({ secretType });
    const { body } = await user.call('POST', `/api/wallets/${id}/export`, { pincode: PIN });
    const chain = await loadChain(secretType);
    const key = await chain.importKey(body['key'] as string);
    assert.equal(await chain.address(key as never, 'mainnet'), address, secretType);
  }
});

test('linked wallets are stored per application, user and origin', async () => {
  const user = await at.user('linker');
  const ids = [await user.wallet(), await user.wallet(), await user.wallet()].map(({ id }) => id);
  const origin = 'https://shop.example';
  const put = (walletIds: unknown, site: unknown = origin, who = user) =>
    who.call('PUT', '/api/links', { origin: site, walletIds });
  const linked = async (site = origin, who = user) =>
    (
      await who.call('GET', `/api/links?origin=${encodeURIComponent(site)}`, undefined, {
        device: user.device,
      })
    ).body['walletIds'];
  assert.deepEqual(await linked(), []);
  assert.deepEqual((await put([ids[1], ids[0], ids[1]])).body['walletIds'], ids.slice(0, 2).sort());
  assert.deepEqual((await put([ids[2], ids[0]])).body['walletIds'], [ids[0], ids[2]], 'one was unlinked');
  assert.deepEqual(await linked(), [ids[0], ids[2]]);
  assert.deepEqual(await linked('https://shop.example:444'), []);
  const path = `/api/links?origin=${encodeURIComponent(origin)}`;
  const page = await user.call('GET', path, undefined, { device: undefined });
  assert.equal(page.outcome, '401 device.proof.invalid', 'a page with only the token');

  const second = await at.user('linker', (await at.service.client()).id);
  assert.equal(second.id, user.id);
  assert.deepEqual(await linked(origin, second), [], 'another application');

  const stranger = await at.user();
  const theirs = await stranger.wallet();
  assert.equal((await put([ids[0], theirs.id])).outcome, '403 wallet.forbidden');
  assert.equal((await put([ids[0], 'nothing'])).outcome, '403 wallet.forbidden');
  assert.deepEqual(await linked(), [ids[0], ids[2]], 'nothing changed');
  for (const odd of ['https://shop.example/', 'shop.example', 'null', 'file://', 'javascript:1', 7])
    assert.equal((await put([], odd)).outcome, '400 request.invalid origin', String(odd));
  await Promise.all([put([ids[0]]), put([ids[1], ids[2]])]);
  const left = (await linked()) as string[];
  assert.ok(
    left.length === 1 ? left[0] === ids[0] : !left.includes(ids[0]!),
    'one of the two lists, complete',
  );
  assert.deepEqual((await put([])).body['walletIds'], []);
});

test('an account set aside as documented makes room for a new one', async () => {
  const before = await at.user('taken');
  const { id } = await before.wallet();
  const [statement] = /^update accounts set [^;]+;/m.exec(
    readFileSync(resolve(import.meta.dirname, '../../docs/service.md'), 'utf8'),
  )!;
  const { db } = at.service.service;
  await sql.raw(statement.replace(/<[^>]+>/, before.id)).execute(db);
  const now = await at.user('taken');
  assert.notEqual(now.id, before.id);
  assert.equal((await now.call('GET', '/api/account')).body['hasMasterPin'], false);
  assert.equal((await now.call('GET', `/api/wallets/${id}`)).outcome, '403 wallet.forbidden');
  assert.match(
    String((await before.call('POST', `/api/wallets/${id}/export`, { pincode: PIN })).body['key']),
    /^0x/,
  );
});

test('a repeated request creates one wallet per user', async () => {
  const [one, two] = [await at.user(), await at.user()];
  const make = async (user: User, more: object, key?: string) => {
    const order = { walletType: 'THREEWAY_SHARED', secretType: 'ETHEREUM', pincode: PIN, ...more };
    return user.call<CreatedWallet>('POST', '/api/wallets', order, {
      headers: key ? { 'Idempotency-Key': key } : {},
    });
  };
  const several = await Promise.all([1, 2, 3].map(() => make(one, {}, 'first')));
  assert.equal(new Set(several.map(({ body }) => body.id)).size, 1);
  // Retries during the first request get its answer, with the code.
  assert.equal(new Set(several.flatMap(({ body }) => body.recoveryCode ?? [])).size, 1);
  assert.equal((await make(one, {}, 'first')).body.recoveryCode, undefined);
  assert.equal((await make(one, { alias: 'x' }, 'first')).outcome, '409 request.conflict');
  assert.notEqual((await make(two, {}, 'first')).body.id, several[0]!.body.id, 'of another user');
  const named = (await make(one, { identifier: 'till' })).body.id;
  const again = (await make(one, { identifier: 'till' })).body;
  assert.deepEqual([again.id, again.identifier], [named, 'till']);
  assert.equal(several[0]!.body.identifier, undefined);
  assert.notEqual((await make(two, { identifier: 'till' })).body.id, named);
  assert.notEqual((await whiteLabel({ identifier: 'till' })).id, named);
});

test('a repeated identifier never returns a wallet of another chain or network', async () => {
  const user = await at.user();
  const make = (more: object) =>
    user.call<CreatedWallet>('POST', '/api/wallets', {
      walletType: 'THREEWAY_SHARED',
      secretType: 'ETHEREUM',
      pincode: PIN,
      identifier: 'till',
      ...more,
    });
  const { id } = (await make({ alias: 'Till' })).body;
  const other = await make({ secretType: 'BITCOIN' });
  assert.equal(other.outcome, '409 request.conflict');
  assert.match(String((other.body as object as { detail: string }).detail), /secretType is “ETHEREUM”/);
  assert.equal((await make({ alias: 'Another name' })).outcome, '409 request.conflict');
  assert.equal((await make({})).body.id, id);
});

test('an application operates its white-label wallets with PIN and token, but not its users’ wallets', async () => {
  const { id, recoveryCode } = await whiteLabel();
  assert.match(recoveryCode!, CODE);
  const call = (method: string, path: string, body: unknown, token = at.shop) =>
    at.call(token, method, path, body);
  const key = (pincode: string) => call('POST', `/api/wallets/${id}/export`, { pincode });
  assert.equal((await call('PATCH', `/api/wallets/${id}`, { alias: 'Till' })).body['alias'], 'Till');
  assert.equal((await key(OTHER_PIN)).outcome, '403 pincode.wrong');
  assert.match(String((await key(PIN)).body['key']), /^(0x)?[0-9a-f]{64}$/);
  const change = { pincode: PIN, next: OTHER_PIN, walletId: id };
  assert.equal((await call('POST', '/api/pincode', change)).outcome, '200');
  assert.equal((await key(OTHER_PIN)).outcome, '200');
  const { walletId: _id, ...without } = change;
  assert.equal((await call('POST', '/api/pincode', without)).outcome, '400 request.invalid walletId');
  const renewed = await call('POST', '/api/pincode/recovery-code', { pincode: OTHER_PIN, walletId: id });
  const recovered = { recoveryCode: renewed.body['recoveryCode'], next: PIN, walletId: id };
  assert.equal(
    (await call('POST', '/api/pincode/recover', { ...recovered, recoveryCode })).outcome,
    '400 request.invalid recoveryCode',
  );
  assert.equal((await call('POST', '/api/pincode/recover', recovered)).outcome, '200');
  assert.equal((await key(PIN)).outcome, '200');

  const user = await at.user();
  const theirs = await user.wallet();
  const [, other] = await Promise.all([
    at.call(at.shop, 'GET', `/api/wallets/${theirs.id}`).then(({ status }) => assert.equal(status, 200)),
    at.service.tokens(['whitelabel', 'sign:wallets', 'view:wallets']),
  ]);
  const narrow = await at.service.service.tokens.issue({
    accountId: at.clientId,
    clientId: at.clientId,
    scopes: ['sign:wallets', 'view:wallets'],
  });
  for (const [method, path, body] of [
    ['PATCH', '/api/wallets/{id}', { alias: 'mine' }],
    ['POST', '/api/wallets/{id}/export', { pincode: PIN }],
    ['POST', '/api/wallets/{id}/pincode', { pincode: PIN, next: OTHER_PIN }],
    ['POST', '/api/pincode', { pincode: PIN, next: OTHER_PIN, walletId: '{id}' }],
    [
      'POST',
      '/api/pincode/recover',
      { recoveryCode: theirs.recoveryCode, next: OTHER_PIN, walletId: '{id}' },
    ],
    ['POST', '/api/pincode/recovery-code', { pincode: PIN, walletId: '{id}' }],
  ] as const) {
    const of = (wallet: string, token: string) =>
      call(
        method,
        path.replace('{id}', wallet),
        JSON.parse(JSON.stringify(body).replace('{id}', wallet)),
        token,
      );
    assert.equal((await of(theirs.id, at.shop)).outcome, '403 wallet.forbidden', `${path} of a user`);
    assert.equal((await of(id, other.access_token)).outcome, '403 wallet.forbidden', `${path} of another's`);
    if (!path.endsWith('{id}/pincode'))
      assert.equal(
        (await of(id, narrow.access_token)).outcome,
        '403 token.scope',
        `${path} without whitelabel`,
      );
  }
});
