import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import type { LinkView } from '../../../../src/frame/wallets/link-view.ts';
import type { Vault } from '../../../../src/wallets/types.ts';
import { deepAll, focused, named } from '../scene.ts';
import { GRACE } from '../../../../src/frame/shell/guard.ts';
import { frame, idle, turns } from '../../turns.ts';
import { NETWORKS, ORIGIN, PIN, settled, until, world } from '../world.ts';

const boxes = (root: Element): HTMLInputElement[] =>
  deepAll<HTMLInputElement>(root, 'li input[type=checkbox]');

describe('linking wallets', () => {
  it('preselects none of several at a first visit, and gives the page what the user chose', async () => {
    const w = await world({ wallets: 2 });
    await w.vault.setLinked(ORIGIN, []);
    const asked = w.ask('linkWallets');
    await w.title('Link your wallets to shop.example?');
    await until(() => boxes(w.shell).length === 2);
    expect(boxes(w.shell).some(({ checked }) => checked)).to.equal(false);
    expect(named(w.shell, 'Link wallets').dataset['text']).to.equal('Choose a wallet first');
    expect(w.text()).to.include('0 of 2 wallets chosen');
    boxes(w.shell)[1]!.click();
    await until(() => w.text().includes('1 of 2 wallets chosen'));
    await w.press('Link wallets');
    await settled(asked);
    const chosen = asked.result as Wallet[];
    expect(chosen).to.have.length(1);
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.deep.equal([chosen[0]!.id]);
    expect(w.link.sent.at(-1)).to.deep.equal(chosen);
    await w.closed();
  });

  it('preselects the only one at a first visit, until the user unchooses it', async () => {
    const w = await world({ wallets: 1 });
    await w.vault.setLinked(ORIGIN, []);
    const asked = w.ask('linkWallets');
    await until(() => w.text().includes('1 wallet chosen'));
    const [box] = boxes(w.shell);
    expect(box!.checked).to.equal(true);
    box!.click();
    await until(() => w.text().includes('No wallet chosen'));
    expect(named(w.shell, 'Link wallets').dataset['text']).to.equal('Choose a wallet first');
    box!.click();
    await w.press('Link wallets');
    await settled(asked);
    expect((asked.result as Wallet[]).map(({ id }) => id)).to.deep.equal([w.wallet.id]);
  });

  it('keeps the earlier choice, and All chooses and unchooses a chain', async () => {
    const w = await world({ wallets: 2 });
    w.ask('linkWallets', { secretTypes: ['ETHEREUM'] });
    await w.find('Link wallets');
    expect(boxes(w.shell).map(({ checked }) => checked)).to.deep.equal([true, false]);
    const all = named<HTMLInputElement>(w.shell, 'All Ethereum wallets');
    expect(all.indeterminate).to.equal(true);
    all.click();
    await until(() => w.text().includes('2 of 2 wallets chosen'));
    all.click();
    await until(() => w.text().includes('0 of 2 wallets chosen'));
  });

  it('shows the node’s balances', async () => {
    const w = await world();
    w.ask('linkWallets');
    await until(() => w.text().includes('1.2 ETH'));
  });

  it('takes a press while it is read again after Settings', async () => {
    const w = await world();
    const asked = w.ask('linkWallets');
    await w.find('Link wallets');
    await w.press('Settings');
    await w.title('Settings');
    let goOn = (): void => {};
    const { unsaved } = w.vault;
    w.vault.unsaved = () => new Promise((resolve) => (goOn = () => resolve(unsaved.call(w.vault))));
    await w.press('Back');
    await w.press('Link wallets');
    w.vault.unsaved = unsaved;
    goOn();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('needs a click that the guard lets through', async () => {
    const w = await world();
    w.guard.allowed = false;
    const asked = w.ask('linkWallets');
    await w.press('Link wallets');
    const [view] = deepAll<LinkView>(w.shell, 'cbf-link');
    expect(view!.busy).to.equal(false);
    expect(asked.settled).to.equal(false);
    w.guard.allowed = true;
    await w.press('Link wallets');
    await settled(asked);
  });

  it('makes a wallet where there is none, and goes on to consent with it chosen', async () => {
    const w = await world({ wallets: 0 });
    const asked = w.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'create' });
    await w.title('Choose a PIN');
    await w.pin(PIN, 'PIN');
    await w.press('Continue');
    await w.title('Enter the PIN again');
    await w.pin(PIN, 'Confirm PIN');
    await w.press('Continue');
    await w.title('Link your wallets to shop.example?');
    expect(boxes(w.shell).map(({ checked, ariaLabel }) => [checked, ariaLabel!.split(',')[0]])).to.deep.equal(
      [[true, 'Main wallet']],
    );
    expect(boxes(w.shell)[0]!.ariaLabel).to.match(/, not backed up$/);
    expect(w.text()).to.include('Wallet created');
    expect(w.text()).to.include('1 wallet chosen');
    expect(w.link.sent, 'nothing was said before consent').to.deep.equal([]);
    await w.press('Link wallets');
    await settled(asked);
    const [wallet] = asked.result as Wallet[];
    expect(wallet!.alias).to.equal('Main wallet');
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.deep.equal([wallet!.id]);
  });

  it('imports one where there is none', async () => {
    const w = await world({ wallets: 0 });
    w.ask('linkWallets', { newWallet: 'import' });
    await w.title('Import wallet');
  });

  it('asks a site that does not say which, and goes back there', async () => {
    const w = await world({ wallets: 0 });
    w.ask('linkWallets');
    await w.press('Create wallet');
    await w.title('Choose a PIN');
    await w.press('Back');
    await w.title('Set up your wallet');
    await w.press('Import wallet');
    await w.title('Import wallet');
  });

  it('answers none only when the user closes it', async () => {
    for (const params of [{}, { newWallet: 'create' }, { newWallet: 'import' }]) {
      const w = await world({ wallets: 0 });
      const asked = w.ask('linkWallets', params);
      await until(() => w.shell.shadowRoot!.querySelector('.main h1, .main > *'));
      await idle();
      w.shell.dispatchEvent(new CustomEvent('cbf-close'));
      await settled(asked);
      expect(asked.result).to.deep.equal([]);
      expect((await w.vault.state()).exists).to.equal(false);
    }
  });

  it('shows what there is, whatever was pressed, with none of several chosen; one more can be made and is', async () => {
    const w = await world({ wallets: 2 });
    await w.vault.setLinked(ORIGIN, []);
    const asked = w.ask('linkWallets', { newWallet: 'create' });
    await w.title('Link your wallets to shop.example?');
    expect(boxes(w.shell).map(({ checked }) => checked)).to.deep.equal([false, false]);
    await w.press('Create a wallet');
    await w.pin();
    await w.press('Continue');
    await until(() => w.text().includes('Wallet created'));
    await w.press('Link wallets');
    await settled(asked);
    expect((asked.result as Wallet[]).map(({ alias }) => alias)).to.deep.equal(['Wallet 3']);
  });

  it('does not link what the user unchose after making it', async () => {
    const w = await world({ wallets: 0 });
    const unlocked = await w.vault.create(PIN);
    unlocked.close();
    w.ask('linkWallets', { newWallet: 'create' });
    await w.pin();
    await w.press('Continue');
    await until(() => w.text().includes('Wallet created'));
    boxes(w.shell)[0]!.click();
    await until(() => w.text().includes('No wallet chosen'));
    expect(named(w.shell, 'Link wallets').dataset['text']).to.equal('Choose a wallet first');
  });

  it('rejects with user.rejected and changes nothing', async () => {
    const w = await world();
    const asked = w.ask('linkWallets');
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(await w.vault.linked(ORIGIN)).to.have.length(1);
  });

  it('keeps the link of an archived wallet for when it comes back', async () => {
    const w = await world({ wallets: 2 });
    const [first, second] = await w.vault.wallets();
    await w.vault.setLinked(ORIGIN, [first!.id, second!.id]);
    await w.vault.setArchived(second!.id, true);
    const asked = w.ask('linkWallets');
    await w.press('Link wallets');
    await settled(asked);
    expect((asked.result as Wallet[]).map(({ id }) => id)).to.deep.equal([first!.id]);
    await w.vault.setArchived(second!.id, false);
    expect(await w.vault.linked(ORIGIN)).to.have.length(2);
  });

  it('leaves links of other chains alone', async () => {
    const w = await world();
    const asked = w.ask('linkWallets', { secretTypes: ['BITCOIN'] });
    named(await until(() => w.shell.shadowRoot!.querySelector('cbf-link')), 'Close').click();
    await settled(asked);
    expect(await w.vault.linked(ORIGIN)).to.have.length(1);
  });
});

