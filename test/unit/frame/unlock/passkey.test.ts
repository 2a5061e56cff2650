import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { UserRejectedError } from '../../../../src/base/errors.ts';
import { toBase64Url } from '../../../../src/base/base64.ts';
import { challengeOf, type Intent } from '../../../../src/wallets/passkey-intent.ts';
import { poll } from '../../../waiting.ts';
import { frame } from '../../turns.ts';
import { Authenticator } from '../../wallets/authenticator.ts';
import { PHRASE } from '../../wallets/setup.ts';
import { PageClock } from '../../clock.ts';
import { deepAll, type } from '../scene.ts';
import { NETWORKS, ORIGIN, PIN, settled, until, world, type World } from '../world.ts';
import { ethereumPayloads as payloads } from '../../../families.ts';

const CHAIN = { chain: 'ETHEREUM' };
const [local] = NETWORKS.networks as [(typeof NETWORKS.networks)[number]];

let authenticator: Authenticator;
let unplug: () => void;
beforeEach(() => {
  authenticator = new Authenticator();
  unplug = authenticator.plug();
});
const undo: (() => void)[] = [];
afterEach(() => {
  unplug();
  for (const one of undo.splice(0)) one();
});

async function choosePin(w: World, pin = PIN): Promise<void> {
  await w.title('Choose a PIN');
  await w.pin(pin, 'PIN');
  await w.press('Continue');
  await w.pin(pin, 'Confirm PIN');
  await w.press('Continue');
}

/** A frame whose user has one wallet that only a passkey opens. */
async function passkeyWorld(): Promise<World> {
  const w = await world({ wallets: 0 });
  const unlocked = await w.vault.createWithPasskey();
  const { id } = await w.vault.createWallet(unlocked, 'ETHEREUM');
  unlocked.close();
  await w.vault.link(ORIGIN, [id]);
  w.wallet = (await w.vault.wallets())[0]!;
  return w;
}

async function openSettings(w: World): Promise<void> {
  w.ask('manageWallets', CHAIN);
  await w.title('Ethereum wallets');
  await w.press('Settings');
  await w.title('Settings');
}

const PASSKEY = ['Approve with passkey', 'Show private key with passkey', 'Use passkey'];

/** Approves once everything it needs is on screen. */
async function approve(w: World): Promise<void> {
  const before = authenticator.asked.get.length;
  const ready = (): boolean =>
    deepAll<HTMLElement>(w.shell, 'button').some(({ ariaLabel }) => PASSKEY.includes(ariaLabel ?? ''));
  await until(ready, 'a button that asks for the passkey');
  // Once it was pressed, what is to be seen may be gone before the passkey is asked.
  const look = async (): Promise<boolean> => {
    if (/^(Just arrived|See |Read )/.test(deepAll(w.shell, '#why')[0]?.textContent ?? '')) {
      await w.clock.pass(300);
      deepAll<HTMLElement>(w.shell, '.pill')[0]?.click();
    } else
      for (const button of deepAll<HTMLElement>(w.shell, 'button'))
        if (PASSKEY.includes(button.ariaLabel ?? '')) button.click();
    await frame();
    return authenticator.asked.get.length > before;
  };
  await poll(look, 'the passkey to be asked');
}

const asked = (): string[] =>
  authenticator.asked.get.map(({ challenge }) => toBase64Url(new Uint8Array(challenge as ArrayBuffer)));
const nameOf = async (intent: Intent): Promise<string> => toBase64Url(await challengeOf(intent));

