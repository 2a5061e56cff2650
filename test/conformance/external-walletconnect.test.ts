/** A wallet on a phone, by WalletConnect's official client on both sides, over a relay of this machine. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { SignClient } from '@walletconnect/sign-client';
import { Transaction, verifyMessage, verifyTypedData } from 'ethers';
import { demoPhone, type DemoPhoneOptions } from '../../demo/wallets/walletconnect.ts';
import { startRelay } from '../../demo/wallets/walletconnect-relay.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { loadPayloads } from '../../src/chains/load.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { systemClock } from '../../src/clock.ts';
import type { ConnectError } from '../../src/errors.ts';
import type { Account, ExternalHost, ExternalWallet, Pairing, Wish } from '../../src/external/types.ts';
import { openWalletConnect } from '../../src/external/walletconnect.ts';

const PROJECT = 'c0ffee'.padEnd(32, '0');
const KEYS = [1, 2].map((n) => `0x${String(n).padStart(64, '0')}`);
const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const NETWORKS: Partial<Record<SecretType, object[]>> = {
  ETHEREUM: [
    { id: 'ethereum', chainId: 1, name: 'Ethereum mainnet' },
    { id: 'ethereum-local', chainId: 31337, name: 'Local' },
  ],
  GOCHAIN: [{ id: 'gochain', chainId: 60, name: 'GoChain' }],
};
const payloads = await loadPayloads('ETHEREUM');

describe('WalletConnect', () => {
  let relay: Awaited<ReturnType<typeof startRelay>>;
  const stored = new Map<string, string>();
  const ends: (() => unknown)[] = [];
  const heard = new Set<(event: object) => void>();

  before(async () => {
    relay = await startRelay({ projects: [PROJECT] });
    Object.assign(globalThis, {
      document: { title: 'Shop' },
      location: { host: 'shop.example', origin: 'https://shop.example' },
      localStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
      },
      addEventListener: (_: string, listener: (event: object) => void) => heard.add(listener),
    });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    stored.clear();
    heard.clear();
  });
  after(async () => {
    for (const name of ['document', 'location', 'localStorage', 'addEventListener'])
      Reflect.deleteProperty(globalThis, name);
    await relay.close();
  });

  /** A tab of the page. */
  function openTab(
    options: { relayUrl?: string; projectId?: string; frame?: string; linked?: readonly Wallet[] } = {},
  ) {
    const { relayUrl = relay.url, projectId = PROJECT, frame = 'https://connect.example' } = options;
    let linked = options.linked ?? [];
    const shown: string[][] = [];
    const ended = new AbortController();
    const host: ExternalHost = {
      clock: systemClock,
      linked: () => linked,
      rpc: async ({ secretType }) => ({ result: { networks: NETWORKS[secretType]!, customNodes: false } }),
    };
    const wallet: ExternalWallet = openWalletConnect(
      { projectId, relayUrl, client: async () => ({ SignClient }) },
      'WalletConnect',
      host,
      { frame, ended: ended.signal },
    );
    wallet.watch(
      (addresses) => shown.push(addresses),
      () => {},
    );
    ends.push(() => ended.abort());
    return {
      wallet,
      shown,
      close: () => ended.abort(),
      link: (accounts: readonly Account[]) =>
        (linked = accounts.map((each, index) => ({ ...each, alias: 'Demo phone', id: `w-${index}` }) as Wallet)),
    };
  }

  const sent: Transaction[] = [];
  const node = async (method: string, params: readonly unknown[]) => {
    if (method === 'eth_getTransactionCount') return '0x7';
    if (method === 'eth_estimateGas') return '0x5208';
    if (method === 'eth_gasPrice') return '0x3b9aca00';
    const transaction = Transaction.from(String(params[0]));
    sent.push(transaction);
    return transaction.hash;
  };

  async function openPhone(options: Partial<DemoPhoneOptions> = {}) {
    const phone = await demoPhone({
      relayUrl: relay.url,
      projectId: PROJECT,
      keys: KEYS,
      nodes: { 1: node, 31337: node },
      ...options,
    });
    ends.push(() => phone.close());
    return phone;
  }

  type Phone = Awaited<ReturnType<typeof openPhone>>;

  const pairing = (phone?: Phone, signal = new AbortController().signal) => {
    const said: string[] = [];
    const it: Pairing = {
      signal,
      show(uri) {
        said.push(uri);
        void phone?.scan(uri);
      },
      answered: () => void said.push('answered'),
    };
    return { said, it };
  };

  const link = (tab: ReturnType<typeof openTab>, phone: Phone, wish: Partial<Wish> = {}) =>
    tab.wallet.link({ secretTypes: ['ETHEREUM', 'GOCHAIN'], ...wish }, pairing(phone).it);

  async function linked(options: Partial<DemoPhoneOptions> = {}) {
    const [tab, phone] = [openTab(), await openPhone(options)];
    const wallets = tab.link(await link(tab, phone));
    return { tab, phone, wallets, mine: wallets[0]! };
  }

  const failure = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (answer) => `no failure: ${JSON.stringify(answer)}`,
      ({ code, shortMessage }: ConnectError) => `${code}: ${shortMessage}`,
    );
  const until = async (look: () => unknown) => {
    while (!look()) await new Promise((done) => setTimeout(done, 10));
  };
  const payment = (more: object = {}) =>
    payloads.parse({ type: 'ETH_TRANSACTION', walletId: 'w', to: TO, value: '5', ...more });
  const message = (data = '0x48656c6c6f') =>
    payloads.parseSigning({ type: 'ETHEREUM_MESSAGE', walletId: 'w', data });

  it('links what the wallet approves, sends, signs messages and typed data, and ends', async () => {
    const [tab, phone] = [openTab(), await openPhone()];
    const { said, it: shown } = pairing(phone);
    const accounts = await tab.wallet.link({ secretTypes: ['ETHEREUM', 'GOCHAIN'] }, shown);
    assert.match(said[0]!, /^wc:[0-9a-f]{64}@2\?/);
    assert.equal(said[1], 'answered');
    assert.deepEqual(
      accounts,
      phone.addresses.map((address) => ({
        address,
        secretType: 'ETHEREUM',
        network: 'ethereum',
        name: 'Demo phone',
      })),
    );
    const { optionalNamespaces, proposer } = phone.proposals[0] as {
      optionalNamespaces: object;
      proposer: { metadata: object };
    };
    assert.deepEqual(optionalNamespaces, {
      eip155: {
        chains: ['eip155:1', 'eip155:31337', 'eip155:60'],
        methods: ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'],
        events: ['accountsChanged', 'chainChanged'],
      },
    });
    assert.deepEqual(proposer.metadata, { name: 'Shop', description: '', url: 'https://shop.example', icons: [] });

    const [mine] = tab.link(accounts);
    const hash = await tab.wallet.send(mine!, payment());
    assert.deepEqual([hash, sent.at(-1)!.value, sent.at(-1)!.chainId], [sent.at(-1)!.hash, 5n, 1n]);

    const signature = (await tab.wallet.sign(mine!, message())) as { signature: string };
    assert.equal(verifyMessage('Hello', signature.signature), mine!.address);
    const domain = { name: 'Shop', chainId: 1 };
    const types = { Mail: [{ name: 'text', type: 'string' }] };
    const typed = { types, primaryType: 'Mail', domain, message: { text: 'Hi' } };
    const data = JSON.stringify(typed);
    const asked = payloads.parseSigning({ type: 'ETHEREUM_TYPED_DATA', walletId: 'w', data });
    const typedSignature = (await tab.wallet.sign(mine!, asked)) as { signature: string };
    assert.equal(verifyTypedData(domain, types, typed.message, typedSignature.signature), mine!.address);
    assert.deepEqual(
      phone.asked.map(({ method, chainId }) => [method, chainId]),
      [
        ['eth_sendTransaction', 'eip155:1'],
        ['personal_sign', 'eip155:1'],
        ['eth_signTypedData_v4', 'eip155:1'],
      ],
    );

    await tab.wallet.forget!();
    await until(() => phone.sessions === 0);
    assert.equal(stored.size, 0);
    assert.match(await failure(tab.wallet.send(mine!, payment())), /^wallet\.forbidden: /);
  });
});