describe('a place that cannot approve', () => {
  it('offers a window of its own, and nothing else', async () => {
    const w = await world({ approvesHere: false, surface: 'iframe' });
    const asked = w.transfer('order-0010');
    await w.title('Open in a window');
    expect(w.text()).to.not.include(w.wallet.alias);
    await w.press('Open in a window');
    await until(() => w.link.windows.includes('order-0010'));
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(w.chain.prepared).to.equal(0);
  });

  it('is a frame in a page that is not listed, and no window', async () => {
    const inFrame = await world({
      approvesHere: 'undecided',
      surface: 'iframe',
      networks: { ...NETWORKS, embed: [] },
    });
    inFrame.transfer();
    await inFrame.title('Open in a window');
    const inWindow = await world({ approvesHere: 'undecided' });
    inWindow.transfer();
    await inWindow.approval();
  });
});

describe('the guard', () => {
  it('keeps Approve disabled until the view was in plain sight', async () => {
    const w = await world({ surface: 'iframe' });
    w.guard.state = 'waiting';
    w.transfer();
    await until(() => w.text().includes('0.2 ETH'));
    await w.pin();
    expect(named(w.shell, 'Approve').getAttribute('aria-disabled')).to.equal('true');
    w.guard.change('clear');
    await w.find('Approve');
  });

  it('replaces a covered approval by its own view, and restores it', async () => {
    const w = await world({ surface: 'iframe' });
    const asked = w.transfer('order-0011');
    await w.approval();
    w.guard.change('covered');
    await w.clock.pass(GRACE);
    await w.title('Something covers this window');
    await w.press('Open in a window');
    await until(() => w.link.windows.includes('order-0011'));
    w.guard.change('waiting');
    w.guard.change('clear');
    await w.approval();
    w.guard.change('covered');
    await w.clock.pass(GRACE);
    await w.title('Something covers this window');
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(w.chain.signed).to.have.length(0);
  });

  it('asks for a window if the approval does not fit into the dialog, and disappears by itself before Approve is enabled', async () => {
    const w = await world({ surface: 'iframe' });
    w.transfer('order-0012');
    await w.approval();
    await w.pin();
    await w.find('Approve');
    w.guard.change('small');
    await w.clock.pass(0);
    await w.title('Open in a window');
    expect(named(w.shell, 'Approve').checkVisibility()).to.equal(false);
    await w.press('Open in a window');
    await until(() => w.link.windows.includes('order-0012'));
    w.guard.change('waiting');
    await w.approval();
    await until(() => focused()?.localName === 'h1', 'the focus on the title');
    expect(focused()!.textContent).to.include('Send 0.2 ETH');
    const off = () => named(w.shell, 'Approve').getAttribute('aria-disabled') === 'true';
    expect(off()).to.equal(true);
    w.guard.change('clear');
    await frame();
    expect(off(), 'what was typed is still there').to.equal(false);
  });

  it('says what keeps it from approving as that changes', async () => {
    const w = await world({ surface: 'iframe' });
    w.transfer();
    await w.approval();
    w.guard.change('small');
    await w.clock.pass(0);
    await w.title('Open in a window');
    w.guard.change('covered');
    await w.clock.pass(GRACE);
    await w.title('Something covers this window');
    w.guard.change('clear');
    await w.approval();
  });

  it('closes by the header while no view waits for an answer', async () => {
    const w = await world({ surface: 'iframe' });
    const close = () => w.shell.dispatchEvent(new CustomEvent('cbf-close'));
    close();
    expect(w.link.closed).to.equal(1);
    const asked = w.transfer();
    await w.approval();
    close();
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
  });

  it('does not flicker when something passes over it', async () => {
    const w = await world({ surface: 'iframe' });
    w.transfer();
    await w.approval();
    w.guard.change('covered');
    await w.clock.pass(GRACE - 1);
    w.guard.change('waiting');
    w.guard.change('clear');
    await w.clock.pass(GRACE);
    await w.pin();
    await w.find('Approve');
    await w.approval();
  });
});

