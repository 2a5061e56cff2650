import { expect } from '@open-wc/testing';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import type { Draft, ParsedRequest } from '../../../../src/chains/terms.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import type { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import { limited } from '../../../../src/frame/approve/limit.ts';
import { frame } from '../../turns.ts';
import { deepAll, named, type } from '../scene.ts';
import {
  Asked,
  ether,
  ORIGIN,
  PIN,
  RECIPIENT,
  settled,
  unreachable,
  until,
  world,
  type World,
} from '../world.ts';

const HASH = `0x${'1'.padStart(64, '0')}`;

/** Another tab holds the wallet's lock for `ms` milliseconds each time that it is wanted. */
function holdLock(w: World, ms: number): { ms: number } {
  const held = { ms };
  const exclusive = w.vault.exclusive.bind(w.vault);
  w.vault.exclusive = async (wallet, network, work) => {
    await w.clock.pass(held.ms);
    return exclusive(wallet, network, work);
  };
  return held;
}

describe('a transfer', () => {
  let w: World;
  beforeEach(async () => void (w = await world()));

  it('is signed as drawn, stored before it is sent, answered, and followed until it is confirmed', async () => {
    const asked = w.transfer('order-0001');
    await w.approval();
    await until(() => w.text().includes('0.2 ETH'));
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
    await w.title('Sent');
    await until(() => asked.progress.includes('confirmed'));
    expect(asked.progress).to.deep.equal(['approval', 'signing', 'broadcast', 'confirmed']);
    expect(w.chain.signed).to.have.length(1);
    expect(w.chain.signed[0]!.request).to.include({ type: 'TRANSFER', value: '0.2' });
    const entry = await w.vault.journal.get(ORIGIN, 'order-0001');
    expect(entry).to.include({ state: 'done', action: 'transfer' });
    expect((await w.vault.activity.get(HASH))?.state).to.equal('confirmed');
    expect(w.link.closed).to.equal(0);
    await w.press('Done');
    await w.closed();
  });

  it('leaves no key behind', async () => {
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    expect(w.chain.keys).to.have.length(1);
    expect([...w.chain.keys[0]!]).to.deep.equal(Array(32).fill(0));
  });

  it('is not sent with a wrong PIN, and says how many are left', async () => {
    const asked = w.transfer();
    for (const left of [4, 3, 2]) {
      await w.approve('9999');
      await until(() => w.text().includes(`Wrong PIN. ${left} attempts left.`));
    }
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
    expect(asked.progress.filter((stage) => stage === 'signing')).to.have.length(1);
  });

  it('locks after five wrong PINs, and stays locked for the next request', async () => {
    const asked = w.transfer();
    for (let i = 0; i < 4; i++) {
      await w.approve('9999');
      await until(() => w.text().includes('Wrong PIN'));
      await until(() => !(named(w.shell, 'PIN') as HTMLInputElement).value);
    }
    expect(w.text()).to.include('Wrong PIN. 1 attempt left, then a lock of 15 minutes.');
    await w.approve('9999');
    await w.title('Locked for a while');
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    const again = w.transfer();
    await w.title('Locked for a while');
    await w.press('Reject');
    await settled(again);
    expect(w.chain.signed).to.have.length(0);
  });

  it('is rejected by Reject, by Escape and by Close, and signs nothing', async () => {
    for (const leave of [
      () => w.press('Reject'),
      async () => {
        await w.find('Reject');
        document.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
        );
      },
      () => w.press('Close'),
    ]) {
      const asked = w.transfer();
      await w.approval();
      await leave();
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
    }
    expect(w.chain.signed).to.have.length(0);
    await w.closed();
  });

  it('closes quietly when the page withdraws it', async () => {
    const asked = w.transfer();
    await w.approval();
    asked.abort.abort();
    await until(() => deepAll(w.shell, 'h1').length === 0);
    expect(w.chain.signed).to.have.length(0);
    expect(w.link.closed).to.equal(0);
  });

  it('is signed once, however often Approve is pressed', async () => {
    const asked = w.transfer();
    await w.pin();
    const button = await w.find('Approve');
    button.click();
    button.click();
    (named(w.shell, 'PIN') as HTMLElement).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
    );
    await settled(asked);
    await w.title('Sent');
    expect(w.chain.signed).to.have.length(1);
    expect(w.chain.broadcasts).to.have.length(1);
  });

  it('is approved by Enter in the PIN', async () => {
    const asked = w.transfer();
    await until(() => w.text().includes('0.2 ETH'));
    await w.pin();
    const field = await w.find('PIN');
    await w.seen();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
  });

  it('is not approved by an event that the guard refuses', async () => {
    w.guard.allowed = false;
    const asked = w.transfer();
    await w.approve();
    const [view] = deepAll<ApproveView>(w.shell, 'cbf-approve');
    expect(view!.busy).to.equal(false);
    w.guard.allowed = true;
    await w.press('Approve');
    await settled(asked);
    expect(w.chain.signed, 'by the second press alone').to.have.length(1);
  });

  it('answers the same to the same request id, without showing or signing anything', async () => {
    const first = w.transfer('order-0002');
    await w.approve();
    await settled(first);
    const again = w.transfer('order-0002');
    await settled(again);
    expect(again.result).to.deep.equal(first.result);
    expect(again.progress).to.deep.equal([]);
    expect(w.chain.signed).to.have.length(1);
    const other = w.ask(
      'transfer',
      { walletId: w.wallet.id, secretType: 'ETHEREUM', to: ORIGIN, value: '9' },
      'order-0002',
    );
    await settled(other);
    expect(other.error?.code).to.equal('request.conflict');
  });

  it('treats unknown and unlinked wallets alike, and reports archived ones only to sites that had them', async () => {
    const unlocked = await w.vault.unlock(PIN);
    const hidden = await w.vault.createWallet(unlocked, 'ETHEREUM');
    unlocked.close();
    const ask = (walletId: string): Asked =>
      w.ask('transfer', { walletId, secretType: 'ETHEREUM', to: RECIPIENT, value: '1' });
    const [unknown, unlinked] = [ask('nobody'), ask(hidden.id)];
    await settled(unlinked);
    expect(unknown.error?.code).to.equal('wallet.forbidden');
    expect(unlinked.error?.shortMessage).to.equal(unknown.error?.shortMessage);
    await w.vault.setArchived(w.wallet.id, true);
    const archived = ask(w.wallet.id);
    await settled(archived);
    expect(archived.error?.code).to.equal('wallet.archived');
    expect(deepAll(w.shell, 'h1')).to.have.length(0);
  });

  it('is refused for its values before its wallet is looked for', async () => {
    for (const [asked, path] of [
      [w.ask('transfer', { walletId: 'nobody', secretType: 'ETHEREUM', to: RECIPIENT, value: 'x' }), 'value'],
      [w.ask('transfer', { walletId: 'nobody', secretType: 'ETHEREUM', to: 'x', value: '1' }), 'to'],
      [w.ask('execute', { type: 'ETH_TRANSACTION', walletId: 'nobody', to: 'x', value: '1' }), 'to'],
      [
        w.ask('execute', {
          type: 'TRANSFER',
          walletId: 'nobody',
          secretType: 'ETHEREUM',
          to: RECIPIENT,
          value: 'x',
        }),
        'value',
      ],
      [w.ask('sign', { type: 'ETHEREUM_RAW', walletId: 'nobody', data: 'x' }), 'data'],
      [
        w.ask('executeAll', {
          requests: [
            { type: 'ETH_TRANSACTION', walletId: 'nobody', to: RECIPIENT, value: '1' },
            { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: 'x' },
          ],
        }),
        'requests.1.value',
      ],
    ] as const) {
      await settled(asked);
      const { code, details } = asked.error!;
      expect(code).to.equal('request.invalid');
      expect((details['issues'] as { path: string }[]).map((issue) => issue.path)).to.deep.equal([path]);
    }
    expect(deepAll(w.shell, 'h1')).to.have.length(0);
  });

  it('is refused without its parameters, naming what is missing, and the wallet closes', async () => {
    const asked = w.ask('transfer', { walletId: w.wallet.id, secretType: 'ETHEREUM', value: '1' });
    await settled(asked);
    expect(asked.error?.code).to.equal('request.invalid');
    expect(asked.error?.details['issues']).to.deep.equal([{ path: 'to', message: 'must be of type string' }]);
    expect(w.link.closed).to.equal(0);
    await w.closed();
  });

  it('refuses a bad payload before anything is shown', async () => {
    const asked = w.ask('execute', {
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      to: 'nobody',
      value: -1,
    });
    await settled(asked);
    expect(asked.error?.code).to.equal('request.invalid');
    const { issues } = asked.error!.details as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).to.include.members(['to', 'value']);
    expect(asked.progress).to.deep.equal([]);
    expect(w.chain.prepared).to.equal(0);
  });

  it('cannot be approved without the coins, and offers the address to add them', async () => {
    w.chain.summary = { shortOf: { amount: ether(1), need: ether(3).raw, have: ether(2).raw } };
    w.transfer();
    await w.find('Copy address to add funds');
    expect(w.text()).to.include('Not enough ETH You need 0.3 ETH and have 0.2. Short by 0.1 ETH.');
    expect(named(w.shell, 'Approve').getAttribute('aria-disabled')).to.equal('true');
    expect(() => named(w.shell, 'PIN')).to.throw();
  });

  it('asks for a tick before the PIN when there is a danger', async () => {
    w.chain.summary = { warnings: [{ code: 'reported-address', level: 'danger', tick: true }] };
    const asked = w.transfer();
    const box = await w.find<HTMLInputElement>('I understand the risk: I could lose what I send');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    expect(named(w.shell, 'Approve').className).to.include('danger');
    box.click();
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
  });

  it('waits for the node, and goes on when it is back', async () => {
    w.chain.failPrepare = unreachable();
    const asked = w.transfer();
    await w.title('Cannot reach Ethereum');
    w.chain.failPrepare = undefined;
    await w.press('Retry');
    await w.approval();
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
  });

  it('names a wallet that is not backed up', async () => {
    const fresh = await world({ wallets: 0 });
    const unlocked = await fresh.vault.create(PIN);
    fresh.wallet = await fresh.vault.createWallet(unlocked, 'ETHEREUM');
    unlocked.close();
    await fresh.vault.link(ORIGIN, [fresh.wallet.id]);
    fresh.transfer();
    await until(() => fresh.text().includes('This wallet is not backed up'));
    expect(fresh.text()).to.include('Write down the 12 words in Settings.');
  });

  it('does not promise that the 12 words hold an imported wallet', async () => {
    const unlocked = await w.vault.unlock(PIN);
    w.wallet = await w.vault.importWallet(unlocked, 'ETHEREUM', new Uint8Array(32).fill(7));
    unlocked.close();
    await w.vault.link(ORIGIN, [w.wallet.id]);
    w.transfer();
    await until(() => w.text().includes('The 12 words do not hold this imported wallet.'));
    expect(w.text()).to.not.include('Write down the 12 words');
  });

  it('is refused if it has the same bytes as one that waits to be sent', async () => {
    w.chain.failBroadcast = unreachable();
    const first = w.transfer('order-0007');
    await w.approve();
    await w.title('Approved but not sent');
    await w.press('Close');
    await settled(first);
    // The chain has not moved on, so the same transaction has the same bytes.
    w.chain.signed.pop();
    const second = w.transfer('order-0008');
    await w.approve();
    await settled(second);
    expect(second.error?.code).to.equal('request.conflict');
    expect(w.chain.broadcasts).to.have.length(1);
    expect(await w.vault.journal.get(ORIGIN, 'order-0008')).to.equal(undefined);
  });
});

