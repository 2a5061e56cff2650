import { expect } from '@open-wc/testing';
import { ConnectError } from '../../../../src/base/errors.ts';
import { readOwn } from '../../../../src/frame/own-reads.ts';
import { activity } from '../../../../src/frame/wallets/activity-flow.ts';
import { tellReplaced } from '../../../../src/frame/wallets/history-updates.ts';
import { poll } from '../../../waiting.ts';
import { deepAll, named } from '../scene.ts';
import { Asked, RECIPIENT, settled, until, world, type World } from '../world.ts';

const SENT = `0x${'1'.padStart(64, '0')}`;
const REPLACED = `0x${'2'.padStart(64, '0')}`;

/** A transfer that waits, and the wallet closed. */
async function waiting(): Promise<World> {
  const w = await world();
  const asked = w.transfer();
  await w.approve();
  await settled(asked);
  await w.press('Done');
  const { draft: _, fee: __, ...record } = (await w.vault.activity.get(SENT))!;
  w.chain.known.set(SENT, 'pending');
  await w.vault.activity.put({
    ...record,
    state: 'pending',
    draft: {
      secretType: 'ETHEREUM',
      network: w.frame.networks.networks[0]!,
      from: w.wallet.address,
      request: { type: 'x', walletId: '' },
      nonce: 0,
      maximum: w.chain.maximum,
    } as never,
  });
  return w;
}

function openActivity(w: World): { done: Promise<void>; leave: AbortController } {
  const leave = new AbortController();
  const done = activity(w.frame, w.vault, w.wallet, { signal: leave.signal, requestId: 'activity-1' });
  return { done: done.catch(() => {}), leave };
}

async function openWaiting(w: World): Promise<void> {
  openActivity(w);
  (await until(() => deepAll<HTMLElement>(w.shell, 'button.event')[0])).click();
  await w.title('Sending 0.2 ETH');
}

const radios = (w: World): HTMLInputElement[] => deepAll(w.shell, 'input[type=radio]');
const choices = (w: World): string[] =>
  deepAll(w.shell, '.choice').map((one) => one.textContent!.replace(/\s+/g, ' ').trim());

