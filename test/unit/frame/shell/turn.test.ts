/** Two windows of one wallet: only one of them asks, and the user says which. */
import { expect } from '@open-wc/testing';
import { Turn } from '../../../../src/frame/shell/turn.ts';
import { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import { frames } from '../../turns.ts';
import { deepAll } from '../scene.ts';
import { type Asked, ORIGIN, RECIPIENT, settled, until, type World, world } from '../world.ts';

const GAME = 'https://game.example';
const ELSEWHERE = 'Another window of your wallet is asking for shop.example';
const GO_ON = 'Go on here';

interface Window extends World {
  /** It is gone, without a word. */
  die(): void;
}

/** The windows of one browser profile: their storage and their locks. */
function profile() {
  const id = crypto.randomUUID();
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
  return async (origin = ORIGIN, ofWindow?: typeof storage): Promise<Window> => {
    let die = (): void => {};
    const dead = new Promise<void>((end) => (die = end));
    const request = (name: string, options: LockOptions, hold: LockGrantedCallback<unknown>) =>
      navigator.locks.request(`${id} ${name}`, options, (lock) => Promise.race([hold(lock), dead]));
    const locks = { request } as unknown as LockManager;
    const turn = new Turn(origin, locks);
    return Object.assign(await world({ origin, turn, remembered: storage, ofWindow }), { die });
  };
}

function send(w: World, value: string): Asked {
  return w.ask('transfer', { walletId: w.wallet.id, secretType: 'ETHEREUM', to: RECIPIENT, value });
}

async function open(w: World, value: string): Promise<Asked> {
  const asked = send(w, value);
  await w.find('PIN');
  return asked;
}

const isDrawn = (w: World): boolean => w.chain.prepared > 0 || deepAll(w.shell, 'cbf-pin-field').length > 0;

/** As a user does who has read it. */
async function press(w: World, name: string, after = 800): Promise<void> {
  const button = await w.find(name);
  await w.clock.pass(after);
  const init = { bubbles: true, composed: true, pointerType: 'mouse' };
  button.dispatchEvent(new PointerEvent('pointerdown', init));
  button.dispatchEvent(new PointerEvent('click', init));
  await frames(20);
}

describe('a request while another window is asking', () => {
  it('is not drawn, and says for which site the other one asks', async () => {
    const opened = profile();
    const first = await opened();
    await open(first, '0.001');
    const second = await opened(GAME);
    const asked = send(second, '3');
    await second.title(ELSEWHERE);
    await frames(20);
    expect(isDrawn(second)).to.equal(false);
    expect(asked.progress).to.deep.equal([]);
    await second.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    const sent = first.approve();
    await sent;
  });

  it('is drawn after a press that began 800 ms later, and the other one is taken back', async () => {
    const opened = profile();
    const first = await opened();
    const before = await open(first, '0.001');
    await first.pin('73');
    const second = await opened(GAME);
    const asked = send(second, '3');
    await second.title(ELSEWHERE);
    await press(second, GO_ON, 799);
    expect(isDrawn(second)).to.equal(false);
    second.guard.change('waiting');
    await second.clock.pass(800);
    second.guard.change('clear');
    await press(second, GO_ON, 0);
    await settled(before);
    expect(before.error?.code).to.equal('user.rejected');
    await second.find('PIN');
    expect((second.frame.stage.screen!.view as ApproveView).takesFocus).to.equal(false);
    expect(isDrawn(first) && first.text().includes('PIN')).to.equal(false);
    await second.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    expect(first.chain.signed).to.have.length(0);
  });

  it('is not drawn by a press that brought the window to the front', async () => {
    const opened = profile();
    await open(await opened(), '0.001');
    const second = await opened();
    send(second, '3');
    await second.title(ELSEWHERE);
    await second.clock.pass(5000);
    second.guard.change('waiting');
    const button = deepAll<HTMLElement>(second.shell, 'button').find((each) => each.textContent === GO_ON)!;
    const init = { bubbles: true, composed: true, pointerType: 'mouse' };
    button.dispatchEvent(new PointerEvent('pointerdown', init));
    second.guard.change('clear');
    button.dispatchEvent(new PointerEvent('click', init));
    await frames(20);
    expect(isDrawn(second)).to.equal(false);
  });

  it('comes by itself when the other one is done, and takes no focus', async () => {
    const opened = profile();
    const first = await opened();
    const before = await open(first, '0.001');
    const second = await opened(GAME);
    const asked = send(second, '3');
    await second.title(ELSEWHERE);
    await first.approve();
    await settled(before);
    await second.find('PIN');
    expect((second.frame.stage.screen!.view as ApproveView).takesFocus).to.equal(false);
    await second.approve();
    await settled(asked);
  });

  it('stands behind a notice when the other window of its site has died', async () => {
    const opened = profile();
    const first = await opened();
    await open(first, '0.001');
    await first.pin('73');
    const second = await opened();
    send(second, '3');
    await second.title(ELSEWHERE);
    first.die();
    await second.title('The site replaced its request');
    expect(isDrawn(second)).to.equal(false);
    await press(second, 'Show the new request');
    await second.find('PIN');
  });

  it('stands behind a notice when another site’s window has died, or its request was withdrawn', async () => {
    const opened = profile();
    const first = await opened();
    await open(first, '0.001');
    const second = await opened(GAME);
    const asked = send(second, '3');
    await second.title(ELSEWHERE);
    first.die();
    await second.title('Now game.example is asking');
    expect(second.text()).to.contain('A moment ago a request of shop.example was on screen.');
    expect(isDrawn(second)).to.equal(false);
    await second.press('Reject');
    await settled(asked);

    const third = await opened();
    const withdrawn = await open(third, '0.002');
    const fourth = await opened(GAME);
    send(fourth, '4');
    await fourth.title(ELSEWHERE);
    withdrawn.abort.abort();
    await fourth.title('Now game.example is asking');
    await press(fourth, 'Show the new request');
    await fourth.find('PIN');
  });

  it('pauses no site for what another one did', async () => {
    const opened = profile();
    const second = await opened(GAME);
    for (let round = 0; round < 4; round++) {
      const first = await opened();
      (await open(first, '0.001')).abort.abort();
      const asked = send(second, `${round}.5`);
      await second.title('Now game.example is asking');
      await second.press('Reject');
      await settled(asked);
    }
  });

  it('takes nothing back that is being signed', async () => {
    const opened = profile();
    const first = await opened();
    let go = (): void => {};
    const { sign } = first.chain.chain;
    Object.assign(first.chain.chain, {
      sign: (...given: Parameters<typeof sign>) =>
        new Promise((signed) => (go = () => signed(sign(...given)))),
    });
    const before = await open(first, '0.001');
    await first.approve();
    await until(() => before.progress.includes('signing'), 'the signature');
    const second = await opened(GAME);
    send(second, '3');
    await second.title(ELSEWHERE);
    await press(second, GO_ON);
    await second.find('PIN');
    await frames(20);
    expect(before.settled).to.equal(false);
    go();
    await settled(before);
    expect(before.error).to.equal(undefined);
  });

  it('lets the user leave, and the other window never knows', async () => {
    const opened = profile();
    const first = await opened();
    const before = await open(first, '0.001');
    const second = await opened();
    for (const value of ['3', '4']) {
      const asked = send(second, value);
      await second.title(ELSEWHERE);
      await second.press('Reject');
      await settled(asked);
    }
    await first.approve();
    await settled(before);
    expect(before.error).to.equal(undefined);
    await open(second, '5');
  });
});

describe('a window that comes to the front', () => {
  it('takes no digit before it has been in sight for long enough', async () => {
    const w = await world();
    await open(w, '0.2');
    const isInert = (): boolean => deepAll<HTMLElement>(w.shell, 'cbf-pin-row')[0]!.inert;
    w.guard.change('waiting');
    expect(isInert()).to.equal(false);
    dispatchEvent(new Event('focus'));
    await frames(2);
    expect(isInert()).to.equal(true);
    w.guard.change('clear');
    await frames(2);
    expect(isInert()).to.equal(false);
  });
});

describe('what the user begins in the wallet', () => {
  it('waits for its turn like a request, and ends when the user goes on elsewhere', async () => {
    const opened = profile();
    const first = await opened();
    await open(first, '0.001');
    const second = await opened(GAME);
    const { stage } = second.frame;
    const { signal } = new AbortController();
    const asking = stage.asks('settings', { signal, requestId: '' });
    await second.title(ELSEWHERE);
    await press(second, GO_ON);
    const turn = await asking;
    const third = await opened();
    send(third, '3');
    await third.title('Another window of your wallet is asking for game.example');
    await press(third, GO_ON);
    await until(() => turn.signal.aborted, 'the end of the settings');
    turn.end();
    await third.find('PIN');
  });
});

describe('a window that another site takes over', () => {
  it('says whose it is now, before the first request, over a reload', async () => {
    const items = new Map<string, string>();
    const ofWindow = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => void items.set(key, text),
      removeItem: (key: string) => void items.delete(key),
    };
    const opened = profile();
    const first = await opened(ORIGIN, ofWindow);
    const done = await open(first, '0.001');
    await first.approve();
    await settled(done);
    const again = await open(first, '0.002');
    expect(again.error).to.equal(undefined);
    await first.press('Reject');
    await settled(again);

    const title = 'This window now belongs to game.example';
    const second = await opened(GAME, ofWindow);
    send(second, '2');
    await second.title(title);
    second.die();
    const reloaded = await opened(GAME, ofWindow);
    send(reloaded, '3');
    await reloaded.title(title);
    expect(reloaded.text()).to.contain('Until now it was used by shop.example.');
    expect(isDrawn(reloaded)).to.equal(false);
    await press(reloaded, 'Show the new request');
    await reloaded.approve();
    const last = await open(await opened(GAME, ofWindow), '4');
    expect(last.error).to.equal(undefined);
  });
});
