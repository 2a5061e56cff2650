import { expect } from '@open-wc/testing';
import { demoSuperhero, type DemoSuperheroOptions } from '../../../demo/wallets/superhero.ts';
import { payloads } from '../../../src/chains/aeternity/payload.ts';
import { discover } from '../../../src/external/discovery.ts';
import { openSuperhero } from '../../../src/external/superhero.ts';
import { until } from '../actions/page.ts';
import { fakeHost, said, wish } from './fake-host.ts';

const KEYS = [31, 32].map((fill) => new Uint8Array(32).fill(fill));
const NETWORKS = [
  { id: 'aeternity', name: 'Aeternity', kind: 'mainnet' as const, genesis: 'ae_mainnet' },
  { id: 'aeternity-local', name: 'Local Aeternity', kind: 'local' as const, genesis: 'ae_dev' },
];
const TO = 'ak_11111111111111111111111111111111273Yts';
const HASH = 'th_2rjpQ7ttSRCj4yoe2A23JJtZEuYbQvqCYJh9nFE6mwuqoqbkRP';
/** Of a wallet that signs whatever it is given. */
const TX = 'tx_AAAAAAAAAA==';

const payment = () =>
  payloads.parse({
    type: 'AE_TRANSACTION',
    walletId: 'w',
    to: TO,
    value: 5,
    data: '0x1234',
  });
const message = (data = '0x48656c6c6f') =>
  payloads.parseSigning({ type: 'AETERNITY_MESSAGE', walletId: 'w', data });