describe('speeding up or cancelling', () => {
  it('shows both with their highest fees beside that of waiting', async () => {
    const w = await waiting();
    await openWaiting(w);
    await w.press('Speed up');
    await until(() => choices(w).every((one) => one.includes('ETH')) && radios(w).length === 3);
    expect(deepAll(w.shell, '.effect .grow > *').map((line) => line.textContent!.trim())).to.deep.equal([
      'Speed up transaction',
      'Send 0.2 ETH',
    ]);
    expect(named(w.shell, 'What to do').getAttribute('role')).to.equal('radiogroup');
    const [wait, faster, cancel] = choices(w);
    expect(wait).to.match(/^Keep waiting.*0\.000420 ETH$/);
    expect(faster).to.match(/^Speed up.*0\.000840 ETH ?\+0\.000420$/);
    expect(cancel).to.match(/^Cancel.*0\.000840 ETH ?\+0\.000420$/);
    expect(radios(w).map(({ checked }) => checked)).to.deep.equal([false, true, false]);
  });

  it('approves what is chosen, drawn anew, and marks what it was for', async () => {
    const w = await waiting();
    await openWaiting(w);
    await w.press('Speed up');
    await w.pin();
    radios(w)[2]!.click();
    await w.title('Cancel transaction');
    await until(() => deepAll(w.shell, '.effect')[0]?.textContent?.includes('Cancel 0.2 ETH to 0x8f3C…A063'));
    expect(w.text()).to.not.include('Send 0 ETH');
    expect(
      deepAll<HTMLInputElement>(w.shell, 'input[inputmode=numeric]')[0]!.value,
      'no PIN is kept',
    ).to.equal('');
    await w.approve();
    await w.title('Cancelled');
    expect(w.text()).to.include('The first transaction can no longer happen.').and.not.include('was sent');
    expect(w.chain.signed.at(-1)!.request).to.include({ how: 'cancel' });
    expect(w.chain.signed).to.have.length(2);
    await w.press('Done');
    await w.title('Activity');
    const record = await w.vault.activity.get(SENT);
    expect([record?.replacedBy, record?.replacedTo, record?.state]).to.deep.equal([
      REPLACED,
      'cancel',
      'failed',
    ]);
    await until(() => w.text().includes('Cancelled'));
    const told = { transactionHash: SENT, by: REPLACED, how: 'cancel' };
    expect(w.link.replaced, 'the site follows it').to.deep.equal([told]);
  });

  it('from where the page still waits is told to it: cancelled, or confirmed where that came too late', async () => {
    for (const [mined, stage] of [
      [REPLACED, 'failed'],
      [SENT, 'confirmed'],
    ] as const) {
      const w = await world();
      w.chain.mines = false;
      const asked = w.transfer();
      await w.approve();
      await w.confirming();
      await w.clock.pass(30_000);
      await w.press('Cancel transaction');
      await until(() => radios(w).length === 3);
      await w.approve();
      await until(() => w.chain.known.get(REPLACED) === 'pending');
      w.chain.known.set(mined, 'confirmed');
      w.chain.known.delete(mined === SENT ? REPLACED : SENT);
      const isOver = () =>
        deepAll(w.shell, 'h1').some((h1) =>
          /^(Sent|Cancelled|It was confirmed first)$/.test(h1.textContent!.trim()),
        );
      const look = async (): Promise<boolean> => {
        if (!isOver()) await w.clock.pass(1000);
        return isOver();
      };
      await poll(look, 'the outcome');
      await w.press('Done');
      await until(() => asked.progress.at(-1) === stage, stage);
    }
  });

  it('is told to the site that asked for the first one, step by step, and to no other', async () => {
    const w = await waiting();
    const record = (await w.vault.activity.get(SENT))!;
    const now = w.clock.date();
    await w.vault.activity.put({ ...record, replacedBy: '0x2', replacedTo: 'speed-up', at: now });
    const own = { ...record, origin: location.origin, at: now };
    await w.vault.activity.put({ ...own, hash: '0x2', replacedBy: '0x3', replacedTo: 'cancel' });
    await w.vault.activity.put({ ...own, hash: '0x3', origin: 'https://other.example', replacedBy: '0x4' });
    await tellReplaced(w.frame, w.vault);
    expect(w.link.replaced).to.deep.equal([
      { transactionHash: SENT, by: '0x2', how: 'speed-up' },
      { transactionHash: SENT, by: '0x3', how: 'cancel' },
      { transactionHash: SENT, by: '0x4', how: 'speed-up' },
    ]);
    w.link.replaced.length = 0;
    await tellReplaced({ ...w.frame, link: { ...w.link, origin: 'https://third.example' } }, w.vault);
    w.clock.setDate(now + 8 * 24 * 60 * 60 * 1000);
    await tellReplaced(w.frame, w.vault);
    expect(w.link.replaced, 'nobody follows it for longer').to.deep.equal([]);
  });

  it('is told when the site opens the wallet again', async () => {
    const w = await waiting();
    const record = (await w.vault.activity.get(SENT))!;
    await w.vault.activity.put({ ...record, replacedBy: '0x2', replacedTo: 'speed-up' });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await until(() => w.link.replaced.length, 'the site to be told');
  });

  it('is told before the site learns what became of the first one', async () => {
    const w = await waiting();
    const record = (await w.vault.activity.get(SENT))!;
    await w.vault.activity.put({ ...record, replacedBy: '0x2', replacedTo: 'speed-up' });
    const asked = new Asked('transactionStatus', { secretType: 'ETHEREUM', hash: SENT }, 'status-01');
    const told: unknown[] = [];
    const resolve = asked.request.resolve.bind(asked.request);
    asked.request.resolve = (result) => {
      told.push(...w.link.replaced);
      resolve(result);
    };
    await readOwn(w.frame, asked.request);
    expect(told).to.have.length(1);
  });

  it('leaves everything as it is where the user keeps waiting', async () => {
    const w = await waiting();
    await openWaiting(w);
    await w.press('Cancel transaction');
    await until(() => radios(w).length === 3);
    radios(w)[0]!.click();
    await until(() => !deepAll(w.shell, '.sum').some((sum) => sum.textContent!.includes('Total at most')));
    await w.press('Keep waiting');
    await w.title('Sending 0.2 ETH');
    expect(w.chain.signed).to.have.length(1);
  });

  it('ends well if the first one was confirmed before it could be changed', async () => {
    const w = await waiting();
    await openWaiting(w);
    w.chain.chain.replace = async () => {
      w.chain.known.set(SENT, 'confirmed');
      throw new ConnectError('transaction.refused', 'It was processed.', { reason: 'nonce too low' });
    };
    await w.press('Speed up');
    await w.title('It was confirmed first');
    expect(w.text()).to.include('Nothing else was sent').and.include('0.000000000000252 ETH');
    await w.press('Done');
    await w.title('Activity');
    expect((await w.vault.activity.get(SENT))?.state).to.equal('confirmed');
  });

  it('ends well if the first one is confirmed while the second waits', async () => {
    const w = await waiting();
    await openWaiting(w);
    w.chain.mines = false;
    await w.press('Speed up');
    await w.approve();
    await w.confirming();
    w.chain.known.set(SENT, 'confirmed');
    w.chain.known.delete(REPLACED);
    await w.clock.pass(2000);
    await w.title('It was confirmed first');
    const states = [SENT, REPLACED].map(async (hash) => (await w.vault.activity.get(hash))?.state);
    expect(await Promise.all(states)).to.deep.equal(['confirmed', 'failed']);
  });

  it('never says that nothing else was sent once something was', async () => {
    const w = await waiting();
    await openWaiting(w);
    const { setReceipt } = w.vault.activity;
    w.vault.activity.setReceipt = async (hash, news) => {
      if (!news.replacedBy) return setReceipt.call(w.vault.activity, hash, news);
      w.chain.known.set(SENT, 'confirmed');
      throw new ConnectError('storage.unavailable', 'The browser stores nothing more.');
    };
    await w.press('Speed up');
    await w.approve();
    await until(() => w.text().includes('The browser stores nothing more.'));
    expect(w.text()).not.to.include('Nothing else was sent');
  });

  it('says why where the network takes no other, and the first one still waits', async () => {
    const w = await waiting();
    await openWaiting(w);
    w.chain.chain.replace = async () => {
      throw new ConnectError('transaction.refused', 'The network takes no replacement.');
    };
    await w.press('Speed up');
    await until(() => w.text().includes('The network refused the transaction.'));
    const [details] = deepAll<HTMLDetailsElement>(w.shell, 'details.fold');
    expect(details!.open).to.equal(false);
    details!.open = true;
    expect(details!.innerText.replace(/\s+/g, ' ').trim()).to.equal(
      'Details transaction.refused “The network takes no replacement.”',
    );
    await w.title('Sending 0.2 ETH');
  });
});

