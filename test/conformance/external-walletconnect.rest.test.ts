/** A wallet on a phone, with WalletConnect's official client on both sides, over a relay on this machine. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { SignClient } from '@walletconnect/sign-client';
import { Transaction, verifyMessage, verifyTypedData } from 'ethers';
import { WebSocket } from 'ws';
import { demoPhone, type DemoPhoneOptions } from '../../demo/wallets/walletconnect.ts';
import { startRelay } from '../../demo/wallets/walletconnect-relay.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import type { Account, ExternalHost, Pairing, Wish } from '../../src/external/types.ts';
import { openWalletConnect } from '../../src/external/walletconnect.ts';
import { poll } from '../waiting.ts';
import { ethereumPayloads as payloads } from '../families.ts';

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
    options: {
      relayUrl?: string;
      projectId?: string;
      frame?: string;
      linked?: readonly Wallet[];
      /** Called whenever the adapter asks for our networks. */
      onNetworks?: () => void;
    } = {},
  ) {
    const { relayUrl = relay.url, projectId = PROJECT, frame = 'https://connect.example' } = options;
    let linked = options.linked ?? [];
    const shown: string[][] = [];
    const ended = new AbortController();
    const host: ExternalHost = {
      clock: systemClock,
      linked: () => linked,
      async rpc({ secretType }) {
        options.onNetworks?.();
        return { result: { networks: NETWORKS[secretType] ?? [], customNodes: false } };
      },
    };
    const wallet = openWalletConnect(
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
        (linked = accounts.map(
          (each, index) => ({ ...each, alias: 'Demo phone', id: `w-${index}` }) as Wallet,
        )),
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
  const until = (look: () => unknown) => poll(() => Boolean(look()), String(look));
  const payment = (more: object = {}) =>
    payloads.parse({ type: 'ETH_TRANSACTION', walletId: 'w', to: TO, value: '5', ...more });
  const message = (data = '0x48656c6c6f') =>
    payloads.parseSigning({ type: 'ETHEREUM_RAW', walletId: 'w', data });

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
      proposer: { metadata: { name: string; url: string } };
    };
    assert.deepEqual(optionalNamespaces, {
      eip155: {
        chains: ['eip155:1', 'eip155:31337', 'eip155:60'],
        methods: ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'],
        events: ['accountsChanged', 'chainChanged'],
      },
    });
    const { name, url } = proposer.metadata;
    assert.deepEqual([name, url], ['Shop', 'https://shop.example']);

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

    // The relay is told nothing of a request but its size and its tag.
    const requests = relay.asked.filter(({ params }) => params?.['tag'] === 1108);
    assert.ok(requests.length >= 3);
    for (const { params } of requests)
      assert.deepEqual(Object.keys(params!).toSorted(), [
        'attestation',
        'message',
        'prompt',
        'tag',
        'topic',
        'ttl',
      ]);

    await tab.wallet.forget!();
    await until(() => phone.sessions === 0);
    assert.equal(stored.size, 0);
    assert.match(await failure(tab.wallet.send(mine!, payment())), /^wallet\.forbidden: /);
  });

  it('survives a reload, works in another tab, and follows the accounts that the wallet shows', async () => {
    const { tab, phone, mine, wallets } = await linked();
    tab.close();

    const again = openTab({ linked: wallets });
    assert.deepEqual(await again.wallet.accounts(), phone.addresses);
    const other = openTab({ linked: wallets });
    assert.deepEqual(await other.wallet.accounts(), phone.addresses);
    const hashes = await Promise.all([again, other].map((each) => each.wallet.send(mine, payment())));
    assert.equal(hashes.length, 2);
    const kept = JSON.parse([...stored.values()][0]!) as { version: number; entries: object };
    assert.equal(kept.version, 1);
    assert.deepEqual(
      Object.keys(kept.entries).filter((name) => /messages|history/.test(name)),
      [],
    );

    const [first, second] = phone.addresses as [string, string];
    await phone.tell('accountsChanged', [second]);
    await until(() => again.shown.length && other.shown.length);
    assert.deepEqual([again.shown.at(-1), other.shown.at(-1)], [[second], [second]]);
    for (const none of [[TO], []]) await phone.tell('accountsChanged', none);
    await phone.tell('chainChanged', 31337);
    await until(() => again.shown.length > 1);
    assert.deepEqual(again.shown.at(-1), [first, second]);
    await phone.show([first]);
    await until(() => again.shown.length > 2);
    assert.deepEqual(again.shown.at(-1), [first]);
    assert.equal(
      again.shown.some((addresses) => !addresses.length || addresses.includes(TO)),
      false,
    );

    await phone.end();
    await until(() => again.shown.length > 3 && !stored.size);
    assert.deepEqual(again.shown.at(-1), []);
    assert.deepEqual(await openTab({ linked: wallets }).wallet.accounts(), []);
  });

  it('has one session: a new one replaces the previous one in every tab', async () => {
    const { tab, phone, mine } = await linked();
    const other = openTab({ linked: [mine] });
    await other.wallet.accounts();
    const next = await openPhone({ keys: [`0x${'3'.padStart(64, '0')}`], name: 'Other phone' });
    const accounts = await link(tab, next);
    assert.deepEqual(
      accounts.map(({ address, name }) => [address, name]),
      [[next.addresses[0], 'Other phone']],
    );
    await until(() => phone.sessions === 0);
    for (const listener of heard) listener({ key: [...stored.keys()][0] });
    const [theirs] = other.link(accounts);
    await other.wallet.send(theirs!, payment());
    assert.equal(sent.at(-1)!.from, next.addresses[0]);
    // A wallet of ours from another origin has a session of its own.
    assert.deepEqual(await openTab({ frame: 'https://other.example' }).wallet.accounts(), []);
  });

  it('is linked on the network that the page wants, and refuses a session without it', async () => {
    const [tab, phone] = [openTab(), await openPhone({ nodes: { 60: node, 31337: node } })];
    assert.deepEqual(
      (await link(tab, phone)).map(({ network }) => network),
      ['ethereum-local', 'ethereum-local', 'gochain', 'gochain'],
    );
    const on = async (wish: Partial<Wish>, options: Partial<DemoPhoneOptions> = {}) => {
      const [page, theirs] = [openTab({ frame: 'https://fresh.example' }), await openPhone(options)];
      const said = await failure(link(page, theirs, wish));
      await until(() => theirs.sessions === 0);
      assert.deepEqual(
        [...stored.keys()].filter((key) => key.includes('fresh')),
        [],
      );
      return said;
    };
    assert.match(await on({ secretTypes: ['GOCHAIN'] }), /^chain\.not-supported: .*GoChain/);
    assert.match(await on({ network: 'ethereum' }, { nodes: { 31337: node } }), /^chain\.not-supported: /);
    assert.match(await failure(link(openTab(), phone, { network: 'unknown' })), /^request\.invalid: /);

    const without = (accounts: string[]) => ({
      namespaces: (given: Parameters<NonNullable<DemoPhoneOptions['namespaces']>>[0]) => ({
        eip155: { ...given['eip155']!, accounts },
      }),
    });
    const wrong = `eip155:1:${phone.addresses[0]!.replace(/[a-f]/, (letter) => letter.toUpperCase())}`;
    for (const accounts of [[wrong], ['eip155:1:0x12']])
      assert.match(await on({}, without(accounts)), /^internal\.error: /);
    assert.match(await on({}, without(['eip155:5:0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'])), /^chain\./);
  });

  it('can reject the link and a request, and is left when the user leaves', async () => {
    let yes = false;
    const [tab, phone] = [openTab(), await openPhone({ approves: () => yes })];
    assert.match(await failure(link(tab, phone)), /^user\.rejected: /);
    assert.equal(stored.size, 0);

    const leaving = new AbortController();
    const { said, it: shown } = pairing(undefined, leaving.signal);
    const left = failure(tab.wallet.link({ secretTypes: ['ETHEREUM'] }, shown));
    await until(() => said.length);
    leaving.abort();
    assert.match(await left, /^user\.rejected: /);

    yes = true;
    const ready = await openPhone({ approves: (method) => yes || method === 'eth_requestAccounts' });
    const [mine] = tab.link(await link(tab, ready));
    yes = false;
    assert.match(await failure(tab.wallet.send(mine!, payment())), /^user\.rejected: .*Demo phone/);
    assert.match(await failure(tab.wallet.sign(mine!, message())), /^user\.rejected: /);
    yes = true;
    const far = { ...mine!, network: 'ethereum-local' };
    await tab.wallet.send(far, payment());
    assert.equal(sent.at(-1)!.chainId, 31337n);
    assert.match(
      await failure(tab.wallet.send({ ...mine!, secretType: 'GOCHAIN', network: 'gochain' }, payment())),
      /^wallet\.forbidden: /,
    );
  });

  it('links nothing if the user leaves while an approved session is checked', async () => {
    const leaving = new AbortController();
    const phone = await openPhone();
    const tab = openTab({ onNetworks: () => phone.sessions && leaving.abort() });
    const left = tab.wallet.link({ secretTypes: ['ETHEREUM'] }, pairing(phone, leaving.signal).it);
    assert.match(await failure(left), /^user\.rejected: /);
    await until(() => phone.sessions === 0);
    assert.equal(stored.size, 0);
  });

  it('does not ask for what the session does not allow', async () => {
    const { tab, phone, mine } = await linked({
      namespaces: ({ eip155 }) => ({ eip155: { ...eip155!, methods: ['eth_sendTransaction'] } }),
    });
    assert.match(await failure(tab.wallet.sign(mine, message())), /^chain\.not-supported: /);
    assert.deepEqual(phone.asked, []);
  });

  it('says if the relay refuses the page, and if a project id is invalid', async () => {
    const refused = openTab({ projectId: 'f'.repeat(32) });
    const asked = refused.wallet.link({ secretTypes: ['ETHEREUM'] }, pairing().it);
    assert.match(await failure(asked), /^frame\.unreachable: .*invalid key.*connect-src/);
    assert.throws(() => openTab({ projectId: 'mine' }), /walletConnect\.projectId/);
  });

  it('uses a relay that accepts nothing malformed, and nobody without a project and a signed token', async () => {
    const refusedAs = (query: string) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${relay.url}/?useOnCloseEvent=true&${query}`);
        socket.on('close', (code, reason) => resolve([code, String(reason)]));
        socket.on('error', reject);
      });
    assert.deepEqual(await refusedAs(''), [3000, 'Project ID is missing']);
    assert.match(String(await refusedAs(`projectId=${PROJECT}&auth=a.b.c`)), /3000,JWT validation error/);

    const { client } = await openPhone();
    const good = await client.core.crypto.signJWT(relay.url);
    const [head, body, signature] = good.split('.') as [string, string, string];
    const elsewhere = await client.core.crypto.signJWT('wss://relay.example');
    const altered = `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`;
    for (const auth of [elsewhere, altered])
      assert.match(String(await refusedAs(`projectId=${PROJECT}&auth=${auth}`)), /JWT validation error/);

    const socket = new WebSocket(`${relay.url}/?projectId=${PROJECT}&auth=${good}`);
    await new Promise((done) => socket.on('open', done));
    ends.push(() => socket.terminate());
    const answers: { id: number; result?: unknown; error?: { code: number } }[] = [];
    socket.on('message', (data) => answers.push(JSON.parse(String(data))));
    const ask = async (method: string, params: object) => {
      const id = answers.length + 1;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await until(() => answers.length === id);
      const { result, error } = answers.at(-1)!;
      return error?.code ?? result;
    };
    const topic = 'ab'.repeat(32);
    const message = { topic, message: 'aGk=', ttl: 300, tag: 1 };
    assert.equal(await ask('irn_subscribe', { topic: 'AB' }), -32602);
    assert.equal(await ask('irn_publish', { ...message, ttl: 0 }), -32602);
    assert.equal(await ask('irn_publish', { ...message, message: 'no base64!' }), -32602);
    assert.equal(await ask('irn_unsubscribe', { topic, id: 'x' }), -32602);
    assert.equal(await ask('eth_accounts', {}), -32601);
    assert.equal(await ask('irn_batchPublish', { messages: [message] }), true);
    assert.deepEqual(await ask('irn_fetchMessages', { topic }), { messages: [], hasMore: false });
    const [id] = (await ask('irn_batchSubscribe', { topics: [topic] })) as [string];
    assert.equal(await ask('irn_unsubscribe', { topic, id }), true);
  });
});
