import { expect } from '@open-wc/testing';
import { activity } from '../../../../src/frame/wallets/activity-flow.ts';
import { lookForReceived, spent } from '../../../../src/frame/wallets/history-updates.ts';
import type { ActivityRecord } from '../../../../src/wallets/types.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { type Asked, fakeNode, QUIET } from '../../chains/fake-node.ts';
import { poll } from '../../../waiting.ts';
import { deepAll } from '../scene.ts';
import { ether, NETWORKS, settled, until, world, type World } from '../world.ts';

const SOURCE = 'https://prices.invalid/v1';
const DUSD = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const SENDER = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30';
const SENT = `0x${'1'.padStart(64, '0')}`;
const [local] = NETWORKS.networks;
const listed = {
  ...local!,
  tokens: [{ address: DUSD, symbol: 'DUSD', name: 'Demo Dollars', decimals: 18, logo: '' }],
};
const priced = () => ({ ...NETWORKS, networks: [listed], fiat: { source: 'http', url: SOURCE } });
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const real = window.fetch;

/** The node tells of 5 DUSD that came so long ago. */
function came(w: World, ago: number): void {
  const at = Math.floor((w.clock.date() - ago) / 1000);
  const { node } = fakeNode(
    {
      ...QUIET,
      eth_blockNumber: '0x10',
      eth_getLogs: [
        {
          address: DUSD.toLowerCase(),
          topics: [
            '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
            word(SENDER),
            word(w.wallet.address),
          ],
          data: `0x${(5n * 10n ** 18n).toString(16).padStart(64, '0')}`,
          blockNumber: '0x9',
          blockTimestamp: `0x${at.toString(16)}`,
          transactionHash: `0x${'c'.repeat(64)}`,
          logIndex: '0x0',
        },
      ],
    },
    listed,
  );
  w.chain.chain.node = () => node;
  w.chain.chain.incoming = () => import('../../../../src/chains/evm/incoming.ts');
}

function look(w: World): AbortController {
  const leave = new AbortController();
  activity(w.frame, w.vault, w.wallet, { signal: leave.signal, requestId: 'activity-1' }).catch(() => {});
  return leave;
}
const rows = (w: World): string[] =>
  deepAll(w.shell, '.event').map((row) => row.textContent!.replace(/\s+/g, ' ').trim());

