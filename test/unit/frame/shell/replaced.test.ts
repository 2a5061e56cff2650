import { expect } from '@open-wc/testing';
import type { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import { ListView } from '../../../../src/frame/approve/list-view.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { Replacements } from '../../../../src/frame/shell/replacements.ts';
import { frames } from '../../turns.ts';
import { deepAll, focused } from '../scene.ts';
import { type Asked, ORIGIN, RECIPIENT, settled, until, type World, world } from '../world.ts';

const NOTICE = 'The site replaced its request';
const SHOW = 'Show the new request';

/** The wallet's storage, shared by successive documents. */
function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
    items,
  };
}

function send(w: World, value: string, walletId = w.wallet.id): Asked {
  return w.ask('transfer', { walletId, secretType: 'ETHEREUM', to: RECIPIENT, value });
}

async function open(w: World, value: string): Promise<Asked> {
  const asked = send(w, value);
  await w.find('PIN');
  return asked;
}

/** The page withdraws its request. */
async function abort(asked: Asked): Promise<void> {
  asked.abort.abort();
  await settled(asked);
}

const titles = (w: World): (string | undefined)[] =>
  deepAll(w.shell, 'h1').map((h1) => h1.textContent?.replace(/\s+/g, ' ').trim());
const noticed = (w: World): boolean => titles(w).includes(NOTICE);
/** By then the result of a press is on screen. */
const drawn = (): Promise<void> => frames(20);
const pinFields = (w: World): Element[] => deepAll(w.shell, 'cbf-pin-field');

const press = (button: HTMLElement): boolean =>
  button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
const click = (button: HTMLElement, pointerType = 'mouse'): boolean =>
  button.dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true, pointerType }));
const key = (name: string, init: KeyboardEventInit = {}): boolean =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key: name, ...init }));

/** Like a user who has read the notice. */
async function accept(w: World): Promise<void> {
  const button = await w.find(SHOW);
  await w.clock.pass(800);
  press(button);
  click(button);
}