describe('a transfer that the network does not take', () => {
  it('is reported as refused, with the node’s words', async () => {
    const w = await world();
    w.chain.failBroadcast = new ConnectError('transaction.refused', 'Refused.', { reason: 'nonce too low' });
    const asked = w.transfer('order-0003');
    await w.approve();
    await w.title('Not sent');
    expect(asked.error?.code).to.equal('transaction.refused');
    expect(w.text()).to.include('nonce too low');
    expect((await w.vault.journal.get(ORIGIN, 'order-0003'))?.state).to.equal('failed');
    expect((await w.vault.activity.get(HASH))?.state).to.equal('failed');
    await w.press('Close');
    await w.closed();
  });

  it('is sent again, the same bytes, when no node answered', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer();
    await w.approve();
    await w.title('Approved but not sent');
    expect(asked.settled).to.equal(false);
    expect(w.text()).to.include('It is not known whether the network has it.');
    w.chain.failBroadcast = undefined;
    await w.press('Send again');
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
    expect(w.chain.signed).to.have.length(1);
    const [signed] = w.chain.broadcasts;
    expect(w.chain.broadcasts).to.deep.equal([signed, { ...signed, given: true }]);
  });

  it('is stored when it is left for later, and sent by resume', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer('order-0004');
    await w.approve();
    await w.title('Approved but not sent');
    await w.press('Close');
    await settled(asked);
    expect(asked.error?.code).to.equal('node.unreachable');
    expect(asked.error?.details['requestId']).to.equal('order-0004');

    const pending = w.ask('pending', { requestIds: ['order-0004', 'order-none'] });
    await settled(pending);
    expect(pending.result).to.deep.equal([{ requestId: 'order-0004', action: 'transfer', state: 'unsent' }]);

    w.chain.failBroadcast = undefined;
    const resumed = w.ask('resume', { requestId: 'order-0004' });
    await w.title('Approved but not sent');
    expect(w.text()).to.include('The wallet closed before it was certain that the network had it.');
    await w.press('Send again');
    await settled(resumed);
    expect(resumed.result).to.deep.equal({ transactionHash: HASH });
    expect(w.chain.signed).to.have.length(1);
  });

  it('is delivered by pending when the network has it after all', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer('order-0005');
    await w.approve();
    await w.title('Approved but not sent');
    await w.press('Close');
    await settled(asked);
    w.chain.known.set(HASH, 'pending');
    const pending = w.ask('pending', { requestIds: ['order-0005'] });
    await settled(pending);
    expect(pending.result).to.deep.equal([
      { requestId: 'order-0005', action: 'transfer', state: 'done', result: { transactionHash: HASH } },
    ]);
    w.link.onAck('order-0005');
    await until(() => true);
    const after = w.ask('pending', { requestIds: ['order-0005'] });
    await settled(after);
    expect(after.result).to.deep.equal([]);
  });

  it('is dismissed permanently', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer('order-0006');
    await w.approve();
    await w.press('Stop sending');
    await settled(asked);
    const expectUnknown = ({ error }: typeof asked): void => {
      expect([error?.code, error?.details['transactionHash']]).to.deep.equal(['node.unreachable', HASH]);
      expect(error?.message).to.include('Do not make another one');
    };
    expectUnknown(asked);
    expect((await w.vault.journal.get(ORIGIN, 'order-0006'))?.state).to.equal('dismissed');
    expect((await w.vault.activity.get(HASH))?.state, 'its nonce stays taken').to.equal('unknown');
    const again = w.transfer('order-0006');
    await settled(again);
    expectUnknown(again);
    expect(w.chain.broadcasts).to.have.length(1);
  });

  it('is answered after all if the network turns out to have what was dismissed', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer('order-0007');
    await w.approve();
    await w.press('Stop sending');
    await settled(asked);
    w.chain.known.set(HASH, 'pending');
    const again = w.ask('resume', { requestId: 'order-0007' });
    await settled(again);
    expect(again.result).to.deep.equal({ transactionHash: HASH });
  });
});