describe('a transaction that takes long', () => {
  async function sending(): Promise<{ w: World; asked: Asked }> {
    const w = await world();
    w.chain.mines = false;
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    await w.confirming();
    // A replacement is in a block at once.
    w.chain.mines = true;
    return { w, asked };
  }

  it('can be sped up from where its user waits, and the page hears how that ended', async () => {
    const { w, asked } = await sending();
    await w.clock.pass(29_000);
    expect(w.text()).to.not.include('Speed up');
    await w.clock.pass(2000);
    await w.press('Speed up');
    await w.approve();
    await w.title('Sent');
    await w.press('Done');
    await until(() => asked.progress.at(-1) === 'confirmed');
    expect((await w.vault.activity.get(SENT))?.replacedBy).to.equal(REPLACED);
  });

  it('goes on where its user decides to wait', async () => {
    const { w, asked } = await sending();
    await w.clock.pass(31_000);
    await w.press('Cancel transaction');
    await until(() => radios(w).length === 3);
    await w.press('Reject');
    await until(() => w.text().includes('Waiting for confirmation'));
    w.chain.known.set(SENT, 'confirmed');
    await w.clock.pass(10_000);
    await w.title('Sent');
    expect(asked.progress.at(-1)).to.equal('confirmed');
  });

  it('that is confirmed meanwhile leaves nothing to replace', async () => {
    const { w } = await sending();
    await w.clock.pass(31_000);
    await w.press('Cancel transaction');
    await until(() => radios(w).length === 3);
    w.chain.known.set(SENT, 'confirmed');
    await w.clock.pass(10_000);
    await w.title('Sent');
    expect(w.chain.signed).to.have.length(1);
  });
});

describe('a waiting transaction that the network has lost', () => {
  it('is sent again when its activity is opened', async () => {
    const w = await waiting();
    w.chain.known.delete(SENT);
    openActivity(w);
    await until(() => w.chain.broadcasts.length === 2);
    expect(w.chain.broadcasts[1]).to.include({ hash: SENT, raw: w.chain.broadcasts[0]!.raw, given: true });
    expect(w.chain.signed).to.have.length(1);
  });

  it('is not sent again if the user replaced it, or if nobody knows whether it was sent', async () => {
    const w = await waiting();
    const record = (await w.vault.activity.get(SENT))!;
    for (const change of [{ replacedBy: REPLACED }, { state: 'unknown' as const }]) {
      await w.vault.activity.put({ ...record, ...change });
      w.chain.known.delete(SENT);
      const asked = w.chain.receipts;
      const { done, leave } = openActivity(w);
      await until(() => w.chain.receipts > asked);
      leave.abort();
      await done;
    }
    await w.clock.pass(1000);
    expect(w.chain.broadcasts).to.have.length(1);
  });
});

describe('who sent something to the wallet', () => {
  it('is compared with, and is nobody the wallet knows', async () => {
    const w = await world();
    const { knownTo } = await import('../../../../src/frame/approve/prepare.ts');
    const history = await w.vault.history();
    const amount = { raw: 0n, decimals: null, symbol: '?' };
    const item = { id: 'a', hash: '0x1', from: RECIPIENT, amount, at: 1, dust: true };
    await history.addReceived(w.wallet.id, { items: [item] });
    const known = await knownTo(w.frame, w.vault, w.wallet);
    expect(known.seen).to.deep.equal([RECIPIENT]);
    expect(known.used).to.deep.equal([]);
  });
});

describe('a signature', () => {
  it('is listed with what kind it was and who asked, and without what it said', async () => {
    const w = await world();
    const asked = w.ask('sign', { walletId: w.wallet.id, type: 'ETHEREUM_RAW', data: '0x5369676e20696e' });
    await w.approve();
    await settled(asked);
    openActivity(w);
    await until(() => w.text().includes('Signed a message'));
    expect(w.text()).to.include('shop.example').and.not.include('Sign in');
  });
});
