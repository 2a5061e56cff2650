/** External wallets in the page, with real nodes. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Locator } from 'playwright-core';
import { demoPhone } from '../../demo/wallets/walletconnect.ts';
import { phoneBitcoin, phoneTron, phoneVechain } from '../../demo/wallets/walletconnect-chains.ts';
import { startRelay } from '../../demo/wallets/walletconnect-relay.ts';
import { bundleForPage } from '../../scripts/bundled-tests.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { Connect } from '../../src/index.ts';
import { poll } from '../waiting.ts';
import { axe, openWorld, type Visitor, type World } from './harness.ts';
import { EVERY_VARIANT } from './variants.ts';

declare global {
  interface Window {
    far: Connect;
    linking: Promise<Wallet[]>;
    opened: [url: string, target: string][];
  }
}

let world: World;
let script: string;
before(async () => {
  world = await openWorld(EVERY_VARIANT ? { chains: ['TRON', 'VECHAIN', 'AETERNITY', 'BITCOIN'] } : {});
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-external-'));
  try {
    await bundleForPage('test/e2e/external-page.ts', join(folder, 'page.js'));
    script = readFileSync(join(folder, 'page.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
after(() => world.close());

/** How a wallet stands in the chooser, and what is asked of it. */
interface Theirs {
  name: string;
  secretType: SecretType;
  /** Of the coin. */
  amount: string;
  to: string;
  sign: { type: string; format?: string; purpose?: string };
}

/** Of a wallet that has none of its own. */
const HELLO = `0x${Buffer.from('Hello').toString('hex')}`;

const THEIRS: readonly Theirs[] = [
  {
    name: 'Demo wallet',
    secretType: 'ETHEREUM',
    amount: '1.5',
    to: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    sign: { type: 'ETHEREUM_RAW' },
  },
  {
    name: 'TronLink',
    secretType: 'TRON',
    amount: '1.5',
    to: 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV',
    sign: { type: 'TRON_MESSAGE' },
  },
  {
    name: 'VeWorld',
    secretType: 'VECHAIN',
    amount: '1.5',
    to: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    sign: { type: 'VECHAIN_CERTIFICATE', purpose: 'identification' },
  },
  {
    name: 'Demo Bitcoin',
    secretType: 'BITCOIN',
    amount: '0.001',
    to: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    sign: { type: 'BITCOIN_MESSAGE' },
  },
  {
    name: 'Demo Standard',
    secretType: 'BITCOIN',
    amount: '0.001',
    to: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    sign: { type: 'BITCOIN_MESSAGE', format: 'bip137' },
  },
  {
    name: 'Demo Superhero',
    secretType: 'AETERNITY',
    amount: '1.5',
    to: 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
    sign: { type: 'AETERNITY_MESSAGE' },
  },
];

/** What the extensions of one browser put into a page. Each key has one wallet, and asks its user for everything. */
async function installAll(visitor: Visitor): Promise<void> {
  const { local } = world;
  const nodeOf = (chain: SecretType) => local[chain]!.network.nodes[0]!;
  await visitor.page.addScriptTag({ content: script });
  await visitor.evaluate(
    async ({ nodes, genesis }) => {
      window.asked = [];
      const { makers } = window;
      const approves = (name: string) => () => window.asked.push(name) > 0;
      const key = (fill: number) => new Uint8Array(32).fill(fill);
      const hex = (fill: number) => fill.toString(16).padStart(2, '0').repeat(32);
      makers
        .demoWallet({
          keys: [`0x${hex(21)}`],
          chainId: 31337,
          nodes: { 31337: (method, params) => window.askNode(method, params) },
          approves: approves('Demo wallet'),
        })
        .announce();
      const chainId = `0x${genesis.TRON.slice(-8)}`;
      makers
        .demoTronLink({
          keys: [hex(22)],
          chainId,
          nodes: { [chainId]: nodes.TRON },
          approves: approves('TronLink'),
        })
        .announce();
      Object.assign(window, {
        vechain: makers.demoVeworld({
          keys: [key(23)],
          nodes: { [genesis.VECHAIN]: nodes.VECHAIN },
          approves: approves('VeWorld'),
          host: location.host,
        }).provider,
      });
      const broadcast = async (body: string) => {
        const answer = await fetch(`${nodes.BITCOIN}/tx`, { method: 'POST', body });
        if (!answer.ok) throw new Error(await answer.text());
      };
      const coins = async () => {
        const found: { txid: string; vout: number; value: number }[] = await fetch(
          `${nodes.BITCOIN}/address/${satsConnect.address}/utxo`,
        ).then((answer) => answer.json());
        return found.map(({ txid, vout, value }) => ({ txid, index: vout, amount: BigInt(value) }));
      };
      const satsConnect = makers.demoSatsConnect({
        keys: [key(24)],
        coins,
        broadcast,
        approves: approves('Demo Bitcoin'),
        // It would say Regtest, whose first block is another than the local network's.
        without: ['wallet_connect', 'wallet_getAccount'],
      });
      satsConnect.announce('DemoProvider');
      makers
        .demoWalletStandard({ keys: [key(25)], broadcast, approves: approves('Demo Standard') })
        .announce();
      const superhero = await makers.demoSuperhero({
        keys: [key(26)],
        approves: approves('Demo Superhero'),
      });
      window.announceSuperhero = () => superhero.announce();
    },
    {
      nodes: { TRON: nodeOf('TRON'), VECHAIN: nodeOf('VECHAIN'), BITCOIN: nodeOf('BITCOIN') },
      genesis: { TRON: local.TRON!.network.genesis!, VECHAIN: local.VECHAIN!.network.genesis! },
    },
  );
}