/** The node answers no more until it is told to. */
function holdNode(w: World): { asked: boolean; answer: () => void } {
  const chain = w.chain.chain as { prepare: (...asked: never[]) => Promise<Draft> };
  const { prepare } = chain;
  const held = { asked: false, answer: (): void => {} };
  const answered = new Promise<void>((resolve) => (held.answer = resolve));
  chain.prepare = async (...asked) => {
    held.asked = true;
    await answered;
    return prepare(...asked);
  };
  return held;
}

describe('while an approval is open', () => {
  it('is refreshed every 20 s, marks what changed, and clears the PIN when the fee rose', async () => {
    const w = await world();
    const asked = w.transfer();
    await until(() => w.text().includes('0.000420 ETH'));
    type(named<HTMLInputElement>(w.shell, 'PIN'), '4821');
    expect(deepAll(w.shell, '.kv .changed')).to.have.length(0);
    w.chain.maximum *= 2n;
    await w.clock.pass(20_000);
    await until(() => w.text().includes('0.000840 ETH'));
    expect(w.chain.prepared).to.equal(2);
    await until(() => deepAll(w.shell, '.kv .changed').length === 2);
    const line = getComputedStyle(deepAll(w.shell, '.kv .changed')[0]!, '::before');
    expect([line.inlineSize, line.animationDuration]).to.deep.equal(['2px', '1.2s']);
    await until(() => w.text().includes('The fee went up. Check it and enter your PIN again.'));
    expect((named(w.shell, 'PIN') as HTMLInputElement).value).to.equal('');
    expect(named(w.shell, 'Approve').getAttribute('aria-disabled')).to.equal('true');
    await w.press('Reject');
    await settled(asked);
    await w.clock.pass(60_000);
    expect(w.chain.prepared).to.equal(2);
  });

  it('signs no draft older than 90 s, and draws a new one', async () => {
    const w = await world();
    const asked = w.transfer();
    const lock = holdLock(w, 90_001);
    await w.approve();
    await until(() => w.text().includes('The transaction changed meanwhile.'));
    expect(w.chain.signed).to.have.length(0);
    lock.ms = 80_000;
    await w.approve();
    await settled(asked);
    expect(w.chain.signed).to.have.length(1);
  });

  it('does not hang when Approve is pressed while an old draft is replaced', async () => {
    const w = await world();
    const asked = w.transfer();
    const lock = holdLock(w, 90_001);
    await w.approval();
    await w.seen();
    const node = holdNode(w);
    await w.approve();
    await until(() => node.asked);
    type(named<HTMLInputElement>(w.shell, 'PIN'), PIN);
    named(w.shell, 'Approve').click();
    node.answer();
    await until(() => w.text().includes('The transaction changed meanwhile.'));
    lock.ms = 0;
    await w.approve();
    await settled(asked);
    expect(w.chain.signed).to.have.length(1);
  });

  it('stays as it was approved, whatever the node says meanwhile', async () => {
    const w = await world();
    const asked = w.transfer();
    const exclusive = w.vault.exclusive.bind(w.vault);
    let text = '';
    w.vault.exclusive = async (wallet, network, work) => {
      w.chain.maximum *= 3n;
      await w.clock.pass(60_000);
      await frame();
      text = w.text();
      return exclusive(wallet, network, work);
    };
    await w.approve();
    await settled(asked);
    expect(text).to.include('0.000420 ETH').and.not.include('0.00126 ETH');
    expect(w.chain.prepared).to.equal(1);
  });

  it('is drawn again when another tab used the wallet, instead of signing the same nonce', async () => {
    const w = await world();
    const asked = w.transfer();
    await until(() => w.text().includes('0.2 ETH'));
    await w.vault.activity.put({
      hash: '0xother',
      walletId: w.wallet.id,
      secretType: 'ETHEREUM',
      origin: ORIGIN,
      at: w.clock.date() + 1000,
      state: 'pending',
      summary: await w.chain.describe({ from: w.wallet.address, nonce: 0, maximum: 1n } as never),
      raw: '0x',
    });
    w.chain.nonce = 1;
    await w.approve();
    await until(() => w.text().includes('The transaction changed meanwhile.'));
    expect(w.chain.signed).to.have.length(0);
    expect(asked.progress).to.deep.equal(['approval']);
  });
});

