/** Libraries of dApps on a page of the wallet's, with a real wallet and a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Wallet as EthersWallet, parseEther, verifyMessage, verifyTypedData } from 'ethers';
import { bundleForPage } from '../../scripts/bundled-tests.ts';
import { axe, openWorld, type Visitor, type World } from './harness.ts';
import { core, rest } from './parts.ts';

let world: World;
let script: string;
before(async () => {
  world = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-dapp-'));
  try {
    await bundleForPage('test/e2e/dapp.ts', join(folder, 'dapp.js'));
    script = readFileSync(join(folder, 'dapp.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
after(() => world.close());

async function visit(where: 'iframe' | 'popup'): Promise<Visitor> {
  const visitor = await world.visit(where, '/plain');
  await visitor.page.addScriptTag({ content: script });
  return visitor;
}

rest(
  'ethers sends long after the click: the page shows a button, and a second call waits for nobody',
  async () => {
    const visitor = await visit('popup');
    const { address } = await visitor.wealthyWallet();
    const to = EthersWallet.createRandom().address;
    // Heard of and not looked for: whatever Playwright evaluates counts as a gesture.
    const shown = visitor.page.waitForEvent('console', (message) => message.text() === 'a dialog');
    await visitor.run(async (connect, recipient) => {
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            if ((node as Element).shadowRoot?.querySelector('dialog')) console.log('a dialog');
      }).observe(document.body, { childList: true });
      const { BrowserProvider } = window.dapp;
      const provider = new BrowserProvider(connect.provider({ chain: 'ETHEREUM' }), 'any');
      const signer = await provider.getSigner();
      // A browser opens windows for some seconds after a click.
      while (navigator.userActivation.isActive) await new Promise((drawn) => requestAnimationFrame(drawn));
      const sent = await signer.sendTransaction({ to: recipient, value: 10n ** 18n });
      await sent.wait();
      return sent.from;
    }, to);
    const open = visitor.button('Open in a window');
    await shown;
    await open.waitFor();
    assert.deepEqual(
      await visitor.evaluate(() => window.connect.provider().request({ method: 'eth_accounts' })),
      [address],
    );
    const second = await visitor.evaluate(() =>
      window.connect
        .provider()
        .request({ method: 'eth_requestAccounts' })
        .then((all) =>
          window.connect
            .provider()
            .request({ method: 'personal_sign', params: ['Hello', all[0]] })
            .catch((error: { code: number }) => error.code),
        ),
    );
    assert.equal(second, -32002);
    assert.deepEqual(await axe(visitor.page), []);
    const view = await visitor.opening(() => open.click());
    await view.approve();
    assert.equal((await visitor.answer<string>()).value, address);
    assert.equal(await world.chain.getBalance(to), parseEther('1'));

    // The window is still there: no click is needed.
    const signing = visitor.evaluate(() =>
      window.connect
        .provider()
        .request({ method: 'eth_accounts' })
        .then(([account]) =>
          window.connect.provider().request({ method: 'personal_sign', params: ['Hello', account] }),
        ),
    );
    await view.approval().waitFor();
    await view.approve();
    assert.equal(verifyMessage('Hello', await signing), address);
    await visitor.close();
  },
);

core('viem links, signs typed data and sends a batch in a dialog', async () => {
  const visitor = await visit('iframe');
  const { address } = await visitor.wealthyWallet();
  const typed = {
    domain: { name: 'Mail', chainId: 31337 },
    types: { Mail: [{ name: 'text', type: 'string' }] },
    primaryType: 'Mail',
    message: { text: 'Hello' },
  } as const;
  const signing = await visitor.ask(async (connect, data) => {
    const { createWalletClient, custom, foundry, publicActions } = window.dapp;
    const client = createWalletClient({ chain: foundry, transport: custom(connect.provider()) }).extend(
      publicActions,
    );
    const [account] = await client.requestAddresses();
    const signature = await client.signTypedData({ account: account!, ...data });
    const { id } = await client.sendCalls({
      account: account!,
      calls: [1n, 2n].map((value) => ({ to: account!, value })),
    });
    const { status, receipts } = await client.waitForCallsStatus({ id });
    return { signature, status, receipts: receipts!.length };
  }, typed);
  await signing.approve();
  const list = visitor.iframe();
  await list.press('Continue');
  for (const step of [1, 2]) {
    // The first one's view is still there while it is sent.
    await list.text(`${step} of 2`).first().waitFor();
    await list.approve();
  }
  const { value } = await visitor.answer<{ signature: string; status: string; receipts: number }>();
  const { Mail } = typed.types;
  assert.equal(verifyTypedData(typed.domain, { Mail: [...Mail] }, typed.message, value!.signature), address);
  assert.deepEqual([value!.status, value!.receipts], ['success', 2]);
  await visitor.close();
});
