/** Several requests that wait for the user. */
import { expect } from '@open-wc/testing';
import { deepAll } from '../scene.ts';
import { type Asked, NETWORKS, RECIPIENT, settled, until, type World, world } from '../world.ts';

const send = (w: World, value: string): Asked =>
  w.ask('transfer', { walletId: w.wallet.id, secretType: 'ETHEREUM', to: RECIPIENT, value });

/** Three requests, the first of them on screen. */
async function three(): Promise<[World, Asked, Asked, Asked]> {
  const w = await world();
  const asked = [
    send(w, '0.2'),
    send(w, '0.5'),
    w.ask('sign', { walletId: w.wallet.id, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
  ] as const;
  await w.approval();
  await w.find('Request 1 of 3, show all');
  return [w, ...asked];
}

const rows = (w: World): (string | null)[] =>
  deepAll(w.shell, 'li[aria-label]').map((row) => row.getAttribute('aria-label'));

describe('several requests', () => {
  it('are counted in the header from the second on, and one is not', async () => {
    const w = await world();
    const first = send(w, '0.2');
    await w.approval();
    expect(w.shell.queue).to.equal(undefined);
    const second = send(w, '0.5');
    await w.find('Request 1 of 2, show all');
    await w.press('Reject');
    await w.press('Review 2 of 2');
    await settled(first);
    await w.approval();
    await w.find('Request 2 of 2, show all');
    await w.press('Reject');
    await settled(second);
    await until(() => !w.shell.queue, 'a header without a number');
  });

  it('name the coin of the network that a transfer is on, and none where it could be one of several', async () => {
    const polygon = { ...NETWORKS.networks[0]!, id: 'polygon', coin: { symbol: 'POL' } };
    const w = await world({ networks: { ...NETWORKS, networks: [...NETWORKS.networks, polygon] } });
    const on = (network?: string) =>
      w.ask('transfer', {
        walletId: w.wallet.id,
        secretType: 'ETHEREUM',
        to: RECIPIENT,
        value: '0.2',
        ...(network && { network }),
      });
    on();
    await w.approval();
    on('polygon');
    on('local');
    await w.press('Request 1 of 3, show all');
    await w.title('3 requests');
    expect(rows(w)).to.deep.equal([
      'Request 1: Send, Next',
      'Request 2: Send 0.2 POL, Waiting',
      'Request 3: Send 0.2 ETH, Waiting',
    ]);
    await w.press('Reject all');
  });

  it('are listed by what the site says they do, with nothing to approve them together', async () => {
    const [w, first] = await three();
    await w.pin('12');
    await w.press('Request 1 of 3, show all');
    await w.title('3 requests');
    expect(rows(w)).to.deep.equal([
      'Request 1: Send 0.2 ETH, Next',
      'Request 2: Send 0.5 ETH, Waiting',
      'Request 3: Sign, Waiting',
    ]);
    expect(w.text()).not.to.include('Approve');
    await w.press('Review 1 of 3');
    // As it was, but for the PIN.
    await w.approve();
    await settled(first);
    expect(first.error).to.equal(undefined);
    await w.find('PIN');
    await w.press('Request 2 of 3, show all');
    await until(() => rows(w)[0] === 'Request 1: Send 0.2 ETH, Approved', 'the first as approved');
  });

  it('are each named after what they are for', async () => {
    const w = await world();
    send(w, '0.2');
    w.ask('execute', {});
    w.ask('executeAll', { requests: [{}, {}] });
    w.ask('linkWallets', {});
    w.ask('manageWallets', {});
    w.ask('chooseRecipient', {});
    w.ask('resume', {});
    await w.approval();
    await w.press('Request 1 of 7, show all');
    await w.title('7 requests');
    expect(rows(w).map((row) => /: (.*), /.exec(row!)?.[1])).to.deep.equal([
      'Send 0.2 ETH',
      'Call a contract',
      '2 transactions',
      'Link wallets',
      'Your wallet',
      'Choose a recipient',
      'Look up a transaction',
    ]);
  });

  it('show what was taken back while the list is open', async () => {
    const [w, , second] = await three();
    await w.press('Request 1 of 3, show all');
    await w.title('3 requests');
    second.abort.abort();
    await until(() => rows(w)[1] === 'Request 2: Send 0.5 ETH, Rejected', 'the second as rejected');
  });

  it('are rejected together from the list, and none of them is shown', async () => {
    const [w, ...asked] = await three();
    await w.press('Request 1 of 3, show all');
    await w.press('Reject all');
    await Promise.all(asked.map(settled));
    expect(asked.map(({ error }) => error?.code)).to.deep.equal(Array(3).fill('user.rejected'));
    await w.closed();
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('are asked about once after a rejection', async () => {
    const [w, first, second, third] = await three();
    await w.press('Reject');
    await settled(first);
    await w.title('Reject the other 2 too?');
    expect([second.settled, third.settled]).to.deep.equal([false, false]);
    await w.press('Review 2 of 3');
    await w.title('Send 0.2 ETH');
    await w.press('Reject');
    await settled(second);
    // Not asked again.
    await w.title('Sign a message');
    expect(third.settled).to.equal(false);
  });

  it('all go with "Reject all" after a rejection', async () => {
    const [w, first, second, third] = await three();
    await w.press('Reject');
    await w.press('Reject all');
    await Promise.all([first, second, third].map(settled));
    await w.closed();
  });
});
