import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { canonical } from '../../../src/base/canonical.ts';
import type { JournalEntry } from '../../../src/wallets/types.ts';
import { failure, setup } from './setup.ts';

const DAY = 24 * 60 * 60 * 1000;
const SITE = 'https://shop.example';
const PARAMS = { walletId: 'w', to: '0x01', value: 15n, nested: { a: 1, b: [true, null] } };

const entry = (more: Partial<JournalEntry> = {}): JournalEntry => ({
  origin: SITE,
  requestId: 'request-0001',
  action: 'transfer',
  walletId: 'w',
  params: PARAMS,
  state: 'signed',
  signed: [{ raw: '0x02f8', hash: '0xabc' }],
  networkId: 'ethereum-local',
  acknowledged: false,
  at: 0,
  ...more,
});

describe('the journal', () => {
  it('keeps a signed transaction beyond the tab, until its outcome is known', async () => {
    const { vault, again } = await setup();
    expect(await vault.journal.find(SITE, 'request-0001', 'transfer', PARAMS)).to.equal(undefined);
    await vault.journal.put(entry());
    // The tab ends here, before the broadcast.
    const { journal } = await again();
    expect(await journal.unsent()).to.have.length(1);
    const [pendingEntry] = await journal.pending(SITE, ['request-0001', 'request-0001', 'request-9999']);
    expect(pendingEntry).to.deep.include({
      state: 'signed',
      signed: [{ raw: '0x02f8', hash: '0xabc' }],
      params: PARAMS,
    });
    await journal.put({ ...pendingEntry!, state: 'done', result: { transactionHash: '0xabc' } });
    expect(await journal.unsent()).to.deep.equal([]);
    expect(await journal.get(SITE, 'request-0001')).to.deep.include({
      state: 'done',
      result: { transactionHash: '0xabc' },
      acknowledged: false,
    });
    await journal.acknowledge(SITE, 'request-0001');
    expect(await journal.pending(SITE, ['request-0001'])).to.deep.equal([]);
    expect(await journal.find(SITE, 'request-0001', 'transfer', PARAMS)).to.include({ state: 'done' });
  });

  it('recognises the same request by its content, and refuses another under its id', async () => {
    const { vault } = await setup();
    await vault.journal.put(entry());
    const reordered = {
      value: 15n,
      nested: { b: [true, null], a: 1, c: undefined },
      to: '0x01',
      walletId: 'w',
    };
    expect(await vault.journal.find(SITE, 'request-0001', 'transfer', reordered)).to.include({
      walletId: 'w',
    });
    for (const other of [
      { ...PARAMS, value: 16n },
      { ...PARAMS, value: 15 },
      { ...PARAMS, value: '15' },
      { ...PARAMS, extra: 0 },
    ])
      expect(await failure(vault.journal.find(SITE, 'request-0001', 'transfer', other))).to.include({
        code: 'request.conflict',
      });
    expect(await failure(vault.journal.find(SITE, 'request-0001', 'execute', PARAMS))).to.include({
      code: 'request.conflict',
    });
    expect(await failure(vault.journal.put(entry({ params: {} })))).to.include({ code: 'request.conflict' });
    expect((await vault.journal.get(SITE, 'request-0001'))!.params).to.deep.equal(PARAMS);
  });

  it('does not let a finished request be signed again', async () => {
    const { vault } = await setup();
    await vault.journal.put(entry({ state: 'done', result: 1 }));
    expect(await failure(vault.journal.put(entry()))).to.include({ code: 'request.conflict' });
    expect(await vault.journal.get(SITE, 'request-0001')).to.include({ state: 'done', result: 1 });
  });

  it('keeps sites apart', async () => {
    const { vault } = await setup();
    await vault.journal.put(entry());
    expect(await vault.journal.pending('https://evil.example', ['request-0001'])).to.deep.equal([]);
    expect(await vault.journal.find('https://evil.example', 'request-0001', 'transfer', {})).to.equal(
      undefined,
    );
    await vault.journal.acknowledge('https://evil.example', 'request-0001');
    expect(await vault.journal.pending(SITE, ['request-0001'])).to.have.length(1);
  });

  it('forgets acknowledged answers after 30 days, and nothing else', async () => {
    const { vault, clock } = await setup();
    await vault.journal.put(entry({ requestId: 'answered', state: 'done' }));
    await vault.journal.put(entry({ requestId: 'waiting-', state: 'done' }));
    await vault.journal.put(entry({ requestId: 'unsent--' }));
    await vault.journal.acknowledge(SITE, 'answered');
    await vault.journal.acknowledge(SITE, 'unsent--');
    await clock.pass(30 * DAY - 1);
    await vault.journal.put(entry({ requestId: 'another-' }));
    expect(await vault.journal.get(SITE, 'answered')).not.to.equal(undefined);
    await clock.pass(1);
    await vault.journal.acknowledge(SITE, 'another-');
    expect(await vault.journal.get(SITE, 'answered')).to.equal(undefined);
    expect(await vault.journal.get(SITE, 'waiting-')).not.to.equal(undefined);
    expect(await vault.journal.get(SITE, 'unsent--')).not.to.equal(undefined);
  });

  it('moves the wallet that was used to the front', async () => {
    const { vault, clock } = await setup();
    const open = await vault.create('4821');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      await clock.pass(1000);
      ids.push((await vault.createWallet(open, 'ETHEREUM')).id);
    }
    const order = async () => (await vault.wallets()).map(({ id }) => ids.indexOf(id));
    expect(await order()).to.deep.equal([0, 2, 1]);
    await clock.pass(1000);
    await vault.journal.put(entry({ walletId: ids[1]! }));
    expect(await order()).to.deep.equal([0, 1, 2]);
  });

  it('knows where a site was approved last, whatever other sites and other chains did since', async () => {
    const { vault, clock } = await setup();
    const { journal } = vault;
    const evm = ['ethereum', 'base'];
    expect(await journal.last(SITE, evm)).to.equal(undefined);
    // The ids are not in the order of time.
    for (const [requestId, networkId, origin = SITE] of [
      ['request-0003', 'ethereum'],
      ['request-0001', 'base'],
      ['request-0004', 'bitcoin'],
      ['request-0002', 'ethereum', `${SITE}.evil.example`],
    ] as const) {
      await journal.put(entry({ requestId, networkId, origin }));
      await clock.pass(1);
    }
    expect((await journal.last(SITE, evm))?.networkId).to.equal('base');
    expect((await journal.last(SITE, ['ethereum']))?.requestId).to.equal('request-0003');
    await journal.put(entry({ requestId: 'request-0003', networkId: 'ethereum', state: 'done' }));
    expect((await journal.last(SITE, evm))?.networkId).to.equal('ethereum');
    expect(await journal.last('https://shop', evm)).to.equal(undefined);
  });

  it('accepts plain data only', async () => {
    const { vault } = await setup();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const params of [cycle, { at: new Date() }, { f: () => 1 }, { map: new Map() }])
      expect(await failure(vault.journal.find(SITE, 'request-0001', 'transfer', params))).to.include({
        code: 'request.invalid',
      });
  });
});

describe('canonical text', () => {
  it('is the same for the same value in another order, and differs for another value', () => {
    expect(canonical({ b: 1n, a: [undefined, NaN, -0, 'x"'] })).to.equal('{"a":[null,NaN,0,"x\\""],"b":1n}');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        return canonical(value) === canonical(turned);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        return (
          JSON.stringify(JSON.parse(canonical(value))) ===
          JSON.stringify(JSON.parse(canonical(JSON.parse(JSON.stringify(value)))))
        );
      }),
    );
  });
});