describe('what came to a wallet', () => {
  beforeEach(() => {
    writeAmountsIn('en-US');
    localStorage.setItem('carabiner:currency', 'USD');
    window.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.startsWith(SOURCE)) return real(input, init);
      const at = Math.floor(clock() / 1000);
      return Response.json({
        currency: 'USD',
        prices: { local: { price: 2000, at }, [`local/${DUSD}`]: { price: 1, at } },
      });
    };
  });
  afterEach(() => {
    writeAmountsIn();
    window.fetch = real;
    localStorage.removeItem('carabiner:currency');
    localStorage.removeItem('carabiner:prices');
  });
  let clock: () => number = Date.now;

  it('is asked of the node while somebody looks, and kept with what it was worth', async () => {
    const w = await world({ networks: priced() });
    clock = w.clock.date;
    came(w, 60_000);
    look(w);
    await until(() => rows(w)[0]?.includes('$5.00'));
    expect(rows(w)[0]).to.match(/^Received from 0x2546…Ec30 · .* \+5 DUSD ?\$5\.00$/);
    expect(await w.vault.activity.senders(w.wallet.id)).to.deep.equal([SENDER]);
    // The next look finds it in the wallet's own records.
    w.chain.chain.node = (network) => ({ network, host: '', rounds: 0 });
    look(w);
    await until(() => rows(w)[0]?.includes('$5.00'));
  });

  it('longer ago has no value: its price is not known any more', async () => {
    const w = await world({ networks: priced() });
    clock = w.clock.date;
    came(w, 2 * 3_600_000);
    look(w);
    await until(() => rows(w).length);
    await w.clock.pass(10_000);
    expect(rows(w)[0]).to.not.include('$');
  });

  it('never comes from the future', async () => {
    const w = await world({ networks: priced() });
    clock = w.clock.date;
    came(w, -3_600_000);
    look(w);
    await until(() => rows(w).length);
    const [item] = await (await w.vault.history()).received(w.wallet.id);
    expect(item!.at).to.be.at.most(w.clock.date());
  });

  it('is not spoken of where the node cannot tell', async () => {
    const w = await world();
    look(w);
    await until(() => w.text().includes('Nothing yet.'));
  });

  it('in coins is seen by the balance between two looks, with its value, and once', async () => {
    const w = await world({ networks: priced() });
    clock = w.clock.date;
    let [head, raw] = [4, 0n];
    const answers = {
      ...QUIET,
      eth_getLogs: [],
      eth_blockNumber: () => `0x${head.toString(16)}`,
      eth_getTransactionCount: '0x0',
      eth_getBalance: ({ params: [, tag] }: Asked) =>
        Number(tag) === head ? `0x${raw.toString(16)}` : new Error('missing trie node'),
      eth_getBlockByNumber: ({ params: [number] }: Asked) => ({
        number,
        hash: `0x${String(Number(number)).padStart(64, '0')}`,
        timestamp: `0x${Math.floor(w.clock.date() / 1000).toString(16)}`,
        transactions: [],
      }),
    };
    const { node } = fakeNode(answers, listed);
    w.chain.chain.node = () => node;
    w.chain.chain.incoming = () => import('../../../../src/chains/evm/incoming.ts');
    const history = await w.vault.history();
    const looks = (): Promise<number> => history.coinLooks(w.wallet.id).then(({ length }) => length);
    await lookForReceived(w.frame, w.vault, w.wallet);
    expect(await looks()).to.equal(1);
    [head, raw] = [9, 10n ** 19n];
    await w.clock.pass(60_000);
    look(w);
    await until(() => rows(w)[0]?.includes('$20,000.00'));
    expect(rows(w)[0]).to.match(/^Received seen \S*:31.* \+10 ETH ?\$20,000\.00$/);
    head = 12;
    // A minute that passes while a look still runs begins none.
    await poll(async () => {
      await w.clock.pass(60_000);
      return (await looks()) >= 3;
    }, 'the third look');
    expect(rows(w)).to.have.length(1);
  });

  it('is what the balance rose by and what the wallet itself spent, where that is certain', () => {
    const summary = { kind: 'transfer', from: SENDER, to: DUSD, amount: ether(5), nonce: 3 };
    const record = (more: object = {}, fields: object = {}): ActivityRecord =>
      ({ state: 'confirmed', fee: 7n, ...fields, summary: { ...summary, ...more } }) as ActivityRecord;
    const other = record({ nonce: 4 }, { state: 'failed' });
    expect(spent([record(), other], 3, 5)).to.equal(ether(5).raw + 14n);
    expect(spent([record({ to: SENDER.toLowerCase() })], 3, 4)).to.equal(7n);
    expect(spent([record({ kind: 'approval' })], 3, 4)).to.equal(7n);
    expect(spent([record({ amount: { ...ether(5), token: DUSD } })], 3, 4)).to.equal(7n);
    const replaced = record({}, { state: 'failed', fee: undefined });
    expect(spent([replaced, record()], 3, 4)).to.equal(ether(5).raw + 7n);
    for (const unknown of [
      [],
      [record({ nonce: 2 })],
      [record({ kind: 'call' })],
      [record({ swap: {} })],
      [record({ parts: [] })],
      [record({}, { state: 'pending' })],
      [record({}, { fee: undefined })],
      [record(), record()],
    ])
      expect(spent(unknown, 3, 4)).to.equal(undefined);
  });

  it('what was sent has the value that it had then', async () => {
    const w = await world({ networks: priced() });
    clock = w.clock.date;
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    await w.press('Done');
    look(w);
    await until(() => rows(w)[0]?.includes('$400.00'));
    expect((await w.vault.activity.get(SENT))!.worth).to.deep.equal({ value: 400, currency: 'USD' });
  });

  it('what a swap brought is kept with it', async () => {
    const router = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
    const uniswap = {
      kind: 'uniswap-v2',
      name: 'Northway',
      factory: DUSD,
      router,
      wrapped: SENDER,
      bases: [],
      fee: 0.3,
    };
    const w = await world({ networks: { ...NETWORKS, networks: [{ ...listed, exchanges: [uniswap] }] } });
    const output = { raw: 990n * 10n ** 18n, decimals: 18, symbol: 'DUSD', token: DUSD };
    const recipient = w.wallet.address;
    w.chain.summary = {
      kind: 'call',
      amount: ether(5),
      to: router,
      exchange: 'Northway',
      swap: { orderType: 'SELL', input: ether(5), output, recipient, deadline: 0n },
    };
    w.chain.arrivals = [
      { token: DUSD.toLowerCase(), from: router, to: recipient.toLowerCase(), raw: 996n * 10n ** 18n },
    ];
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    await w.press('Done');
    look(w);
    await until(() => rows(w)[0]?.includes('0.5 ETH → 996 DUSD'));
  });
});
