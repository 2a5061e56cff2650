import { expect } from '@open-wc/testing';
import type { Pending } from '../../../src/channel/messages.ts';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../../../src/base/errors.ts';
import { MAIN, wallet } from '../elements/fake-connect.ts';
import { failureOf, HASH, OLD_NETWORKS, ProviderWorld, TO } from './world.ts';

const SECOND = `0x${'cd'.repeat(32)}`;
const BATCH = {
  version: '2.0.0',
  chainId: '0x1',
  from: MAIN.address,
  atomicRequired: false,
  calls: [
    { to: TO, value: '0x1' },
    { to: TO, data: '0xab' },
  ],
};

const receipt = (transactionHash: string, status = '0x1') => ({
  transactionHash,
  status,
  blockHash: HASH,
  blockNumber: '0x1',
  gasUsed: '0x5208',
  logs: [{ address: TO, data: '0x', topics: [], logIndex: '0x0' }],
  from: TO,
});

interface Status {
  id: string;
  status: number;
  atomic: boolean;
  chainId: string;
  version: string;
  receipts?: object[];
}

describe('calls in batches (EIP-5792)', () => {
  let world: ProviderWorld;
  let receipts: Record<string, object>;
  beforeEach(() => {
    world = new ProviderWorld();
    world.link(MAIN);
    receipts = {};
    world.answers = { eth_getTransactionReceipt: ([hash]: unknown[]) => receipts[String(hash)] ?? null };
  });
  const status = (id: string) => world.ask<Status>('wallet_getCallsStatus', id);

  it('are not atomic, on the networks where the account is', async () => {
    const test = wallet('test', 'Test', MAIN.address, { network: 'ethereum-sepolia' });
    world.networks = OLD_NETWORKS;
    const atomic = { atomic: { status: 'unsupported' } };
    expect(await world.ask('wallet_getCapabilities', MAIN.address)).to.deep.equal({ '0x1': atomic });
    world.link(MAIN, test);
    expect(await world.ask('wallet_getCapabilities', MAIN.address)).to.deep.equal({
      '0x1': atomic,
      '0xaa36a7': atomic,
    });
    world = new ProviderWorld();
    world.link(MAIN);
    expect(Object.keys(await world.ask('wallet_getCapabilities', MAIN.address))).to.deep.equal([
      '0x1',
      '0xaa36a7',
      '0x2105',
    ]);
    const some = await world.ask('wallet_getCapabilities', MAIN.address, ['0xaa36a7', '0x5']);
    expect(some).to.deep.equal({ '0xaa36a7': atomic });
    expect((await world.refusal('wallet_getCapabilities', TO)).code).to.equal(4100);
  });

  it('go to the wallet as one list, and their status follows the chain', async () => {
    const sending = world.ask<{ id: string }>('wallet_sendCalls', BATCH);
    const { action, params, options, resolve } = await world.asked();
    expect([action, params]).to.deep.equal([
      'executeAll',
      [
        { type: 'ETH_TRANSACTION', walletId: 'main', to: TO, value: '1', network: 'ethereum' },
        {
          type: 'ETH_TRANSACTION',
          walletId: 'main',
          to: TO,
          value: '0',
          data: '0xab',
          network: 'ethereum',
        },
      ],
    ]);
    options.onProgress!({ requestId: 'one', stage: 'signing' });
    options.onProgress!({ requestId: 'one', stage: 'broadcast', transactionHash: HASH });
    const { id } = await sending;
    expect(id).to.match(/^0x[0-9a-f]{64}$/);
    receipts[HASH] = receipt(HASH);
    const { logs, from: _, ...fields } = receipt(HASH);
    expect(await status(id)).to.deep.equal({
      version: '2.0.0',
      id,
      chainId: '0x1',
      status: 100,
      atomic: false,
      receipts: [{ ...fields, logs: [{ address: TO, data: '0x', topics: [] }] }],
    });
    expect(logs).to.have.length(1);
    resolve([{ transactionHash: HASH }, { transactionHash: SECOND }]);
    await Promise.resolve();
    expect((await status(id)).status).to.equal(100);
    receipts[SECOND] = receipt(SECOND);
    expect((await status(id)).status).to.equal(200);
    // The page was loaded again.
    const again = new ProviderWorld('ETHEREUM', world.origin);
    again.answers = world.answers;
    expect((await again.ask<Status>('wallet_getCallsStatus', id)).status).to.equal(200);
    // For a day.
    await again.clock.pass(24 * 60 * 60 * 1000);
    expect((await again.refusal('wallet_getCallsStatus', id)).code).to.equal(5730);
  });

  it('are of the network that they name, whichever the page is on, and so is their explorer', async () => {
    const sending = world.ask('wallet_sendCalls', { ...BATCH, chainId: '0x2105', id: 'there' });
    const { params, resolve } = await world.asked();
    expect((params as { network: string }[]).map(({ network }) => network)).to.deep.equal(['base', 'base']);
    resolve([{ transactionHash: HASH }, { transactionHash: SECOND }]);
    await sending;
    expect((await status('there')).chainId).to.equal('0x2105');
    expect(new Set(world.reads)).to.deep.equal(new Set(['eth_getTransactionReceipt base']));
    const opened: unknown[] = [];
    const { open } = window;
    window.open = (url) => (opened.push(url), null);
    try {
      await world.ask('wallet_showCallsStatus', 'there');
    } finally {
      window.open = open;
    }
    expect(opened).to.deep.equal([`https://explorer.example/tx/base/${SECOND}`]);
  });

  it('that end half-way are 600, all reverted 500, never sent 4001', async () => {
    const half = world.ask<{ id: string }>('wallet_sendCalls', { ...BATCH, id: 'half' });
    const completed = [{ transactionHash: HASH }];
    (await world.asked()).reject(new ConnectError('user.rejected', 'Closed.', { completed }));
    expect(await half).to.deep.equal({ id: 'half' });
    expect((await status('half')).status).to.equal(100);
    receipts[HASH] = receipt(HASH);
    expect((await status('half')).status).to.equal(600);
    receipts[HASH] = receipt(HASH, '0x0');
    expect((await status('half')).status).to.equal(500);

    const never = failureOf(world.ask('wallet_sendCalls', { ...BATCH, id: 'never' }));
    (await world.asked(2)).reject(new UserRejectedError());
    expect((await never).code).to.equal(4001);
    expect((await world.refusal('wallet_getCallsStatus', 'never')).code).to.equal(5730);
  });

  it('whose answer was lost are looked up in the wallet', async () => {
    const lost = failureOf(world.ask('wallet_sendCalls', { ...BATCH, id: 'lost' }));
    const { options, reject } = await world.asked();
    reject(new FrameUnreachableError('Gone.', { requestId: options.requestId! }));
    expect((await lost).code).to.equal(4900);
    expect((await status('lost')).status).to.equal(100);
    const answers: Pending[] = [
      {
        requestId: options.requestId!,
        action: 'executeAll',
        state: 'done',
        result: [{ transactionHash: HASH }, { transactionHash: SECOND }],
      },
    ];
    world.connect.answers = answers;
    receipts = { [HASH]: receipt(HASH), [SECOND]: receipt(SECOND) };
    expect((await status('lost')).status).to.equal(200);
  });

  it('are refused with the code of what is wrong', async () => {
    const wrong: [change: object, code: number][] = [
      [{ version: '1.0' }, -32602],
      [{ atomicRequired: undefined }, -32602],
      [{ chainId: '0x01' }, -32602],
      [{ calls: [] }, -32602],
      [{ calls: [{ to: TO, gas: '0x1' }] }, -32602],
      [{ from: TO }, 4100],
      [{ capabilities: { paymasterService: { url: 'https://pay.example' } } }, 5700],
      [{ calls: [{ to: TO, capabilities: { gasLimitOverride: {} } }] }, 5700],
      [{ chainId: '0x5' }, 5710],
      [{ calls: Array.from({ length: 21 }, () => ({ to: TO })) }, 5740],
      [{ atomicRequired: true }, 5760],
    ];
    for (const [change, code] of wrong)
      expect(
        (await world.refusal('wallet_sendCalls', { ...BATCH, ...change })).code,
        JSON.stringify(change),
      ).to.equal(code);
    expect(world.connect.asked).to.have.length(0);
    const optional = { paymasterService: { optional: true } };
    void world.ask('wallet_sendCalls', { ...BATCH, id: 'mine', capabilities: optional }).catch(() => {});
    await world.asked();
    expect((await world.refusal('wallet_sendCalls', { ...BATCH, id: 'mine' })).code).to.equal(5720);
    expect((await world.refusal('wallet_showCallsStatus', 'other')).code).to.equal(5730);
  });
});
