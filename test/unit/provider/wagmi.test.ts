/** wagmi as it is: by what the page announces, and by our connector. */
import { expect } from '@open-wc/testing';
import {
  connect,
  createConfig,
  createStorage,
  type CreateConnectorFn,
  disconnect,
  getConnection,
  http,
  reconnect,
  sendTransaction,
  signMessage,
  switchChain,
} from '@wagmi/core';
import { mainnet, sepolia } from 'viem/chains';
import { createConnect } from '../../../src/actions/connect.ts';
import { UserRejectedError } from '../../../src/base/errors.ts';
import { announce } from '../../../src/provider/announce.ts';
import { carabiner } from '../../../src/wagmi.ts';
import { FRAME } from '../actions/page.ts';
import { MAIN } from '../elements/fake-connect.ts';
import { failureOf, HASH, idle, ProviderWorld, SIGNED, TO } from './world.ts';

const CHAINS = [mainnet, sepolia] as const;
const TRANSPORTS = { [mainnet.id]: http('http://node.invalid'), [sepolia.id]: http('http://node.invalid') };

function memory() {
  const kept = new Map<string, string>();
  return createStorage({
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
}

describe('wagmi', () => {
  let world: ProviderWorld;
  let ended: AbortController;
  beforeEach(() => {
    world = new ProviderWorld();
    ended = new AbortController();
  });
  afterEach(() => ended.abort());

  const own = (storage = memory()) =>
    createConfig({
      chains: CHAINS,
      connectors: [carabiner({ connect: { provider: () => world.provider } })],
      multiInjectedProviderDiscovery: false,
      storage,
      transports: TRANSPORTS,
    });
  const announced = async (...connectors: CreateConnectorFn[]) => {
    const config = createConfig({ chains: CHAINS, connectors, storage: memory(), transports: TRANSPORTS });
    // It reads its storage first.
    await idle();
    announce(() => world.provider, {}, new URL('https://connect.example'), ended.signal);
    return config;
  };
  const answer = async (result: unknown, count = world.connect.asked.length + 1) => {
    const request = await world.asked(count);
    if (result instanceof Error) request.reject(result);
    else request.resolve(result);
    return request;
  };
  /** What both ways do alike. */
  const use = async (config: ReturnType<typeof own>) => {
    const connecting = connect(config, { connector: config.connectors[0]! });
    await world.asked();
    world.link(MAIN);
    await answer([MAIN], 1);
    expect(await connecting).to.deep.equal({ accounts: [MAIN.address], chainId: 1 });

    const signing = signMessage(config, { message: 'Hello' });
    expect((await answer(SIGNED)).params).to.include({ type: 'ETHEREUM_RAW', data: '0x48656c6c6f' });
    expect(await signing).to.equal('0x99');

    const switching = switchChain(config, { chainId: sepolia.id });
    expect((await answer(null)).action).to.equal('useNetwork');
    await switching;
    expect(getConnection(config).chainId).to.equal(sepolia.id);
    const sending = sendTransaction(config, { to: TO, value: 1n, gas: null });
    expect((await answer({ transactionHash: HASH })).params).to.include({
      walletId: 'main',
      network: 'ethereum-sepolia',
      value: '1',
    });
    expect(await sending).to.equal(HASH);
    const rejected = failureOf(sendTransaction(config, { to: TO, value: 1n, gas: null }));
    const { length } = world.connect.asked;
    await answer(new UserRejectedError());
    expect((await rejected).message).to.contain('rejected');
    expect(world.connect.asked).to.have.length(length + 1);
  };

  it('connects by our connector, signs, switches and sends; the user stays linked after it', async () => {
    const config = own();
    await use(config);
    await disconnect(config);
    expect(getConnection(config).status).to.equal('disconnected');
    expect(world.connect.unlinked).to.deep.equal([]);
    // Linked already: nobody is asked.
    const { length } = world.connect.asked;
    expect((await connect(config, { connector: config.connectors[0]! })).accounts).to.deep.equal([
      MAIN.address,
    ]);
    expect(world.connect.asked).to.have.length(length);
    world.link();
    await idle();
    expect(getConnection(config).status).to.equal('disconnected');
  });

  it('reconnects by our connector after a reload, unless the user disconnected', async () => {
    world.link(MAIN);
    const storage = memory();
    const first = own(storage);
    await connect(first, { connector: first.connectors[0]! });
    const second = own(storage);
    expect(await reconnect(second)).to.have.length(1);
    await disconnect(second);
    expect(await reconnect(own(storage))).to.have.length(0);
    expect(world.connect.asked).to.have.length(0);
  });

  it('finds it announced and uses it by its own connector, which unlinks when it disconnects', async () => {
    const config = await announced();
    expect(config.connectors.map(({ id, name }) => [id, name])).to.deep.equal([
      ['example.connect', 'Carabiner'],
    ]);
    await use(config as unknown as ReturnType<typeof own>);
    await disconnect(config);
    expect(world.connect.unlinked).to.deep.equal(['main']);
  });

  it('is not connected by a wallet that it finds linked', async () => {
    world.link(MAIN);
    const config = await announced();
    world.listen();
    await idle();
    expect(getConnection(config).status).to.equal('disconnected');
  });

  it('is listed once where the page has both', async () => {
    const config = await announced(carabiner({ connect: { provider: () => world.provider } }));
    expect(config.connectors.map(({ id }) => id)).to.deep.equal(['carabiner']);
  });

  it('is listed once whatever the page calls it', () => {
    for (const announce of [true, { rdns: 'com.shop' }, { chain: 'GOCHAIN' }] as const) {
      const connect = createConnect({ frame: FRAME, announce });
      const chain = Object.hasOwn(Object(announce), 'chain') ? 'GOCHAIN' : 'ETHEREUM';
      const { connectors } = createConfig({
        chains: CHAINS,
        connectors: [carabiner({ connect, chain })],
        storage: memory(),
        transports: TRANSPORTS,
      });
      expect(connectors.map(({ type }) => type)).to.deep.equal(['carabiner']);
      connect.destroy();
    }
  });

  it('shows that a question is open already', async () => {
    const config = own();
    const [connector] = config.connectors;
    const first = failureOf(connect(config, { connector: connector! }));
    await world.asked();
    const second = await failureOf(connect(config, { connector: connector! }));
    expect(second.code).to.equal(-32002);
    world.connect.last.resolve([]);
    expect((await first).code).to.equal(4001);
  });
});