describe('a request in place of another', () => {
  it('is not drawn, and nothing takes the digits meant for the previous one', async () => {
    const w = await world();
    const first = await open(w, '0.2');
    await w.pin('73');
    await abort(first);
    const second = send(w, '3');
    await w.title(NOTICE);
    expect(pinFields(w)).to.have.length(0);
    expect(w.text()).to.contain(
      'shop.example took back the request you were looking at and sent another one.',
    );
    expect(w.text()).to.contain('Not shown yet');
    expect(focused()?.localName).to.equal('h1');
    expect(w.chain.prepared).to.equal(1);
    expect(second.progress).to.deep.equal([]);

    await accept(w);
    await w.find('PIN');
    expect((w.frame.stage.screen!.view as ApproveView).takesFocus).to.equal(false);
    // Further typing goes nowhere: the PIN field does not take focus by itself.
    await until(() => w.text().includes('0.2 ETH'));
    await drawn();
    expect(focused()?.localName).to.equal('h1');
    expect(w.text()).not.to.contain('digits entered');
    await w.approve();
    await settled(second);
    expect(second.error).to.equal(undefined);
  });

  it('does not focus the PIN field by itself', async () => {
    const w = await world();
    const first = await open(w, '0.2');
    await until(() => focused()?.localName === 'input', 'the focus in the PIN field');
    await abort(first);
    const again = send(w, '3');
    await accept(w);
    await w.find('PIN');
    await drawn();
    expect(focused()?.localName).to.equal('h1');
    await w.approve();
    await settled(again);
    expect(again.error).to.equal(undefined);
  });

  it('is shown by a press that began 800 ms after the notice appeared, and not earlier', async () => {
    const w = await world();
    await abort(await open(w, '0.2'));
    send(w, '3');
    const button = await w.find(SHOW);
    click(button);
    await w.clock.pass(799);
    press(button);
    await w.clock.pass(5000);
    click(button);
    await drawn();
    expect(noticed(w)).to.equal(true);
    w.guard.allowed = false;
    press(button);
    click(button);
    await drawn();
    expect(noticed(w)).to.equal(true);
    w.guard.allowed = true;
    press(button);
    click(button);
    await w.find('PIN');
  });

  it('is shown by a key one second after the last one, if Tab led there', async () => {
    const w = await world();
    await abort(await open(w, '0.2'));
    send(w, '3');
    const button = await w.find(SHOW);
    const enter = (init?: KeyboardEventInit): void => {
      key('Enter', init);
      click(button, '');
    };
    // Focus was set by a script or a press.
    await w.clock.pass(5000);
    button.focus();
    enter();
    await drawn();
    expect(noticed(w), 'without Tab').to.equal(true);
    button.blur();
    key('Tab');
    button.focus();
    await w.clock.pass(999);
    enter();
    await drawn();
    expect(noticed(w), 'within a second of Tab').to.equal(true);
    await w.clock.pass(2000);
    enter({ repeat: true });
    await drawn();
    expect(noticed(w), 'by a key that is held down').to.equal(true);
    await w.clock.pass(1000);
    enter();
    await w.find('PIN');
  });

  it('stays behind the notice if the previous one is only now ready to be drawn', async () => {
    const w = await world();
    let load!: () => void;
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const { payloads } = w.frame;
    Object.assign(w.frame, { payloads: () => loaded.then(() => payloads('ETHEREUM')) });
    send(w, '0.2').abort.abort();
    send(w, '3');
    await w.title(NOTICE);
    load();
    await drawn();
    expect(noticed(w)).to.equal(true);
    expect(pinFields(w)).to.have.length(0);
    // Even if one of its views loads late.
    const late = new ListView();
    w.frame.stage.open(late, { signal: AbortSignal.abort(), requestId: 'request-of-before' });
    await drawn();
    expect([noticed(w), late.isConnected]).to.deep.equal([true, false]);
  });

  it('comes after the notice for a minute', async () => {
    const w = await world();
    await abort(await open(w, '0.2'));
    await w.clock.pass(60_000);
    await open(w, '3');
    expect(noticed(w)).to.equal(false);
  });

  it('is no replacement if it is the same request again, as from a page that re-renders its element', async () => {
    const w = await world();
    const first = await open(w, '0.2');
    await w.pin('73');
    await abort(first);
    const again = await open(w, '0.2');
    expect(noticed(w)).to.equal(false);
    expect(w.text()).not.to.contain('digits entered');
    await w.approve();
    await settled(again);
    expect(again.error).to.equal(undefined);
  });

  it('is none after the user’s own Reject, Esc or Close, with digits typed, however often', async () => {
    const w = await world();
    const ends: (() => void)[] = [
      () => void w.press('Reject'),
      () => void key('Escape'),
      () => void w.press('Close'),
      () => void w.press('Reject'),
    ];
    for (const [index, end] of ends.entries()) {
      const asked = await open(w, `0.${index + 1}`);
      expect(noticed(w)).to.equal(false);
      await w.pin('73');
      end();
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
      await until(() => !pinFields(w).length, 'the end of the view');
    }
    await open(w, '4');
    expect(noticed(w)).to.equal(false);
  });

  it('is none after the user has rejected what stood behind the notice', async () => {
    const w = await world();
    await abort(await open(w, '0.2'));
    const second = send(w, '3');
    await w.title(NOTICE);
    await w.press('Reject');
    await settled(second);
    await open(w, '4');
    expect(noticed(w)).to.equal(false);
  });

  it('stays if the page only says that it is the user’s, or sends a rejected request again', async () => {
    const w = await world();
    // The wallet has its answer, which takes no press.
    const before = { origin: ORIGIN, requestId: 'rejected-before', walletId: w.wallet.id, signed: [] };
    const error = {
      code: 'user.rejected' as const,
      message: 'The wallet was closed before the list was through.',
    };
    await w.vault.journal.put({
      ...before,
      action: 'transfer',
      params: {},
      networkId: 'local-ethereum',
      state: 'failed',
      error,
    });
    await abort(await open(w, '0.2'));
    const resumed = w.ask('resume', { requestId: 'rejected-before' });
    await settled(resumed);
    expect(resumed.error?.code).to.equal('user.rejected');
    send(w, '3');
    await w.title(NOTICE);
  });

  it('leaves the focus where it is when the page asks to go on with an earlier request', async () => {
    for (const follows of [false, true]) {
      const w = await world();
      const draft = {
        secretType: 'ETHEREUM',
        network: w.frame.networks.networks[0],
        from: w.wallet.address,
        request: { type: 'TRANSFER', walletId: w.wallet.id },
        nonce: 0,
        maximum: { $n: '420000000000000' },
      };
      const asked = { walletId: w.wallet.id, key: 'asked-before-1', draft: JSON.stringify(draft) };
      await w.vault.journal.put({
        origin: ORIGIN,
        requestId: 'asked-before-1',
        action: 'transfer',
        walletId: w.wallet.id,
        params: {},
        state: 'signed',
        signed: [],
        networkId: 'local-ethereum',
        asked,
      });
      if (follows) await abort(await open(w, '0.2'));
      w.ask('resume', { requestId: 'asked-before-1' });
      await until(() => focused()?.localName === (follows ? 'h1' : 'input'), 'the focus');
      expect(pinFields(w)).to.have.length(1);
    }
  });

  it('takes no focus after what the user was doing in the wallet itself when it came', async () => {
    const w = await world();
    const settings = new AbortController();
    const own = await w.frame.stage.asks('settings', { signal: settings.signal, requestId: '' });
    settings.abort();
    own.end();
    await open(w, '3');
    expect(noticed(w)).to.equal(false);
    expect((w.frame.stage.screen!.view as ApproveView).takesFocus).to.equal(false);
  });

  it('stays one, however many requests the page has failed since', async () => {
    const { clock } = await world();
    const replacements = new Replacements({ origin: ORIGIN, clock, storage: storage() });
    const body = (value: number) => ({ action: 'transfer' as const, params: { value } });
    replacements.end(replacements.begin(body(1)), 'withdrawn');
    await frames(2);
    for (let i = 2; i < 40; i++) replacements.end(replacements.begin(body(i)), 'failed');
    const verdict = await replacements.judge(body(50) as never, replacements.begin(body(50)));
    expect(verdict?.kind).to.equal('replaced');
  });

  it('takes no focus after one that failed, without accusing anybody', async () => {
    const w = await world();
    w.chain.failPrepare = new ConnectError('request.invalid', 'The node says no.');
    const failed = send(w, '0.2');
    await settled(failed);
    w.chain.failPrepare = undefined;
    await open(w, '3');
    expect(noticed(w)).to.equal(false);
    expect((w.frame.stage.screen!.view as ApproveView).takesFocus).to.equal(false);
  });

  it('is none after the user closed the wallet while it loaded', async () => {
    const w = await world();
    const first = send(w, '0.2');
    // As the channel does.
    w.frame.link.close = () => first.abort.abort();
    w.shell.dispatchEvent(new CustomEvent('cbf-close'));
    await settled(first);
    await open(w, '3');
    expect(noticed(w)).to.equal(false);
  });

  it('is one if an earlier Close, which the page held up, was not for the request that it takes back', async () => {
    const w = await world();
    const first = send(w, '0.2');
    w.frame.link.close = () => first.abort.abort();
    w.shell.dispatchEvent(new CustomEvent('cbf-close'));
    await settled(first);
    await abort(await open(w, '3'));
    send(w, '4');
    await w.title(NOTICE);
  });

  it('is none after an approval', async () => {
    const w = await world();
    const first = await open(w, '0.2');
    await w.approve();
    await settled(first);
    await open(w, '3');
    expect(noticed(w)).to.equal(false);
  });

  it('is one if the page withdraws the first behind the notice', async () => {
    const w = await world();
    await abort(await open(w, '0.2'));
    const second = send(w, '3');
    await w.title(NOTICE);
    await w.clock.pass(59_000);
    await abort(second);
    await w.clock.pass(59_000);
    send(w, '4');
    await w.title(NOTICE);
  });

  describe('from a later document', () => {
    it('comes after the notice if the page destroyed the previous document without a message', async () => {
      const remembered = storage();
      await open(await world({ remembered }), '0.2');
      const after = await world({ remembered });
      send(after, '3');
      await after.title(NOTICE);
    });

    it('says which request is gone', async () => {
      const remembered = storage();
      const before = await world({ remembered });
      await open(before, '0.2');
      await before.pin('7');
      const [title] = titles(before);
      const after = await world({ remembered });
      send(after, '3');
      await after.title(NOTICE);
      expect(after.text().replace(/\s+/g, ' ')).to.contain(`Withdrawn ${title}`);
    });

    it('forgets what an earlier version kept for the site', async () => {
      const remembered = storage();
      remembered.setItem(
        'carabiner:asked:https://shop.example',
        '{"marks":[],"replaced":[],"pausedUntil":1}',
      );
      const w = await world({ remembered });
      await open(w, '0.2');
      expect([...remembered.items.keys()]).to.deep.equal(['carabiner:asked']);
      expect(JSON.parse(remembered.getItem('carabiner:asked')!).version).to.equal(1);
    });

    it('reads no record of a later version', async () => {
      const remembered = storage();
      remembered.setItem('carabiner:asked', '{"version":2,"marks":"unknown"}');
      await open(await world({ remembered }), '0.2');
    });

    it('leaves nothing in storage when all is done', async () => {
      const remembered = storage();
      const w = await world({ remembered });
      const asked = await open(w, '0.2');
      expect(JSON.stringify([...remembered.items])).not.to.contain(RECIPIENT);
      await w.approve();
      await settled(asked);
      await w.press('Done');
      expect(remembered.items.size).to.equal(0);
    });
  });

  describe('for the third time in a minute', () => {
    async function third(remembered = storage()): Promise<{ w: World; asked: Asked }> {
      const w = await world({ remembered });
      await abort(await open(w, '0.2'));
      for (const value of ['1', '2']) {
        const asked = send(w, value);
        await w.title(NOTICE);
        await abort(asked);
      }
      const asked = send(w, '3');
      await w.title('shop.example is paused');
      return { w, asked };
    }

    it('is rejected, and so is everything that follows for ten minutes', async () => {
      const remembered = storage();
      const { w, asked } = await third(remembered);
      const waiting = send(w, '4');
      await w.press('Close');
      await settled(asked);
      await settled(waiting);
      for (const { error, progress } of [asked, waiting]) {
        expect(error?.code).to.equal('request.rate-limited');
        expect(error?.details['retryAfter']).to.equal(600);
        expect(progress).to.deep.equal([]);
      }
      await w.clock.pass(599_000);
      const late = send(w, '5');
      await settled(late);
      expect(late.error?.details['retryAfter']).to.equal(1);
      // Another document of the wallet knows about the pause, and says so.
      const other = await world({ remembered });
      await other.clock.pass(599_000);
      send(other, '5');
      await other.title('shop.example is paused');
      await other.press('Close');
      await w.clock.pass(1000);
      await open(w, '6');
    });
  });
});
