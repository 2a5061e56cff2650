/** A wallet of another maker in the page, with a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import { bundleForPage } from '../../scripts/bundled-tests.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { demoPhone } from '../../demo/wallets/walletconnect.ts';
import { startRelay } from '../../demo/wallets/walletconnect-relay.ts';
import type { Connect } from '../../src/index.ts';
import { axe, openWorld, poll, type World } from './harness.ts';

declare global {
  interface Window {
    far: Connect;
    linking: Promise<Wallet[]>;
  }
}

let world: World;
let script: string;
before(async () => {
  world = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-external-'));
  try {
    await bundleForPage('test/e2e/external-page.ts', join(folder, 'page.js'));
    script = readFileSync(join(folder, 'page.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
after(() => world.close());

test('a wallet that the browser has is linked from the element, sends, and is there after a reload, without any window of ours', async () => {
  const key = EthersWallet.createRandom();
  await world.ethereum.give('ETH', key.address);
  const visitor = await world.visit('popup', '/');
  const { page } = visitor;
  await page.exposeFunction('askNode', (method: string, params: unknown[]) =>
    world.chain.send(method, params),
  );
  const install = async () => {
    await page.addScriptTag({ content: script });
    await visitor.evaluate((secret) => {
      window.theirs = window.demoWallet({
        keys: [secret],
        chainId: 31337,
        nodes: { 31337: (method, params) => window.askNode(method, params) },
        approves: () => !window.refusing,
      });
      window.theirs.announce();
    }, key.privateKey);
  };
  await install();
  await visitor.button('Connect wallet').click();
  await visitor.button('Demo wallet, browser wallet').waitFor();
  assert.deepEqual(await axe(page), []);
  await visitor.button('Demo wallet, browser wallet').click();
  await visitor.event('result', 'linkWallets');
  const [wallet] = await visitor.wallets();
  assert.deepEqual([wallet!.address, wallet!.walletType], [key.address, 'EXTERNAL']);

  const to = EthersWallet.createRandom().address;
  const send = (walletId: string) =>
    visitor.run((connect, given) => connect.transfer({ ...given, value: '1.5', secretType: 'ETHEREUM' }), {
      walletId,
      to,
    });
  await send(wallet!.id);
  const { value } = await visitor.answer<{ transactionHash: string }>();
  await world.receipt(value!.transactionHash);
  assert.equal(await world.chain.getBalance(to), parseEther('1.5'));

  await visitor.reload();
  await install();
  assert.deepEqual(
    (await visitor.wallets()).map(({ id, status }: Wallet) => [id, status]),
    [[wallet!.id, 'ACTIVE']],
  );
  // A new page of the demo wallet has to be asked again; then it refuses.
  await visitor.evaluate(async () => {
    await window.theirs.provider.request({ method: 'eth_requestAccounts' });
    window.refusing = true;
  });
  await send(wallet!.id);
  assert.equal((await visitor.answer()).error?.code, 'user.rejected');
  assert.equal(visitor.window, undefined, 'our wallet opened a window');
  await visitor.close();
});

test('a wallet on a phone scans the code of WalletConnect, sends, is there after a reload, and is told that it is unlinked', async () => {
  const projectId = 'c0ffee'.padEnd(32, '0');
  const relay = await startRelay({ projects: [projectId] });
  const key = EthersWallet.createRandom();
  const [phone] = await Promise.all([
    demoPhone({
      relayUrl: relay.url,
      projectId,
      keys: [key.privateKey],
      nodes: { 31337: (method, params) => world.chain.send(method, [...params]) },
    }),
    world.ethereum.give('ETH', key.address),
  ]);
  const visitor = await world.visit('popup', '/plain');
  const { page } = visitor;
  const { frame } = world;
  const policy =
    `default-src 'none'; script-src ${frame}; style-src 'self'; connect-src 'self' ${frame} ${relay.url}; frame-src ${frame}; ` +
    "require-trusted-types-for 'script'; trusted-types lit-html";
  const open = async () => {
    await visitor.reload();
    await visitor.evaluate(
      async ({ options, content }) => {
        const meta = Object.assign(document.createElement('meta'), { content });
        meta.httpEquiv = 'Content-Security-Policy';
        document.head.append(meta);
        const { createConnect } = await import(`${options.frame}/connect.js`);
        window.far = createConnect(options);
      },
      { options: { frame, walletConnect: { projectId, relayUrl: relay.url } }, content: policy },
    );
  };
  try {
    await open();
    await visitor.evaluate(
      () => void (window.linking = window.far.linkWallets({ secretTypes: ['ETHEREUM'] })),
    );
    await visitor.button('WalletConnect').click();
    await page.getByText('Waiting for your wallet').waitFor();
    assert.deepEqual(await axe(page), []);
    await phone.scan((await page.locator('dialog a').getAttribute('href'))!);
    const [wallet] = await visitor.evaluate(() => window.linking);
    assert.deepEqual(
      [wallet!.address, wallet!.alias, wallet!.walletType],
      [key.address, 'Demo phone', 'EXTERNAL'],
    );

    const to = EthersWallet.createRandom().address;
    const given = { walletId: wallet!.id, to, value: '1.5', secretType: 'ETHEREUM' } as const;
    const send = () => visitor.evaluate((request) => window.far.transfer(request), given);
    const { transactionHash } = await send();
    await world.receipt(transactionHash);
    assert.equal(await world.chain.getBalance(to), parseEther('1.5'));

    await open();
    const [again] = await visitor.evaluate(() => window.far.wallets());
    assert.deepEqual([again!.id, again!.status], [wallet!.id, 'ACTIVE']);
    await world.receipt((await send()).transactionHash);
    await visitor.evaluate((id) => window.far.unlink(id), wallet!.id);
    await poll(async () => phone.sessions === 0 || undefined, 'the end of the session');
    assert.deepEqual(visitor.complaints, []);
  } finally {
    await visitor.close();
    await phone.close();
    await relay.close();
  }
});
