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

test('the React components render on a server: the tags, their text, and nothing else', async () => {
  const { createElement } = await import('react');
  const { renderToString } = await import('react-dom/server');
  const { ConnectProvider, TransferDialog } = await import('../../src/react/index.ts');
  const page = createElement(
    ConnectProvider,
    { frame: 'https://connect.example', getAccessToken: () => 'secret' },
    createElement(
      TransferDialog,
      { walletId: 'mine', value: 1n, open: true, className: 'wide', onConnectResult: () => {} },
      'Pay',
    ),
  );
  assert.equal(
    renderToString(page),
    '<connect-provider frame="https://connect.example" defer-hydration="">' +
      '<transfer-dialog wallet-id="mine" class="wide" defer-hydration="">Pay</transfer-dialog></connect-provider>',
  );
});

test('a DOM of tests that lacks `origin`, `isSecureContext` and `crossOriginIsolated` is enough to make a connect', async () => {
  const { createConnect } = await import('../../src/index.ts');
  const given = { location: new URL('http://localhost:3000/'), addEventListener() {} };
  Object.assign(globalThis, given, { window: globalThis, top: globalThis });
  try {
    const connect = createConnect({ frame: 'https://connect.example', surface: 'popup' });
    assert.deepEqual(await connect.wallets(), []);
    await assert.rejects(
      createConnect({ frame: 'ftp://connect.example' }).linkWallets(),
      (error) => error instanceof Error && /must be an https URL/.test(error.message),
    );
  } finally {
    for (const name of [...Object.keys(given), 'window', 'top']) Reflect.deleteProperty(globalThis, name);
  }
});

test('the wallet for tests needs no DOM, and is none in production', async () => {
  const { fakeWallet } = await import('../../src/testing/index.ts');
  const published = await import('../../src/testing/published.ts');
  const { connect } = fakeWallet();
  const [wallet] = await connect.linkWallets({ secretTypes: ['GOCHAIN'] });
  assert.equal(await connect.provider({ chain: 'GOCHAIN' }).request({ method: 'eth_chainId' }), '0x3c');
  assert.deepEqual(await connect.wallets(), [wallet]);
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    assert.throws(() => fakeWallet(), /carabiner\/testing is in a production build/);
    assert.deepEqual(published.fakeWallet().requests, []);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
});
