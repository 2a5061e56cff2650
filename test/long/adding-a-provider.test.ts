/** Follows the guides for adding a payment provider and a price source to the letter, in a copy of the project. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import { withDatabase } from '../../service/commands/command.ts';
import { readConfig } from '../../service/config.ts';
import { order } from '../service/checkout-setup.ts';
import { bearer, dataIn, temporaryFolder, TOKEN_PATH } from '../service/harness.ts';
import { ProjectCopy } from '../pages.ts';
import { end, type ServiceProcess, startProcess } from '../service/processes-setup.ts';

const CODE = 'mugs-for-all';

let folder: string;
let project: ProjectCopy;
let copy: string;

before(() => {
  folder = temporaryFolder();
  project = new ProjectCopy(join(folder, 'copy'), ['service', 'src', 'package.json', 'tsconfig.json']);
  copy = project.folder;
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('a payment provider is added by a folder and a line, and takes a payment', async () => {
  const { files, added, removed } = project.follow('docs/adding-a-payment-provider.md');
  const [elsewhere, ...others] = files.filter(
    (path) => !path.startsWith('service/checkout/providers/voucher/'),
  );
  assert.deepEqual([elsewhere, others], ['service/checkout/providers/registry.ts', []]);
  assert.deepEqual([added[elsewhere!], removed], [1, 0]);

  const code = join(folder, 'code');
  writeFileSync(code, `${CODE}\n`);
  const settings = { DATA_DIR: dataIn(folder), PAYMENT_PROVIDER: 'voucher', LOG_LEVEL: 'info' };
  const incomplete = assert.rejects(
    startProcess(settings, copy),
    /PAYMENT_PROVIDER=voucher needs VOUCHER_CODE_FILE/,
  );
  const started = await startProcess({ ...settings, VOUCHER_CODE_FILE: code }, copy);
  try {
    await incomplete;
    await pay(started);
  } finally {
    await end(started);
  }
});

async function pay({ url }: ServiceProcess): Promise<void> {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, { redirect: 'manual', ...init });
  const post = (path: string, body: unknown, headers = {}): Promise<Response> =>
    call(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  let client = { id: '', secret: '' };
  await withDatabase(
    async (db) => {
      client = await createClient(db, { name: 'shop', scopes: CHECKOUT_SCOPES });
      return '';
    },
    readConfig({ DATA_DIR: dataIn(folder) }),
  );
  const token = await post(TOKEN_PATH, {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  });
  const headers = bearer(((await token.json()) as { access_token: string }).access_token);
  const made = await post('/checkout/sessions', order(), headers);
  assert.equal(made.status, 201);
  const session = (await made.json()) as CheckoutSession;
  const page = new URL(session.url!).pathname;
  assert.equal((await call(`${page}?code=wrong`)).status, 400);
  const paid = await call(`${page}?code=${CODE}`);
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, session.success_url]);
  const read = await call(`/checkout/sessions/${session.id}`, { headers });
  const { status, payment_status } = (await read.json()) as CheckoutSession;
  assert.deepEqual([status, payment_status], ['complete', 'paid']);
  const dashboard = await call('/voucher-dashboard', { headers });
  assert.equal(((await dashboard.json()) as { url: string }).url, 'https://vouchers.example/used');
  const other = await call('/test-dashboard', { headers });
  assert.match(((await other.json()) as { detail: string }).detail, /with voucher: GET \/voucher-dashboard/);
}

test('a price source is added by a file and a line, and supplies prices', () => {
  const { files, added, removed } = project.follow('docs/adding-a-price-source.md');
  assert.deepEqual(files, ['service/prices/fixed-price.ts', 'service/prices/registry.ts']);
  assert.deepEqual([added['service/prices/registry.ts'], removed], [1, 0]);

  const script = join(folder, 'price.mts');
  writeFileSync(
    script,
    `import { priceOf, readyPrices, wrongPrices } from '${copy}/service/prices/prices.ts';
    const network = (perUnit: string) => ({ tokens: [], prices: { USD: { source: 'fixed', perUnit } } }) as never;
    const price = readyPrices(network('400')).get('USD')!;
    const worth = await priceOf(price, { currency: 'USD', minorUnits: 1999n } as never);
    console.log(JSON.stringify([String(worth), wrongPrices(network('0'))]));`,
  );
  const printed = execFileSync(process.execPath, ['--import', 'tsx', script], {
    cwd: copy,
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(printed), [
    '7996',
    [{ path: 'prices.USD.perUnit', message: 'must be a whole number of smallest units' }],
  ]);
});