describe('a new wallet', () => {
  it('is made with a passkey before anything else is offered: no PIN, no words', async () => {
    const w = await world({ wallets: 0 });
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.title('Make your wallet with a passkey');
    await w.press('Continue with passkey');
    await settled(task);
    const wallet = task.result as Wallet;
    expect(await w.vault.state()).to.include({ passkey: true, pin: false, backedUp: false });
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.deep.equal([wallet.id]);
    await w.title('Back up before you receive');
    expect(w.text()).to.include('Show words').and.include('Save back-up file');
    await w.press('Remind me later');
    await w.title('Receive ETH');
    expect(w.text()).to.include('Not backed up');
  });

  it('has a PIN in its place when the user wants one', async () => {
    const w = await world({ wallets: 0 });
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.press('Use a PIN instead');
    await choosePin(w);
    await w.press('Remind me later');
    await settled(task);
    expect(await w.vault.state()).to.include({ passkey: false, pin: true });
    expect(authenticator.asked.create).to.deep.equal([]);
  });

  it('is asked for a PIN where this device has no passkeys', async () => {
    unplug();
    const w = await world({ wallets: 0 });
    w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.title('Choose a PIN');
    unplug = authenticator.plug();
  });

  it('continues with a PIN in the same place when the passkey has no PRF, and removes that passkey', async () => {
    authenticator.mode = 'none';
    const w = await world({ wallets: 0 });
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await w.title('Choose a PIN');
    expect(w.text()).to.include('The passkeys of this device cannot open a wallet. A PIN can.');
    expect(authenticator.dropped).to.deep.equal([authenticator.name]);
    await choosePin(w);
    await w.press('Remind me later');
    await settled(task);
    expect(await w.vault.state()).to.include({ passkey: false, pin: true });
  });

  it('waits when the passkey’s dialog was closed, and goes Back to where it came from', async () => {
    authenticator.mode = 'cancel';
    const w = await world({ wallets: 0 });
    w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await until(() => w.text().includes('No passkey was made. Try again, or use a PIN.'));
    await w.press('Use a PIN instead');
    await w.title('Choose a PIN');
    await w.press('Back');
    await w.title('Make your wallet with a passkey');
    expect(w.text()).not.to.include('No passkey was made');
    await w.press('Back');
    await w.title('Set up your wallet');
    expect((await w.vault.state()).exists).to.equal(false);
  });

  it('from 12 words is opened by a passkey too', async () => {
    const w = await world({ wallets: 0 });
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Import wallet');
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), PHRASE);
    await w.press('Import wallet');
    await w.press('Continue with passkey');
    await settled(task);
    expect(await w.vault.state()).to.include({ passkey: true, pin: false, backedUp: true });
  });

  it('from a private key is opened by a passkey too', async () => {
    const w = await world({ wallets: 0 });
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Import wallet');
    await w.press('Private key');
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea#key')[0]), `0x${'4c'.repeat(32)}`);
    await w.press('Import wallet');
    await w.press('Continue with passkey');
    await settled(task);
    expect(await w.vault.state()).to.include({ passkey: true, pin: false });
  });
});

