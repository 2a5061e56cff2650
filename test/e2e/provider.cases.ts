/** Libraries of dApps on a page of the wallet's, with a real wallet and a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { JsonRpcProvider, Wallet as EthersWallet, parseEther, verifyMessage, verifyTypedData } from 'ethers';
import { type Anvil, CHAIN_ID, startAnvil } from '../../demo/networks/anvil.ts';
import { bundleForPage } from '../../scripts/bundled-tests.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { axe, openWorld, type Visitor, type World } from './harness.ts';
import { core, rest, variant } from './parts.ts';

/** Two more networks, of which the second charges for the chain below it, too. */
const BASE = 31338;
const OP = 31339;

let world: World;
let script: string;
let machines: Anvil[] = [];
before(async () => {
  machines = await Promise.all([
    startAnvil('--chain-id', String(BASE)),
    startAnvil('--chain-id', String(OP), '--optimism'),
  ]);
  const [base, op] = machines.map(({ url }) => url);
  const network = (id: string, name: string, chainId: number, node: string): Network => ({
    id,
    secretType: 'ETHEREUM',
    name,
    kind: 'mainnet',
    chainId,
    nodes: [node],
    tokens: [],
  });
  world = await openWorld({
    networks: [network('base', 'Base', BASE, base!), network('op', 'OP Mainnet', OP, op!)],
  });
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-dapp-'));
  try {
    await bundleForPage('test/e2e/dapp.ts', join(folder, 'dapp.js'));
    script = readFileSync(join(folder, 'dapp.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
after(async () => {
  await world.close();
  await Promise.all(machines.map((machine) => machine.close()));
});

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

core(
  'a page of three networks switches by one click for each, and sends and signs on the one that it is on',
  async () => {
    const visitor = await visit('iframe');
    const { address } = await visitor.wealthyWallet();
    const chains = machines.map(({ url }) => new JsonRpcProvider(url, undefined, { cacheTimeout: -1 }));
    const ether = `0x${parseEther('1').toString(16)}`;
    await Promise.all(chains.map((chain) => chain.send('anvil_setBalance', [address, ether])));
    const typed = {
      domain: { name: 'Mail', chainId: BASE },
      types: { Mail: [{ name: 'text', type: 'string' }] },
      primaryType: 'Mail',
      message: { text: 'Hello' },
    } as const;
    const first = await visitor.ask(
      async (connect, { data, ids }) => {
        const { createWalletClient, custom, foundry, publicActions } = window.dapp;
        const transport = custom(connect.provider());
        const on = (id: number) =>
          createWalletClient({ chain: { ...foundry, id }, transport }).extend(publicActions);
        const [base, op] = ids.map(on);
        const heard: string[] = [];
        connect.provider().on('chainChanged', (id) => heard.push(`chain ${Number(id)}`));
        connect.provider().on('accountsChanged', () => heard.push('accounts'));
        const [account] = await base!.requestAddresses();
        await base!.switchChain({ id: ids[0]! });
        const signature = await base!.signTypedData({ account: account!, ...data });
        await op!.switchChain({ id: ids[1]! });
        const { id } = await op!.sendCalls({
          account: account!,
          calls: [1n, 2n].map((value) => ({ to: account!, value })),
        });
        const { status, receipts } = await op!.waitForCallsStatus({ id });
        // It has been used here.
        await base!.switchChain({ id: ids[0]! });
        const hashes = receipts!.map(({ transactionHash }) => transactionHash);
        return { signature, status, hashes, heard, accounts: await base!.getAddresses() };
      },
      { data: typed, ids: [BASE, OP] },
    );
    await first.heading('Use Base?').waitFor();
    assert.equal(await first.box('PIN').count(), 0);
    await first.press('Use Base');
    const view = visitor.iframe();
    await view.approval().waitFor();
    assert.equal(await view.text(/^Last time/).count(), 0);
    await view.approve();
    await view.press('Use OP Mainnet');
    await view.press('Continue');
    for (const step of [1, 2]) {
      // The first one's view is still there while it is sent.
      await view.text(`${step} of 2`).first().waitFor();
      await view.approval().waitFor();
      // A screen reader gets it, too.
      assert.equal((await view.text('Last time: Base').count()) > 0, step === 1);
      await view.approve();
    }
    const { value } = await visitor.answer<{
      signature: string;
      status: string;
      hashes: string[];
      heard: string[];
      accounts: string[];
    }>();
    const { signature, status, hashes, heard, accounts } = value!;
    const { Mail } = typed.types;
    assert.equal(verifyTypedData(typed.domain, { Mail: [...Mail] }, typed.message, signature), address);
    assert.equal(status, 'success');
    assert.deepEqual(heard, [`chain ${BASE}`, `chain ${OP}`, `chain ${BASE}`]);
    assert.deepEqual(accounts, [address]);
    const [base, op] = chains;
    for (const hash of hashes) {
      assert.equal((await op!.getTransaction(hash))?.chainId, BigInt(OP));
      assert.equal(await base!.getTransaction(hash), null);
    }
    assert.equal(hashes.length, 2);
    await view.done();
    // The link has a network of its own: for what names none, and nothing of the provider.
    const linking = await visitor.ask((connect) => connect.linkWallets({ network: 'op' }));
    await linking.consent('Link wallets');
    const [linked] = (await visitor.answer<Wallet[]>()).value!;
    assert.equal(linked!.network, 'op');
    const sending = await visitor.ask(
      (connect, walletId) =>
        connect.execute({ type: 'ETH_TRANSACTION', walletId, to: `0x${'5'.repeat(40)}`, value: '1' }),
      linked!.id,
    );
    await sending.approval().waitFor();
    await sending.approve();
    const { transactionHash } = (await visitor.answer<{ transactionHash: string }>()).value!;
    assert.equal((await op!.getTransaction(transactionHash))?.chainId, BigInt(OP));
    await sending.done();
    await visitor.run((connect) => connect.provider().request({ method: 'eth_chainId' }));
    assert.equal(Number((await visitor.answer<string>()).value), BASE);
    for (const chain of chains) chain.destroy();
    await visitor.close();
  },
);

variant(
  'ethers on three networks: one click before each that is new or a test network, no PIN but for approvals, and the same account',
  async () => {
    const visitor = await visit('iframe');
    const { address } = await visitor.wealthyWallet();
    const to = EthersWallet.createRandom().address;
    const [base, op] = machines.map(({ url }) => new JsonRpcProvider(url, undefined, { cacheTimeout: -1 }));
    const ether = `0x${parseEther('1').toString(16)}`;
    await Promise.all([base!, op!].map((chain) => chain.send('anvil_setBalance', [address, ether])));
    const local = world.ethereum.network.name;
    const visits = [
      { chain: base!, id: BASE, question: 'Base', last: undefined },
      { chain: op!, id: OP, question: 'OP Mainnet', last: 'Base' },
      // Both have been used, and hold real money.
      { chain: base!, id: BASE, question: undefined, last: 'OP Mainnet' },
      { chain: world.chain, id: CHAIN_ID, question: local, last: 'Base' },
      // Used before, but left for a test network.
      { chain: op!, id: OP, question: 'OP Mainnet', last: local },
    ];
    const first = await visitor.ask(
      async (connect, { ids, recipient }) => {
        const { BrowserProvider } = window.dapp;
        const wallet = connect.provider();
        const provider = new BrowserProvider(wallet, 'any');
        await provider.getSigner();
        const heard: string[] = [];
        wallet.on('chainChanged', (id) => heard.push(`chain ${Number(id)}`));
        wallet.on('accountsChanged', () => heard.push('accounts'));
        const done: { hash: string; signature: string }[] = [];
        for (const [index, id] of ids.entries()) {
          const chainId = `0x${id.toString(16)}`;
          await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
          const signer = await provider.getSigner();
          const { hash } = await signer.sendTransaction({ to: recipient, value: BigInt(index + 1) });
          done.push({ hash, signature: await signer.signMessage(`On ${id}`) });
        }
        return { done, heard };
      },
      { ids: visits.map(({ id }) => id), recipient: to },
    );
    await first.heading('Use Base?').waitFor();
    const view = visitor.iframe();
    for (const { question, last } of visits) {
      if (question) {
        await view.heading(`Use ${question}?`).waitFor();
        assert.equal(await view.box('PIN').count(), 0);
        await view.press(`Use ${question}`);
      }
      await view.heading(/^Send /).waitFor();
      await view.approval().waitFor();
      assert.equal((await view.text(/^Last time: /).allInnerTexts())[0], last && `Last time: ${last}`);
      await view.approve();
      await view.heading(/^Sign /).waitFor();
      await view.approve();
    }
    const { value, error } = await visitor.answer<{
      done: { hash: string; signature: string }[];
      heard: string[];
    }>();
    assert.equal(error, undefined);
    const { done, heard } = value!;
    assert.deepEqual(
      heard,
      visits.map(({ id }) => `chain ${id}`),
    );
    for (const [index, { chain, id }] of visits.entries()) {
      const { hash, signature } = done[index]!;
      const sent = await chain.getTransaction(hash);
      assert.deepEqual([sent?.chainId, sent?.value, sent?.from], [BigInt(id), BigInt(index + 1), address]);
      assert.equal(verifyMessage(`On ${id}`, signature), address);
    }
    // 1 and 3 on Base, 2 and 5 on OP Mainnet.
    const received = [base!, op!, world.chain].map((chain) => chain.getBalance(to));
    assert.deepEqual(await Promise.all(received), [4n, 7n, 4n]);
    for (const chain of [base!, op!]) chain.destroy();
    await visitor.close();
  },
);