describe('a wallet of Aeternity in an extension', () => {
  const removals: (() => void)[] = [];
  let refuses: string | undefined;
  beforeEach(() => (refuses = undefined));
  afterEach(() => removals.splice(0).forEach((remove) => remove()));

  async function open(options: Partial<DemoSuperheroOptions> = {}) {
    const asks: string[] = [];
    const theirs = await demoSuperhero({
      keys: KEYS,
      approves(method) {
        asks.push(method);
        return method !== refuses;
      },
      ...options,
    });
    removals.push(theirs.remove);
    const page = fakeHost(NETWORKS, { carabiner_unsigned: () => TX, carabiner_send: () => HASH });
    return { ...page, asks, theirs, wallet: openSuperhero('Theirs', page.host) };
  }

  async function linked(options?: Partial<DemoSuperheroOptions>) {
    const world = await open(options);
    const [mine] = world.link(await world.wallet.link(wish('AETERNITY')));
    return { ...world, mine: mine! };
  }

  /** Its next answer to a method is this one. */
  const answers = new Map<string, unknown>();
  const answering = (method: string, result: unknown) => answers.set(method, result);
  // Before every demo wallet: what comes first is the answer.
  addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.type !== 'to_waellet' || !answers.has(data.data.method)) return;
    const { id, method } = data.data;
    const answer = { jsonrpc: '2.0', id, method, result: answers.get(method) };
    answers.delete(method);
    window.postMessage({ type: 'to_aepp', data: answer }, location.origin);
  });

  /** What was said before has been heard. */
  const delivered = () =>
    new Promise((done) => {
      addEventListener('message', done, { once: true });
    });

  it('is found by its announcement, and links its accounts on its current network', async () => {
    const { theirs, wallet } = await open({ name: 'Announced' });
    const wallets = () =>
      discover()
        .found()
        .filter(({ by }) => by.startsWith('aeternity'));
    discover();
    for (const data of [null, 'text', { type: 'to_aepp' }, { type: 'to_aepp', data: { jsonrpc: '2.0' } }])
      window.postMessage(data, location.origin);
    const params = { name: 'In a window', type: 'window' };
    const data = { jsonrpc: '2.0', method: 'connection.announcePresence', params };
    window.postMessage({ type: 'to_aepp', data }, location.origin);
    theirs.announce();
    theirs.announce();
    await until(() => wallets().length);
    expect(wallets().map(({ name, secretTypes }) => [name, secretTypes])).to.deep.equal([
      ['Announced', ['AETERNITY']],
    ]);
    expect(await wallet.link(wish('AETERNITY'))).to.deep.equal(
      theirs.addresses.map((address) => ({ address, secretType: 'AETERNITY', network: 'aeternity-local' })),
    );
    expect((await wallet.link(wish('AETERNITY', 'aeternity')))[0]!.network).to.equal('aeternity');
    expect(await said(wallet.link(wish('AETERNITY', 'nowhere')))).to.match(/^request.invalid/);
  });

  it('asks nobody before it is linked or used', async () => {
    const { wallet, asks, theirs } = await open();
    expect(await wallet.accounts()).to.deep.equal([]);
    expect(asks).to.deep.equal([]);
    await wallet.link(wish('AETERNITY'));
    expect(await wallet.accounts()).to.deep.equal(theirs.addresses);
    await wallet.link(wish('AETERNITY'));
    expect(asks).to.deep.equal(['connection.open', 'address.subscribe']);
  });

  it('signs the transaction that our node completed, and our node broadcasts it', async () => {
    const { wallet, mine, calls, asks } = await linked();
    expect(await wallet.send(mine, payment())).to.equal(HASH);
    const body = { type: 'AE_TRANSACTION', walletId: 'w', to: TO, value: '5', data: '0x1234' };
    expect(calls[0]).to.deep.equal(['carabiner_unsigned', body, mine.address]);
    const [method, transaction, signed] = calls[1]!;
    expect([method, transaction]).to.deep.equal(['carabiner_send', TX]);
    expect(signed).to.match(/^tx_./);
    expect(asks.at(-1)).to.equal('transaction.sign');
  });

  it('passes on its user’s refusal', async () => {
    for (refuses of ['connection.open', 'address.subscribe']) {
      const { wallet } = await open();
      expect(await said(wallet.link(wish('AETERNITY')))).to.match(/^user.rejected/);
      refuses = undefined;
      expect(await wallet.link(wish('AETERNITY'))).to.have.length(2);
      removals.splice(0).forEach((remove) => remove());
    }
    refuses = undefined;
    const { wallet, mine, calls } = await linked();
    refuses = 'transaction.sign';
    expect(await said(wallet.send(mine, payment()))).to.equal(
      'user.rejected: The request was rejected in Theirs.',
    );
    refuses = 'message.sign';
    expect(await said(wallet.sign(mine, message()))).to.match(/^user.rejected/);
    expect(calls.map(([method]) => method)).to.deep.equal(['carabiner_unsigned']);
  });

  it('signs messages, which are text', async () => {
    const { wallet, mine } = await linked();
    expect(await wallet.sign(mine, message()))
      .to.have.property('signature')
      .that.matches(/^0x[0-9a-f]{128}$/);
    expect(await said(wallet.sign(mine, message('0xff')))).to.match(/^chain.not-supported: .*not text/);
  });

  it('switches to the network of the linked wallet, and is refused if it does not', async () => {
    const able = await linked({ networkIds: ['ae_dev', 'ae_mainnet'] });
    able.theirs.go('ae_mainnet');
    await delivered();
    expect(await able.wallet.send(able.mine, payment())).to.equal(HASH);
    expect(able.asks).to.include('networkId.update');
    able.theirs.go('ae_mainnet');
    await delivered();
    refuses = 'networkId.update';
    expect(await said(able.wallet.send(able.mine, payment()))).to.match(/^user.rejected/);
    able.theirs.remove();
    const unable = await linked({ networkId: 'ae_uat' });
    const mine = { ...unable.mine, network: 'aeternity' };
    expect(await said(unable.wallet.send(mine, payment()))).to.equal(
      'chain.not-supported: Theirs is on another network. Switch it to Aeternity.',
    );
    expect(unable.calls).to.deep.equal([]);
  });

  it('reports the accounts that it shows, and gets no requests for others', async () => {
    const { wallet, mine, theirs, calls } = await linked();
    const reports: string[][] = [];
    wallet.watch(
      (addresses) => reports.push(addresses),
      () => {},
    );
    const [, second] = theirs.addresses;
    theirs.show(second!);
    await until(() => reports.length === 1);
    expect(reports).to.deep.equal([[second]]);
    expect(await said(wallet.send(mine, payment()))).to.match(/^wallet.forbidden/);
    expect(await said(wallet.sign(mine, message()))).to.match(/^wallet.forbidden/);
    expect(calls).to.deep.equal([]);
  });

  it('is opened again after it closed the connection, and open requests fail', async () => {
    let answer: (() => void) | undefined;
    const asks: string[] = [];
    const { wallet, mine, theirs } = await linked({
      approves(method) {
        asks.push(method);
        return method === 'message.sign' && !answer
          ? new Promise((done) => (answer = () => done(true)))
          : true;
      },
    });
    const waiting = said(wallet.sign(mine, message()));
    await until(() => answer);
    theirs.close();
    expect(await waiting).to.match(/^frame.unreachable/);
    expect(await wallet.accounts()).to.deep.equal([]);
    expect(await wallet.sign(mine, message())).to.have.property('signature');
    expect(asks.filter((method) => method === 'connection.open')).to.have.length(2);
  });
  it('cannot give answers that its protocol does not allow', async () => {
    for (const [method, result] of [
      ['connection.open', {}],
      ['connection.open', null],
      ['address.subscribe', { address: { current: { nobody: {} }, connected: {} } }],
      ['address.subscribe', {}],
    ] as const) {
      const { wallet } = await open();
      answering(method, result);
      expect(await said(wallet.link(wish('AETERNITY')))).to.match(/^internal.error/);
      removals.splice(0).forEach((remove) => remove());
    }
    const { wallet, mine, calls } = await linked();
    answering('transaction.sign', { transactionHash: HASH });
    expect(await said(wallet.send(mine, payment()))).to.equal(
      'internal.error: Theirs did not return a signed transaction.',
    );
    answering('message.sign', { signature: 'sg_1234' });
    expect(await said(wallet.sign(mine, message()))).to.equal(
      'internal.error: Theirs did not return a signature.',
    );
    expect(calls.map(([method]) => method)).to.deep.equal(['carabiner_unsigned']);
  });
});