describe('an allowance', () => {
  for (const [raw, far] of [
    [81_240_000_001n, true],
    [81_240_000_000n, false],
  ] as const)
    it(`${far ? 'far beyond what the wallet holds says so' : 'within reach says that it is one'}`, async () => {
      const w = await world();
      const amount = { raw, decimals: 6, symbol: 'USDC', token: RECIPIENT };
      w.chain.summary = {
        kind: 'approval',
        amount,
        contract: RECIPIENT,
        warnings: [{ code: 'spending-limit', level: 'caution', amount }],
      };
      const data = `0x095ea7b3${RECIPIENT.slice(2).toLowerCase().padStart(64, '0')}${raw.toString(16).padStart(64, '0')}`;
      w.ask('execute', { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: 0, data });
      await w.approval();
      const title = far ? 'Far more than you hold' : 'This gives a spending limit';
      await until(() => w.text().includes(title), title);
      const view = await until(() => deepAll<ApproveView>(w.shell, 'cbf-approve').find(({ limit }) => limit));
      await view.updateComplete;
      expect(w.text().includes('You hold 812.4 USDC.')).to.equal(far);
      if (far) await w.find('Set a limit');
      else expect(deepAll(w.shell, 'cbf-limit-field')).to.have.length(0);
    });
});

describe('an unlimited allowance', () => {
  const token = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
  const data = `0x095ea7b3${'8f3cf7ad23cd3cadbd9735aff958023239c6a063'.padStart(64, '0')}${'f'.repeat(64)}`;
  const amount = { raw: 2n ** 256n - 1n, decimals: 6, symbol: 'USDC', token };
  const asking: Partial<Summary> = {
    kind: 'approval',
    unlimited: true,
    amount,
    contract: token,
    warnings: [{ code: 'unlimited-approval', level: 'danger', tick: true, amount }],
  };
  const request = (w: World) => ({
    type: 'ETH_TRANSACTION',
    walletId: w.wallet.id,
    to: token,
    value: 0,
    data,
  });
  let w: World;

  beforeEach(async () => {
    w = await world();
    w.chain.summary = asking;
  });

  const field = async (opener = 'Set a limit'): Promise<HTMLInputElement> => {
    if (!deepAll(w.shell, '#limit').length) await w.press(opener);
    return w.find<HTMLInputElement>('Your limit in USDC');
  };
  /** Choices in order, and the button that sets the limit. */
  const offered = (): string[] =>
    deepAll<HTMLButtonElement>(w.shell, 'cbf-limit-field')
      .flatMap((each) => [...each.shadowRoot!.querySelectorAll('button')])
      .map(({ textContent, disabled }) => `${disabled ? '!' : ''}${textContent.replace(/\s+/g, ' ').trim()}`);
  const limitTo = async (text: string): Promise<HTMLButtonElement> => {
    type(await field(), text);
    return until(() =>
      deepAll<HTMLButtonElement>(w.shell, 'button').find(
        (b) => !b.disabled && b.textContent.replace(/\s+/g, ' ').trim().startsWith('Limit to'),
      ),
    );
  };

  async function signsLimit(raw: bigint): Promise<void> {
    await w.approve();
    await until(() => w.chain.signed.length === 1);
    const signed = String(w.chain.signed[0]!.request['data']);
    expect(BigInt(`0x${signed.slice(-64)}`)).to.equal(raw);
    expect(signed.slice(0, -64)).to.equal(data.slice(0, -64));
  }

  it('can be limited to what the user enters; all they hold is the last choice, and called so', async () => {
    w.ask('execute', request(w));
    expect((await field()).value).to.equal('');
    expect(offered()).to.deep.equal(['25%', '50%', 'All you hold', '!Enter a limit']);
    expect(w.text()).to.include('You hold 812.4 USDC.').and.not.include('Limit to');
    const limit = await limitTo('40.5');
    w.chain.summary = { kind: 'approval' };
    limit.click();
    await until(() => w.text().includes('Allow up to 0.2 ETH'));
    await signsLimit(40_500_000n);
  });

  it('can be limited to a part of what the wallet holds, or to all of it', async () => {
    w.ask('execute', request(w));
    const input = await field();
    for (const [choice, shown] of [
      ['25% of what you hold', '203.1'],
      ['50% of what you hold', '406.2'],
      ['All you hold', '812.4'],
    ] as const) {
      await w.press(choice);
      await until(() => input.value === shown, choice);
      await until(() => offered().at(-1) === `Limit to ${shown} USDC`, shown);
    }
  });

  it('takes no limit that is none, is above what the site asks for, or is finer than the token', async () => {
    const raw = 100_000_000_000n;
    w.chain.summary = {
      ...asking,
      unlimited: false,
      amount: { ...amount, raw },
      warnings: [{ code: 'spending-limit', level: 'caution', amount: { ...amount, raw } }],
    };
    w.ask('execute', {
      ...request(w),
      data: data.slice(0, -64) + raw.toString(16).padStart(64, '0'),
    });
    const input = await field();
    for (const [text, why] of [
      ['0', ''],
      ['all', 'Enter a number, for example 0.25.'],
      ['1.0000001', 'USDC has at most 6 digits after the point.'],
      ['100000.1', 'The site asks for less.'],
    ] as const) {
      type(input, text);
      await until(() => w.text().includes(why));
      expect(offered().at(-1), text).to.equal('!Enter a limit');
    }
    type(input, '100000');
    await until(() => offered().at(-1) === 'Limit to 100,000 USDC');
  });

  it('starts with what its own transaction takes, as simulated, and is limited in its clause alone', async () => {
    const pay = { kind: 'call', amount: { ...ether(0), raw: 0n }, to: RECIPIENT } as const;
    const clause = { kind: 'approval', unlimited: true, amount, contract: token, to: RECIPIENT } as const;
    w.chain.summary = {
      ...asking,
      kind: 'call',
      amount: pay.amount,
      parts: [pay, clause],
      changes: [{ amount: { ...amount, raw: 30_000_000n }, direction: 'out' }],
    };
    // As VeChain's requests have them.
    const clauses = [
      { to: RECIPIENT, value: '0', data: '0x12345678' },
      { to: token, value: '0', data },
    ];
    const parsed = { ...request(w), data: undefined, clauses };
    Object.assign(w.frame, { payloads: async () => ({ parse: () => parsed }) });
    w.ask('execute', request(w));
    await until(() => offered().join() === 'Limit to 30 USDC,Another limit');
    expect((await field('Another limit')).value).to.equal('30');
    expect(w.text()).to.include('The call takes 30 USDC.');
    const limit = await limitTo('30');
    w.chain.summary = { kind: 'approval' };
    limit.click();
    await until(() => w.text().includes('Allow up to 0.2 ETH'));
    await w.approve();
    await until(() => w.chain.signed.length === 1);
    const signed = w.chain.signed[0]!.request['clauses'] as typeof clauses;
    expect(signed[0]).to.deep.equal(clauses[0]);
    expect(BigInt(`0x${signed[1]!.data.slice(-64)}`)).to.equal(30_000_000n);
  });

  it('starts with what the next transaction of the list takes', async () => {
    const describeDraft = w.chain.describe.bind(w.chain);
    w.chain.describe = (draft) =>
      Number(draft.request['value']) === 0
        ? describeDraft(draft)
        : {
            ...describeDraft(draft),
            kind: 'call',
            amount: { ...ether(0), raw: 0n },
            unlimited: false,
            leaving: [{ ...amount, raw: 12_500_000n }],
            warnings: [],
          };
    w.ask('executeAll', { requests: [request(w), { ...request(w), value: 1 }] });
    await w.press('Continue');
    await until(() => offered()[0] === 'Limit to 12.5 USDC');
  });

  it('does not hang when Approve is pressed while the limit takes effect', async () => {
    w.ask('execute', request(w));
    const limit = await limitTo('812.4');
    (await w.find('I understand the risk: I could lose all my USDC')).click();
    await w.pin();
    const approve = await w.find('Approve');
    const node = holdNode(w);
    limit.click();
    await until(() => node.asked);
    approve.click();
    w.chain.summary = { kind: 'approval' };
    node.answer();
    await until(() => w.text().includes('Allow up to 0.2 ETH'));
    expect(w.chain.signed).to.have.length(0);
    await signsLimit(812_400_000n);
  });

  it('says what changed later where the limit found no node', async () => {
    w.ask('execute', request(w));
    const limit = await limitTo('5');
    w.chain.failPrepare = unreachable();
    limit.click();
    await until(() => w.chain.prepared === 2);
    w.chain.failPrepare = undefined;
    w.chain.maximum *= 2n;
    await w.clock.pass(20_000);
    await until(() => w.text().includes('The fee went up. Check it and enter your PIN again.'));
  });

  it('is offered no limit if the request’s last argument is not the allowance', async () => {
    const w = await world();
    w.chain.summary = {
      kind: 'approval',
      unlimited: true,
      amount: { raw: 2n ** 160n - 1n, decimals: 6, symbol: 'USDC', token: RECIPIENT },
      warnings: [
        {
          code: 'unlimited-approval',
          level: 'danger',
          tick: true,
          amount: { raw: 2n ** 160n - 1n, decimals: 6, symbol: 'USDC', token: RECIPIENT },
        },
      ],
    };
    const inputs = [
      { type: 'address', value: RECIPIENT },
      { type: 'address', value: RECIPIENT },
      { type: 'uint160', value: String(2n ** 160n - 1n) },
      { type: 'uint48', value: '1893456000' },
    ];
    const body = { type: 'CONTRACT_EXECUTION', secretType: 'ETHEREUM', walletId: w.wallet.id };
    w.ask('execute', { ...body, to: RECIPIENT, functionName: 'approve', inputs });
    await until(() => w.text().includes('This contract could take all your USDC'));
    // By the next draft, it is decided for the first.
    await w.clock.pass(20_000);
    await until(() => w.chain.prepared === 2);
    expect(w.text()).to.not.include('Set a limit');
  });
});

