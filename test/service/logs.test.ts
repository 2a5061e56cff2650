/** No log has a secret: `logs.ts` checks that of every service that a test starts, and this file that none is missed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTested, TOKEN_PATH } from './harness.ts';
import { checkLog, leaksIn, newLog } from './logs.ts';

/** How tests start a service, in this process or a separate one, and how its log gets checked. */
const STARTS = /startService\(|startDemo\(|['"]service\/main\.ts['"]/;
const CHECKED = /newLog\(|logOf\(/;

test('the log of every service that a test starts is checked', () => {
  const escaped = readdirSync(import.meta.dirname)
    .filter((name) => name !== 'logs.test.ts')
    .filter((name) => {
      const text = readFileSync(join(import.meta.dirname, name), 'utf8');
      return STARTS.test(text) && !CHECKED.test(text);
    });
  assert.deepEqual(escaped, []);
});

test('a secret seen on the wire is found in a log, and not repeated', async () => {
  const service = await startTested();
  const { id, secret } = await service.client(['whitelabel']);
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const answer = (await (await service.post(TOKEN_PATH, grant)).json()) as { access_token: string };
  await service.post(
    '/api/wallets',
    { pincode: '481516' },
    { Authorization: `Bearer ${answer.access_token}` },
  );
  const { keys } = JSON.parse(readFileSync(service.config.masterKeyFile, 'utf8')) as {
    keys: Record<string, string>;
  };
  const careless: [string, string][] = [
    [`{"msg":"client ${secret}"}`, 'client_secret'],
    [`{"token":"${answer.access_token}"}`, 'Authorization'],
    [`{"claims":"${answer.access_token.split('.')[1]}"}`, 'the claims of Authorization'],
    ['{"body":{"pincode":"481516"}}', 'a PIN'],
    ['{"msg":"wrong PIN 739154"}', 'a PIN'],
    [`{"key":"${keys['1']}"}`, service.config.masterKeyFile],
    ['{"msg":"ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345-6789"}', 'a recovery code'],
    ['{"msg":"postgres://shop:hunter2@db.example/wallets"}', 'a database URL with its password'],
  ];
  for (const [line, what] of careless) {
    assert.ok(leaksIn(line).includes(what), `${what}: ${leaksIn(line).join(', ')}`);
    const log = newLog();
    log.write(line);
    assert.throws(
      () => checkLog(log),
      (error: Error) => error.message.includes(what) && !error.message.includes(secret),
    );
  }
  // Numbers and ids that only resemble a PIN.
  assert.deepEqual(leaksIn('{"time":1739154002811,"request":"7c739154-1f0a-4b1e-9d2e-739154aabbcc"}'), []);
  await service.close();
});