/** An element of the page that asks this wallet. */
async function addElement(visitor: Visitor, name: string, attributes: object): Promise<Locator> {
  await visitor.evaluate(
    ([tag, all]) => {
      document.querySelector('main > :last-child:not(#run)')?.remove();
      const element = document.createElement(tag);
      for (const [attribute, value] of Object.entries(all)) element.setAttribute(attribute, String(value));
      document.querySelector('main')!.append(element);
    },
    [name, attributes] as const,
  );
  return visitor.page.locator(name);
}

/** What the element that was pressed last ended with. */
async function resultOf<T>(visitor: Visitor, action: string): Promise<T> {
  const settled = await poll(
    async () =>
      (await visitor.events()).find(
        (one) => one.action === action && ['result', 'error', 'cancel'].includes(one.type),
      ),
    `the result of ${action}`,
  );
  assert.equal(
    settled.type,
    'result',
    `${JSON.stringify(settled)} ${await visitor.evaluate(() => [...document.querySelector('main')!.children].map((each) => each.shadowRoot?.textContent).join(' '))}`,
  );
  await visitor.evaluate(() => (window.events.length = 0));
  return settled.result as T;
}

function confirmed(
  visitor: Visitor,
  { transactionHash }: TransactionResult,
  secretType: SecretType,
): Promise<true> {
  return poll(async () => {
    const state = await visitor.evaluate(([hash, chain]) => window.connect.transactionStatus(hash, chain), [
      transactionHash,
      secretType,
    ] as const);
    return state === 'confirmed' || undefined;
  }, `the block of ${transactionHash} of ${secretType}`);
}

// Its chains and each standard alone are in unit and conformance tests.
if (EVERY_VARIANT)
  test('wallets of every standard are chosen in one list, and send and sign, by element and promise', async (t) => {
    const missing = THEIRS.find(({ secretType }) => !world.local[secretType]);
    if (missing) return t.skip(`${missing.secretType} does not run here`);
    const visitor = await world.visit('popup', '/plain');
    const { page } = visitor;
    await page.exposeFunction('askNode', (method: string, params: unknown[]) =>
      world.chain.send(method, params),
    );
    await installAll(visitor);
    const linker = await addElement(visitor, 'link-wallets', {});
    await linker.getByRole('button', { name: 'Connect wallet' }).click();
    await visitor.button('TronLink, browser wallet').waitFor();
    await visitor.evaluate(() => window.announceSuperhero());
    await visitor.button('Demo Superhero, browser wallet').waitFor();
    assert.deepEqual(
      await page.getByRole('list', { name: 'Use a wallet in this browser' }).getByRole('button').count(),
      THEIRS.length,
    );
    assert.deepEqual(await axe(page), []);
    for (const { name } of THEIRS) {
      if (!(await visitor.button(`${name}, browser wallet`).count()))
        await linker.getByRole('button', { name: 'Add wallets' }).click();
      await visitor.button(`${name}, browser wallet`).click();
      await resultOf(visitor, 'linkWallets');
    }
    const wallets = await visitor.wallets();
    assert.deepEqual(
      wallets.map(({ alias, secretType, walletType }) => [alias, secretType, walletType]),
      THEIRS.map(({ name, secretType }) => [name, secretType, 'EXTERNAL']),
    );

    for (const { name, secretType, amount, to, sign } of THEIRS) {
      const { id, address } = wallets.find(({ alias }) => alias === name)!;
      const { assets, give } = world.local[secretType]!;
      await give(assets[0]!, address);
      if (secretType === 'VECHAIN') await give('VTHO', address);
      await visitor.evaluate(() => (window.asked.length = 0));
      const form = await addElement(visitor, 'transfer-dialog', {
        'secret-type': secretType,
        'wallet-id': id,
      });
      await form.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('textbox', { name: 'Recipient' }).fill(to);
      await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
      await page.getByRole('button', { name: 'Continue' }).click();
      const byElement = await resultOf<TransactionResult>(visitor, 'transfer');
      await confirmed(visitor, byElement, secretType);
      // Another amount, as a second transaction of Tron may else be the first one.
      const request = { walletId: id, secretType, to, value: `${amount}1` };
      await visitor.run((connect, given) => connect.transfer(given), request);
      const { value: byPromise, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined, `${name}: ${JSON.stringify(error)}`);
      await confirmed(visitor, byPromise!, secretType);

      const signer = await addElement(visitor, 'sign-request', { 'wallet-id': id, data: HELLO, ...sign });
      await signer.getByRole('button', { name: 'Sign' }).click();
      const signed = await resultOf<SignResult>(visitor, 'sign');
      await visitor.run((connect, given) => connect.sign(given as never), {
        walletId: id,
        data: HELLO,
        ...sign,
      });
      const { value: again } = await visitor.answer<SignResult>();
      for (const one of [signed, again!])
        assert.match(JSON.stringify(one), /"signature":"[\w+/=]{80,}"/, `${name}: ${JSON.stringify(one)}`);
      const asked = await visitor.evaluate(() => window.asked);
      assert.deepEqual([...new Set(asked)], [name]);
      assert.equal(asked.length, 4, `${name} was asked ${asked.length} times`);
    }
    assert.equal(visitor.window, undefined, 'our wallet opened a window');
    assert.deepEqual(visitor.complaints, []);
    await visitor.close();
  });