describe('a browser that stores nothing', () => {
  it('is reported to the user, who can try again, and to the page', async () => {
    const w = await world();
    const vault = w.frame.vault;
    const denied = new ConnectError('storage.unavailable', 'Denied.', { reason: 'denied' });
    const give = (open: () => Promise<Vault>): void => void Object.assign(w.frame, { vault: open });
    give(() => Promise.reject(denied));
    const first = w.ask('linkWallets');
    await w.title('Your wallet cannot be stored');
    give(vault);
    await w.press('Try again');
    await w.press('Link wallets');
    await settled(first);
    expect(first.result).to.have.length(1);
    give(() => Promise.reject(denied));
    const second = w.ask('linkWallets');
    await w.title('Your wallet cannot be stored');
    await w.press('Reject');
    await settled(second);
    expect(second.error?.code).to.equal('storage.unavailable');
  });
});

describe('requests of one page', () => {
  it('are served one after the other, and the window stays for the next', async () => {
    const w = await world();
    const first = w.ask('linkWallets');
    const second = w.transfer();
    await w.press('Link wallets');
    await settled(first);
    await w.approval();
    await w.approve(PIN);
    await settled(second);
    expect(second.result).to.be.an('object');
    expect(w.link.closed).to.equal(0);
  });

  it('may come while the one before still shows its confirmation', async () => {
    const w = await world();
    const first = w.transfer();
    await w.approve();
    await settled(first);
    await w.title('Sent');
    const second = w.ask('linkWallets');
    await w.title('Link your wallets to shop.example?');
    await w.press('Reject');
    await settled(second);
    await w.closed();
  });

  it('are forgotten by unlink', async () => {
    const w = await world();
    const asked = w.ask('unlink', { walletId: w.wallet.id });
    await settled(asked);
    expect(asked.result).to.equal(null);
    expect(await w.vault.linked(ORIGIN)).to.deep.equal([]);
    expect(w.link.sent.at(-1)).to.deep.equal([]);
  });

  it('find a wallet unlinked that the page unlinked right before, however long that takes', async () => {
    const w = await world({ wallets: 2 });
    const { unlink, linked } = w.vault;
    const done: string[] = [];
    let go: (() => void) | undefined;
    w.vault.unlink = async (...all) => {
      await new Promise<void>((resolve) => (go = resolve));
      await unlink(...all);
      done.push('unlinked');
    };
    w.vault.linked = (...all) => {
      done.push('read');
      return linked(...all);
    };
    w.ask('unlink', { walletId: w.wallet.id });
    w.ask('linkWallets');
    await until(() => go);
    await turns(100);
    go!();
    await w.title('Link your wallets to shop.example?');
    expect(boxes(w.shell)[0]!.checked).to.equal(false);
    expect(done[0]).to.equal('unlinked');
  });

  it('get no answer from a vault that the frame cannot read', async () => {
    const w = await world({ surface: 'iframe', networks: { ...NETWORKS, embed: [] } });
    for (const [action, params] of [
      ['unlink', { walletId: w.wallet.id }],
      ['pending', { requestIds: ['request-1'] }],
    ] as const) {
      const asked = w.ask(action, params);
      await settled(asked);
      expect(asked.error?.code, action).to.equal('frame.unreachable');
    }
  });

  it('marks a wallet that is not backed up', async () => {
    const w = await world({ wallets: 0 });
    const unlocked = await w.vault.create(PIN);
    await w.vault.createWallet(unlocked, 'ETHEREUM');
    unlocked.close();
    w.ask('linkWallets');
    await until(() => w.text().includes('Not backed up'));
    expect(boxes(w.shell)[0]!.ariaLabel).to.match(/, not backed up$/);
  });
});