describe('approving with a passkey', () => {
  it('sends, and the passkey was asked for exactly this draft of this request', async () => {
    const w = await passkeyWorld();
    const task = w.transfer('request-of-passkey-1');
    await approve(w);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
    expect(asked()).to.deep.equal([
      await nameOf({
        action: 'send',
        walletId: w.wallet.id,
        origin: ORIGIN,
        chain: 'ETHEREUM local 31337',
        requestId: 'request-of-passkey-1',
        content: w.chain.drafts[0],
      }),
    ]);
  });

  it('signs a message, and the passkey was asked for exactly this one', async () => {
    const w = await passkeyWorld();
    const params = { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e20696e' };
    const task = w.ask('sign', params, 'request-of-passkey-2');
    await approve(w);
    await settled(task);
    expect(task.result).to.include({ success: true });
    const intent: Intent = {
      action: 'sign',
      walletId: w.wallet.id,
      origin: ORIGIN,
      chain: 'ETHEREUM local 31337',
      requestId: 'request-of-passkey-2',
      content: payloads.parseSigning(params),
    };
    expect(asked()).to.deep.equal([await nameOf(intent)]);
  });

  it('signs nothing when the answer is for something else, says so, and then works with the right one', async () => {
    const w = await passkeyWorld();
    const task = w.transfer();
    authenticator.alter = ({ client }) => (client['challenge'] = 'AAAA');
    await approve(w);
    await until(() => w.text().includes('The passkey’s answer was not to what was asked.'));
    expect(w.chain.signed).to.deep.equal([]);
    expect(task.settled).to.equal(false);
    authenticator.alter = () => {};
    await approve(w);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('signs nothing when the draft was changed while the dialog was open', async () => {
    const w = await passkeyWorld();
    const drafts: { maximum: bigint }[] = [];
    const { prepare } = w.chain.chain;
    Object.assign(w.chain.chain, {
      prepare: async (...of: Parameters<typeof prepare>) => {
        const draft = await prepare(...of);
        drafts.push(draft as unknown as { maximum: bigint });
        return draft;
      },
    });
    const task = w.transfer();
    authenticator.during = () => void drafts.at(-1)!.maximum++;
    await approve(w);
    await until(() => w.text().includes('Nothing was signed.'));
    expect(w.chain.signed).to.deep.equal([]);
    expect(task.settled).to.equal(false);
  });

  it('draws a new draft if the dialog was open for over 90 s, without an error', async () => {
    const w = await passkeyWorld();
    const page = new PageClock();
    undo.push(() => page.restore());
    const wait = (ms: number) => Promise.all([page.pass(ms), w.clock.pass(ms)]);
    const task = w.transfer();
    authenticator.during = () => wait(91_000);
    await approve(w);
    await until(() => w.text().includes('The transaction changed meanwhile. Check it and approve it again.'));
    expect(w.chain.signed).to.deep.equal([]);
    expect(task.settled).to.equal(false);
    authenticator.during = () => wait(80_000);
    await approve(w);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('ends when the site withdraws its request: the dialog closes, and signs nothing', async () => {
    const w = await passkeyWorld();
    const task = w.transfer();
    authenticator.during = () => new Promise(() => {});
    await approve(w);
    task.abort.abort(new UserRejectedError());
    authenticator.during = () => {};
    const next = w.transfer();
    await approve(w);
    await settled(next);
    expect(w.chain.signed).to.have.length(1);
    expect(task.result).to.equal(undefined);
  });

  it('works while the PIN is locked', async () => {
    const w = await world();
    const unlocked = await w.vault.unlock(PIN);
    await w.vault.addPasskey(unlocked);
    for (let i = 0; i < 5; i++) await w.vault.unlock('9999').catch(() => {});
    const task = w.transfer();
    await approve(w);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('is offered again by the lock that wrong PINs led to', async () => {
    const w = await world();
    await w.vault.addPasskey(await w.vault.unlock(PIN));
    for (let i = 0; i < 4; i++) await w.vault.unlock('9999').catch(() => {});
    const task = w.transfer();
    await usePin(w);
    await w.approve('9999');
    await w.title('Locked for a while');
    await w.press('Use passkey');
    await approve(w);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('is optional: the PIN still approves', async () => {
    const w = await world();
    await w.vault.addPasskey(await w.vault.unlock(PIN));
    const task = w.transfer();
    await usePin(w);
    await w.approve();
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
    expect(asked()).to.deep.equal([]);
  });

  /** Switches to the PIN field where the passkey comes first. */
  async function usePin(w: World): Promise<void> {
    await until(() => deepAll(w.shell, 'button').some(({ ariaLabel }) => PASSKEY.includes(ariaLabel ?? '')));
    deepAll<HTMLElement>(w.shell, 'button')
      .find(({ ariaLabel }) => ariaLabel === 'Use PIN')
      ?.click();
  }
});

describe('a wallet without a PIN', () => {
  it('makes another wallet with the passkey', async () => {
    const w = await passkeyWorld();
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.title('Use your passkey');
    expect(w.text()).not.to.include('Use a PIN instead');
    await w.press('Continue with passkey');
    await settled(task);
    expect(await w.vault.wallets()).to.have.length(2);
  });

  it('creates another with its PIN when it has one', async () => {
    const w = await world();
    await w.vault.addPasskey(await w.vault.unlock(PIN));
    const task = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.press('Use a PIN instead');
    await w.title('Enter your PIN');
    await w.pin();
    await w.press('Continue');
    await settled(task);
    expect(asked()).to.deep.equal([]);
  });

  it('gets a PIN in Settings, which opens it from then on', async () => {
    const w = await passkeyWorld();
    await openSettings(w);
    expect(w.text()).to.include('Not chosen yet');
    await w.press('Choose a PIN');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.title('Settings');
    await w.find('Change PIN');
    (await w.vault.unlock(PIN)).close();
  });

  it('needs a PIN before its passkey is removed', async () => {
    const w = await passkeyWorld();
    await openSettings(w);
    await w.press('Passkey');
    await w.title('Use your passkey');
    await w.press('Back');
    await w.title('Settings');
    expect((await w.find<HTMLInputElement>('Passkey')).checked).to.equal(true);
    expect((await w.vault.state()).passkey).to.equal(true);
    await w.press('Passkey');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.title('Settings');
    await until(() => authenticator.dropped.length);
    expect(await w.vault.state()).to.include({ passkey: false, pin: true });
  });

  it('shows no words to a user who goes back while the passkey is asked for, and closes its dialog', async () => {
    const w = await passkeyWorld();
    await openSettings(w);
    await w.press('Show words');
    const { unlockWithPasskey } = w.vault;
    let answer = (): void => {};
    let signal: AbortSignal | undefined;
    w.vault.unlockWithPasskey = async (...of) => {
      signal = of[1];
      const unlocked = await unlockWithPasskey(of[0]);
      await new Promise<void>((resolve) => (answer = resolve));
      return unlocked;
    };
    await w.press('Continue with passkey');
    await until(() => asked().length);
    await w.press('Back');
    await w.title('Settings');
    expect(signal?.aborted).to.equal(true);
    answer();
    await frame();
    await w.title('Settings');
  });

  it('shows its words after the passkey, and can be backed up', async () => {
    const w = await passkeyWorld();
    await openSettings(w);
    await w.press('Show words');
    await w.press('Continue with passkey');
    await w.title('Your 12 words');
    const words = await until(() => {
      const shown = deepAll<HTMLElement>(w.shell, '.words li b').map((b) => b.textContent?.trim() ?? '');
      return shown.length === 12 && shown.every(Boolean) && shown;
    });
    await w.press('I wrote them down');
    await w.title('Check your copy');
    for (const input of deepAll<HTMLInputElement>(w.shell, 'input')) {
      const position = Number(input.labels![0]!.textContent!.replace(/\D/g, ''));
      type(input, words[position - 1]!);
    }
    await w.press('Finish');
    await w.title('Backed up');
    await w.press('Done');
    await w.title('Settings');
    expect((await w.vault.state()).backedUp).to.equal(true);
  });

  it('is restored with its words when the passkey is lost', async () => {
    const w = await world({ wallets: 0 });
    const unlocked = await w.vault.restoreWithPasskey(PHRASE);
    await w.vault.createWallet(unlocked, 'ETHEREUM');
    await openSettings(w);
    authenticator.mode = 'cancel';
    await w.press('Choose a PIN');
    await w.press('Continue with passkey');
    await until(() => asked().length);
    await w.press('Restore with 12 words');
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), PHRASE);
    await w.press('Continue');
    await choosePin(w);
    await w.title('Enter your PIN');
    (await w.vault.unlock(PIN)).close();
  });

  it('exports a key with the passkey, asked for that', async () => {
    const w = await passkeyWorld();
    w.ask('manageWallets', CHAIN);
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Export');
    (await w.find<HTMLInputElement>('I understand the risk')).click();
    await approve(w);
    await w.title(`Private key of ${w.wallet.alias}`);
    expect(asked()).to.have.length(1);
  });
});

describe('exporting a key', () => {
  it('of a test network says that it opens the mainnet address', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Export');
    await w.title('Export wallet');
    expect(w.text()).to.include('The same key opens the mainnet address');
  });

  it('of a live network does not mention it', async () => {
    const w = await world({
      networks: {
        customNodes: false,
        reported: [],
        networks: [{ ...local, id: 'mainnet', kind: 'mainnet', chainId: 1 }],
      },
    });
    w.ask('manageWallets', CHAIN);
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Export');
    await w.title('Export wallet');
    expect(w.text()).not.to.include('mainnet address');
  });
});

describe('a passkey in Settings', () => {
  it('that cannot open a wallet is not switched on, and the view says so', async () => {
    const w = await world();
    authenticator.mode = 'none';
    await openSettings(w);
    await w.press('Passkey');
    await w.pin();
    await w.press('Continue');
    await until(() => w.text().includes('The passkeys of this device cannot open a wallet. A PIN can.'));
    expect((await w.find<HTMLInputElement>('Passkey')).checked).to.equal(false);
    expect((await w.vault.state()).passkey).to.equal(false);
  });
});