describe('limited', () => {
  const parsed = (fields: object) => ({ walletId: 'w', ...fields }) as unknown as ParsedRequest;
  const call = (type: string, value: unknown) =>
    parsed({
      type: 'CONTRACT_EXECUTION',
      inputs: [
        { type: 'address', value: RECIPIENT },
        { type, value },
      ],
    });
  const most = 2n ** 256n - 1n;

  it('changes an allowance however it is written, and nothing else', () => {
    for (const value of [most, String(most), `0x${'f'.repeat(64)}`])
      expect(
        JSON.stringify(limited(call('uint256', value), { allowed: most }, 5n)?.['inputs']),
        String(value),
      ).to.equal(
        JSON.stringify([
          { type: 'address', value: RECIPIENT },
          { type: 'uint256', value: '5' },
        ]),
      );
    for (const [type, value] of [
      ['bool', true],
      ['uint48', '1893456000'],
      ['string', 'all'],
      ['uint256[]', [most]],
    ] as const)
      expect(limited(call(type, value), { allowed: type === 'bool' ? 1n : most }, 5n), type).to.equal(
        undefined,
      );
    const data = `0x095ea7b3${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`;
    expect(limited(parsed({ type: 'ETH_TRANSACTION', data }), { allowed: most }, 5n)).to.equal(undefined);
  });
});
