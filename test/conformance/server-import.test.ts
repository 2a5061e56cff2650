import assert from 'node:assert/strict';
import { test } from 'node:test';

test('on a server the npm entry does nothing when imported', async () => {
  assert.equal(typeof globalThis.window, 'undefined');
  const { ConnectError, createConnect } = await import('../../src/index.ts');
  const connect = createConnect({ frame: 'https://connect.example' });
  assert.deepEqual(await connect.wallets(), []);
  assert.deepEqual(await connect.pending(), []);
  connect.onWallets(() => {})();
  connect.onPending(() => {})();
  await assert.rejects(
    connect.linkWallets(),
    (error) => error instanceof ConnectError && error.details['reason'] === 'config',
  );
  connect.destroy();
});

test('the elements import on a server', async () => {
  const elements = await import('../../src/elements/index.ts');
  assert.equal(typeof elements.TransferDialog, 'function');
});