test('a wallet in the browser is linked from the element, sends, and survives a reload, without a window of ours', async () => {
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
      window.theirs = window.makers.demoWallet({
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
  // It counts as missing until it has announced itself.
  const [again] = await poll(async () => {
    const all = await visitor.wallets();
    return all.every(({ status }: Wallet) => status === 'ACTIVE') && all;
  }, 'the wallet after the reload');
  assert.equal(again?.id, wallet!.id);
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

const PROJECT = 'c0ffee'.padEnd(32, '0');

/** The page, loaded anew, with a connect that offers wallets elsewhere, under a policy that allows what is documented. */
async function openFar(visitor: Visitor, relayUrl: string): Promise<void> {
  const { frame } = world;
  const policy =
    `default-src 'none'; script-src ${frame}; style-src 'self'; connect-src 'self' ${frame} ${relayUrl}; frame-src ${frame}; ` +
    "require-trusted-types-for 'script'; trusted-types lit-html";
  await visitor.reload();
  await visitor.evaluate(
    async ({ options, content }) => {
      const meta = Object.assign(document.createElement('meta'), { content });
      meta.httpEquiv = 'Content-Security-Policy';
      document.head.append(meta);
      const { createConnect } = await import(`${options.frame}/connect.js`);
      window.far = createConnect(options);
    },
    { options: { frame, walletConnect: { projectId: PROJECT, relayUrl } }, content: policy },
  );
}

/** The code's text. */
async function codeFor(visitor: Visitor, secretTypes: SecretType[]): Promise<string> {
  await visitor.evaluate((wanted) => {
    window.linking = window.far.linkWallets({ secretTypes: wanted });
  }, secretTypes);
  await visitor.button('WalletConnect').click();
  await visitor.page.getByText('Waiting for your wallet').waitFor();
  return (await visitor.page.locator('dialog a').first().getAttribute('href'))!;
}

if (EVERY_VARIANT)
  test('a wallet on a phone sends and signs for Bitcoin, Tron and VeChain', async (t) => {
    const chains = ['BITCOIN', 'TRON', 'VECHAIN'] as const;
    const missing = chains.find((each) => !world.local[each]);
    if (missing) return t.skip(`${missing} does not run here`);
    const relay = await startRelay({ projects: [PROJECT] });
    const [bitcoin, tron, vechain] = chains.map((each) => world.local[each]!.network);
    const genesis = vechain!.genesis!;
    const visitor = await world.visit('popup', '/plain');
    const { host } = new URL(visitor.page.url());
    const key = (fill: number) => new Uint8Array(32).fill(fill);
    const phone = await demoPhone({
      relayUrl: relay.url,
      projectId: PROJECT,
      keys: [EthersWallet.createRandom().privateKey],
      nodes: {},
      others: [
        phoneBitcoin({ keys: [key(31)], reference: bitcoin!.genesis!.slice(0, 32) }),
        phoneTron({ keys: ['32'.repeat(32)], chainId: `0x${tron!.genesis!.slice(-8)}` }),
        phoneVechain({ keys: [key(33)], genesis, nodes: { [genesis]: vechain!.nodes[0]! }, host }),
      ],
    });
    try {
      await openFar(visitor, relay.url);
      await phone.scan(await codeFor(visitor, [...chains]));
      const wallets = await visitor.evaluate(() => window.linking);
      assert.deepEqual(
        wallets.map(({ secretType }) => secretType),
        chains,
      );
      for (const { id, secretType, address } of wallets) {
        const { to, amount, sign } = THEIRS.find((each) => each.secretType === secretType)!;
        const { assets, give } = world.local[secretType]!;
        await give(assets[0]!, address);
        if (secretType === 'VECHAIN') await give('VTHO', address);
        const request = { walletId: id, secretType, to, value: amount };
        const answer = await visitor.evaluate((given) => window.far.transfer(given), request);
        await confirmed(visitor, answer, secretType);
        const message = { walletId: id, data: HELLO, ...sign };
        const { result } = await visitor.evaluate((given) => window.far.sign(given as never), message);
        assert.match(JSON.stringify(result), /"signature":"[\w+/=]{80,}"/, secretType);
      }
      assert.deepEqual(visitor.complaints, []);
    } finally {
      await visitor.close();
      await phone.close();
      await relay.close();
    }
  });

test('on a phone, the app that was tapped is opened with the code, and again with each request', async () => {
  const relay = await startRelay({ projects: [PROJECT] });
  const phone = await demoPhone({
    relayUrl: relay.url,
    projectId: PROJECT,
    keys: [EthersWallet.createRandom().privateKey],
    nodes: { 31337: (method, params) => world.chain.send(method, [...params]) },
  });
  const visitor = await world.visit('popup', '/plain', { hasTouch: true, isMobile: true });
  try {
    await openFar(visitor, relay.url);
    await visitor.evaluate(() => {
      window.opened = [];
      window.open = (url, target) => (window.opened.push([String(url), String(target)]), null);
    });
    const code = await codeFor(visitor, ['ETHEREUM']);
    const app = visitor.page.getByRole('link', { name: 'MetaMask' });
    assert.equal(
      await app.getAttribute('href'),
      `https://metamask.app.link/wc?uri=${encodeURIComponent(code)}`,
    );
    assert.deepEqual(await axe(visitor.page), []);
    await visitor.evaluate(() =>
      addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true }),
    );
    await app.tap();
    await phone.scan(code);
    const [wallet] = await visitor.evaluate(() => window.linking);
    const request = { type: 'ETHEREUM_RAW', walletId: wallet!.id, data: HELLO } as const;
    await visitor.evaluate((given) => window.far.sign(given), request);
    const [[url, target] = [], ...others] = await visitor.evaluate(() => window.opened);
    assert.match(url!, /^https:\/\/metamask\.app\.link\/wc\?requestId=\d+&sessionTopic=[0-9a-f]{64}$/);
    assert.deepEqual([target, others], ['_blank', []]);
  } finally {
    await visitor.close();
    await phone.close();
    await relay.close();
  }
});

test('a wallet on a phone scans WalletConnect’s code, sends, survives a reload, and learns that it was unlinked', async () => {
  const relay = await startRelay({ projects: [PROJECT] });
  const key = EthersWallet.createRandom();
  const [phone] = await Promise.all([
    demoPhone({
      relayUrl: relay.url,
      projectId: PROJECT,
      keys: [key.privateKey],
      nodes: { 31337: (method, params) => world.chain.send(method, [...params]) },
    }),
    world.ethereum.give('ETH', key.address),
  ]);
  const visitor = await world.visit('popup', '/plain');
  const { page } = visitor;
  try {
    await openFar(visitor, relay.url);
    const code = await codeFor(visitor, ['ETHEREUM']);
    assert.deepEqual(await axe(page), []);
    await phone.scan(code);
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

    await openFar(visitor, relay.url);
    const [again] = await poll(async () => {
      const all = await visitor.evaluate(() => window.far.wallets());
      return all.every(({ status }) => status === 'ACTIVE') && all;
    }, 'the wallet after the reload');
    assert.equal(again?.id, wallet!.id);
    await world.receipt((await send()).transactionHash);
    await visitor.evaluate((id) => window.far.unlink(id), wallet!.id);
    await poll(() => phone.sessions === 0, 'the end of the session');
    assert.deepEqual(visitor.complaints, []);
  } finally {
    await visitor.close();
    await phone.close();
    await relay.close();
  }
});
