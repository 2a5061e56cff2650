import { expect } from '@open-wc/testing';
import { exclusive } from '../../../src/wallets/database.ts';
import { turns } from '../turns.ts';
import { failure, setup } from './setup.ts';

type Run = (name: string, work: () => Promise<void>) => Promise<unknown>;

/** The order in which two pieces of work under one name run. */
async function order(run: Run): Promise<string[]> {
  const ran: string[] = [];
  const work = (mark: string) => async () => {
    ran.push(`${mark} starts`);
    await turns(1);
    ran.push(`${mark} ends`);
  };
  await Promise.all([run('w', work('first')), run('w', work('second'))]);
  return ran;
}
const IN_TURN = ['first starts', 'first ends', 'second starts', 'second ends'];

/** Resolves only if the second starts before the first has ended. */
async function together(run: Run): Promise<void> {
  let started!: () => void;
  const second = new Promise<void>((resolve) => {
    started = resolve;
  });
  await Promise.all([run('w', () => second), run('v', async () => started())]);
}

describe('one signing at a time', () => {
  it('holds for a wallet on a network across tabs, and not between wallets or networks', async () => {
    const { vault, again } = await setup();
    const other = await again();
    const tabs = [vault, other];
    const run: Run = (address, work) =>
      tabs.shift()!.exclusive({ secretType: 'ETHEREUM', address }, 'ethereum', work);
    expect(await order(run)).to.deep.equal(IN_TURN);
    tabs.push(vault, other);
    await together(run);
    tabs.push(vault, other);
    const onNetwork: Run = (network, work) =>
      tabs.shift()!.exclusive({ secretType: 'ETHEREUM', address: '0x1' }, network, work);
    await together(onNetwork);
  });

  it('goes on after a failure, and answers what the work answers', async () => {
    const { vault } = await setup();
    const error = await failure(
      vault.exclusive({ secretType: 'ETHEREUM', address: 'w' }, 'ethereum', () =>
        Promise.reject(new Error('no')),
      ),
    );
    expect(error.message).to.equal('no');
    expect(
      await vault.exclusive({ secretType: 'ETHEREUM', address: 'w' }, 'ethereum', async () => 7),
    ).to.equal(7);
  });

  it('holds within a page where there are no Web Locks', async () => {
    const run: Run = (name, work) => exclusive(name, work, null);
    expect(await order(run)).to.deep.equal(IN_TURN);
    await together(run);
    await failure(run('w', () => Promise.reject(new Error('no'))));
    expect(await exclusive('w', async () => 7, null)).to.equal(7);
  });
});
