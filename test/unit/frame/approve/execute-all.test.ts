import { expect } from '@open-wc/testing';
import { ConnectError } from '../../../../src/base/errors.ts';
import { NETWORKS, ORIGIN, RECIPIENT, settled, until, world, type Asked, type World } from '../world.ts';

const hash = (n: number): { transactionHash: string } => ({
  transactionHash: `0x${String(n).padStart(64, '0')}`,
});

function ask(w: World, id = 'list-0001'): Asked {
  const request = { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: 5 };
  return w.ask('executeAll', { requests: [request, { ...request, value: 6 }] }, id);
}

describe('a list of transactions', () => {
  it('is shown once, then approved and sent in order', async () => {
    const w = await world();
    const asked = ask(w);
    await w.title('2 transactions');
    await until(() => w.text().includes('0.2 ETH'));
    await w.press('Continue');
    await until(() => w.text().includes('1 of 2'));
    await w.approve();
    await until(() => w.text().includes('2 of 2'));
    expect(asked.settled).to.equal(false);
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal([hash(1), hash(2)]);
    expect(w.chain.signed.map(({ request }) => request['value'])).to.deep.equal([5n, 6n]);
    await w.title('Sent');
  });

  it('tells the page what was completed when it ends early', async () => {
    const w = await world();
    const rejected = ask(w, 'list-0002');
    await w.press('Continue');
    await w.approve();
    await until(() => w.text().includes('2 of 2'));
    await w.press('Reject');
    await settled(rejected);
    expect(rejected.error?.code).to.equal('user.rejected');
    expect(rejected.error?.details['completed']).to.deep.equal([hash(1)]);

    const refused = ask(w, 'list-0003');
    await w.press('Continue');
    await w.approve();
    await until(() => w.text().includes('2 of 2'));
    w.chain.failBroadcast = new ConnectError('transaction.refused', 'Refused.', { reason: 'no' });
    await w.approve();
    await settled(refused);
    expect(refused.error?.code).to.equal('transaction.refused');
    expect(refused.error?.details['completed']).to.deep.equal([hash(2)]);
    expect((await w.vault.journal.get(ORIGIN, 'list-0003'))?.state).to.equal('failed');
  });

  it('goes on at the first block, and stops when a reorganisation has removed an earlier one', async () => {
    const w = await world({
      networks: { ...NETWORKS, networks: [{ ...NETWORKS.networks[0]!, confirmations: 3 }] },
    });
    w.chain.confirmations = 1;
    const asked = ask(w, 'list-0005');
    await w.press('Continue');
    await w.approve();
    await until(() => w.text().includes('2 of 2'));
    await w.seen();
    w.chain.known.set(hash(1).transactionHash, 'pending');
    await w.approve();
    await settled(asked);
    expect(asked.error?.code).to.equal('transaction.refused');
    expect(asked.error?.details['completed']).to.deep.equal([hash(1)]);
    expect(w.chain.signed).to.have.length(1);
  });

  it('stops at a transaction that failed on chain: the next is neither shown nor signed', async () => {
    const w = await world();
    const asked = ask(w, 'list-0004');
    await w.press('Continue');
    await until(() => w.text().includes('1 of 2'));
    w.chain.chain.receipt = async () => ({ state: 'failed', fee: 252_000n });
    await w.approve();
    await settled(asked);
    expect(asked.error?.code).to.equal('transaction.refused');
    expect(asked.error?.details['completed']).to.deep.equal([hash(1)]);
    await w.title('Not sent');
    expect(w.text()).not.to.contain('2 of 2');
    expect(w.chain.signed).to.have.length(1);
    expect((await w.vault.journal.get(ORIGIN, 'list-0004'))?.state).to.equal('failed');
  });

  it('is refused as a whole when one request is invalid, with its position', async () => {
    const w = await world();
    const good = { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: 5 };
    const asked = w.ask('executeAll', { requests: [good, { ...good, to: 'nobody' }] });
    await settled(asked);
    expect(asked.error?.details['issues']).to.have.nested.property('[0].path', 'requests.1.to');
    expect(asked.progress).to.deep.equal([]);
  });
});
