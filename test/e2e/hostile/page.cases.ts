/**
 * A hostile page against the built frame, attempt by attempt. Each moves nothing; the same script without the trick sends what it asks for,
 * in the test itself or in the control of its group.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe } from 'node:test';
import { HDNodeWallet, toBeHex, Transaction, Wallet as EthersWallet } from 'ethers';
import type { Frame } from 'playwright-core';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { poll, within } from '../../waiting.ts';
import {
  evaluateIn,
  openWorld,
  PIN,
  startTestNode,
  type TestNode,
  type Visitor,
  WalletView,
  type World,
} from '../harness.ts';
import { answer, embed, heard, init, type RawWindow, request, stillWaiting } from '../raw-host.ts';
import { holdings, movesNothing, sends } from './unmoved.ts';
import { core, describeRest, rest, variant } from '../parts.ts';
import { EVERY_VARIANT } from '../variants.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
/** What every page here wants. */
const payment = (wallet: Wallet, value = '0.1') => ({
  walletId: wallet.id,
  secretType: 'ETHEREUM' as const,
  to: FRIEND,
  value,
});
const site = (origin: string): RegExp => new RegExp(new URL(origin).host.replaceAll('.', '\\.'));

/** The wallet in the `#raw` iframe of a hostile page. */
const rawView = (visitor: Visitor): WalletView =>
  new WalletView(visitor.page.locator('#raw').contentFrame(), visitor.page);

/** Has the request on screen approved, and returns the hash that the page is told. */
async function paid(visitor: Visitor, view: WalletView): Promise<string> {
  await view.approve();
  const { value, error } = await visitor.answer<TransactionResult>();
  assert.equal(error, undefined);
  return value!.transactionHash;
}

const rawHash = async (visitor: Visitor, id: string): Promise<string> =>
  ((await answer(visitor.page, id))['result'] as TransactionResult).transactionHash;

describe('messages', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  after(() => visitor.close());
  afterEach(() => visitor.startAgain());

  const askAs = (id: string): Promise<WalletView> =>
    visitor.ask((connect, { requestId, params }) => connect.transfer(params, { requestId }), {
      requestId: id,
      params: payment(wallet),
    });
  const forgedAnswer = (id: string): unknown => ({
    type: 'result',
    id,
    result: { success: true, transactionHash: `0x${'00'.repeat(32)}` },
  });
  /** A frame of another origin in the page. */
  const embedEvil = async (): Promise<Frame> => {
    const url = `${world.hosts.crossSite}/bare`;
    await visitor.evaluate((src) => {
      const evil = document.createElement('iframe');
      evil.src = src;
      document.body.append(evil);
      return new Promise((loaded) => evil.addEventListener('load', () => loaded(0)));
    }, url);
    return poll(async () => visitor.page.frames().find((frame) => frame.url() === url), 'the other frame');
  };
  const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);

  variant(
    'Reject while the approval still loads ends its request, in a wallet that the page keeps open',
    async () => {
      const { page } = visitor;
      await embed(page, world.frame);
      await init(page);
      const view = rawView(visitor);
      void request(page, 'rejected-early', 'transfer', payment(wallet, '3'));
      await view.button('Reject').click();
      const { error } = await answer(page, 'rejected-early');
      assert.equal((error as { code: string }).code, 'user.rejected');
      void request(page, 'asked-again', 'transfer', payment(wallet));
      await view.heading('Send 0.1 ETH').waitFor();
      await sends(world, wallet, async () => {
        await view.approve();
        return rawHash(visitor, 'asked-again');
      });
    },
  );

  core('control: the page’s own iframe, after its own init, sends what is approved', async () => {
    await embed(visitor.page, world.frame);
    await init(visitor.page);
    await visitor.evaluate(
      (params) => window.raw.send({ type: 'request', id: 'control-001', action: 'transfer', params }),
      payment(wallet),
    );
    await sends(world, wallet, async () => {
      await rawView(visitor).approve();
      return rawHash(visitor, 'control-001');
    });
  });

  core('forged by another window: it gets no port, and its answers are not taken', async () => {
    const view = await askAs('forged-0001');
    await attack(async () => {
      await view.approval().waitFor();
      const [other] = await Promise.all([
        visitor.page.waitForEvent('popup'),
        visitor.evaluate((url) => void open(url), `${world.hosts.sameSite}/bare`),
      ]);
      await other.waitForURL('**/bare');
      const ports = await evaluateIn(other)(async (forged) => {
        let got = 0;
        addEventListener('message', ({ ports: all }) => (got += all.length));
        const { opener } = globalThis as unknown as { opener: Window & typeof globalThis };
        opener.postMessage({ type: 'carabiner:ready' }, '*');
        opener.postMessage(forged, '*');
        // Its own message arrives after everything that the page could have sent.
        await new Promise((back) => {
          addEventListener('message', ({ data }) => data === 'back' && back(0));
          opener.eval(
            `addEventListener('message', ({ data, source }) => data === 'bounce' && source.postMessage('back', '*'))`,
          );
          opener.postMessage('bounce', '*');
        });
        return got;
      }, forgedAnswer('forged-0001'));
      assert.equal(ports, 0);
      // Chromium draws nothing in a tab behind another, and what has not been on screen cannot be approved.
      await visitor.page.bringToFront();
    });
    await sends(world, wallet, () => paid(visitor, view));
  });

  variant(
    'forged by another origin in an iframe of the page: it gets no port, and its answers are not taken',
    async () => {
      const view = await askAs('forged-0002');
      await view.approval().waitFor();
      const evil = await embedEvil();
      await attack(() =>
        evaluateIn(evil)((forged) => {
          const seen = ((globalThis as unknown as { seen: unknown[] }).seen = [] as unknown[]);
          addEventListener('message', ({ data, ports }) => seen.push(data, ...ports));
          parent.postMessage({ type: 'carabiner:ready' }, '*');
          parent.postMessage(forged, '*');
        }, forgedAnswer('forged-0002')),
      );
      await sends(world, wallet, () => paid(visitor, view));
      assert.deepEqual(await evaluateIn(evil)(() => (globalThis as unknown as { seen: unknown[] }).seen), []);
    },
  );

  variant('before init: nothing is looked at', () =>
    attack(async () => {
      await embed(visitor.page, world.frame);
      await visitor.evaluate(
        (params) => window.raw.post({ type: 'request', id: 'too-early-1', action: 'transfer', params }),
        payment(wallet),
      );
      await stillWaiting(visitor.page);
      assert.equal(await rawView(visitor).approval().count(), 0);
      assert.ok(
        (await heard(visitor.page)).every(
          (message) => (message as { type: string }).type === 'carabiner:ready',
        ),
      );
    }),
  );

  rest('init by another frame of the page: it is refused, and the page itself is still served', async () => {
    await embed(visitor.page, world.frame);
    const evil = await embedEvil();
    const seenByEvil = (): Promise<unknown[]> =>
      evaluateIn(evil)(() => (globalThis as unknown as { seen: unknown[] }).seen);
    await attack(async () => {
      await evaluateIn(evil)(
        (params) => {
          for (let index = 0; index < parent.frames.length; index++) {
            const { port1, port2 } = new MessageChannel();
            const seen = ((globalThis as unknown as { seen?: unknown[] }).seen ??= []);
            port1.onmessage = ({ data }) => seen.push(data);
            parent.frames[index]!.postMessage({ type: 'carabiner:init', protocol: 1, mode: 'approve' }, '*', [
              port2,
            ]);
            port1.postMessage({ type: 'request', id: 'from-evil-1', action: 'transfer', params });
          }
        },
        payment(wallet, '3'),
      );
      await stillWaiting(visitor.page);
      await init(visitor.page);
      await visitor.evaluate(
        (params) => window.raw.send({ type: 'request', id: 'from-page-1', action: 'transfer', params }),
        payment(wallet),
      );
      const view = rawView(visitor);
      await view.heading('Send 0.1 ETH').waitFor();
      await view.text(site(world.hosts.sameSite)).first().waitFor();
      assert.deepEqual(await seenByEvil(), []);
    });
  });

  variant('a second init: the first page keeps the frame', () =>
    attack(async () => {
      await embed(visitor.page, world.frame);
      await init(visitor.page);
      await request(visitor.page, 'a-first-one', 'pending', { requestIds: [] });
      await visitor.evaluate((params) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => window.raw.heard.push({ stolen: data });
        window.raw.post({ type: 'carabiner:init', protocol: 1, mode: 'approve' }, [port2]);
        port1.postMessage({ type: 'request', id: 'over-second', action: 'transfer', params });
      }, payment(wallet));
      assert.equal(
        (await request(visitor.page, 'over-first', 'pending', { requestIds: [] }))['type'],
        'result',
      );
      assert.ok((await heard(visitor.page)).every((message) => !('stolen' in (message as object))));
      assert.equal(await rawView(visitor).approval().count(), 0);
    }),
  );

  variant('a replayed id, with the same body and with another one: it is sent once', async () => {
    const view = await askAs('replayed-1');
    await sends(world, wallet, () => paid(visitor, view));
    const first = (await visitor.answer<TransactionResult>()).value;
    await view.done();

    await attack(async () => {
      await embed(visitor.page, world.frame);
      await init(visitor.page);
      const again = await request(visitor.page, 'replayed-1', 'transfer', payment(wallet));
      assert.deepEqual(again['result'], first);
      const other = await request(visitor.page, 'replayed-1', 'transfer', payment(wallet, '3'));
      assert.equal((other['error'] as { code: string }).code, 'request.conflict');
    });
  });

  rest('messages outside any schema: each is refused or ignored, and the frame survives', () =>
    attack(async () => {
      await embed(visitor.page, world.frame);
      await init(visitor.page);
      await visitor.evaluate((params) => {
        const own = JSON.parse(
          '{"type":"request","id":"proto-0001","action":"pending","params":{"__proto__":{"requestIds":[]}}}',
        );
        const loop: Record<string, unknown> = { type: 'request', id: 'loop-00001', action: 'execute' };
        loop['params'] = { type: 'ETH_TRANSACTION' as const, walletId: 'x', self: loop };
        for (const message of [null, 7, 'hello', [], {}, { type: 'request' }, { type: 'ack' }, own, loop])
          window.raw.send(message);
        window.raw.send({ type: 'request', id: 'no-action-1', action: 'export', params: {} });
        window.raw.send({
          type: 'request',
          id: 'extra-key-1',
          action: 'transfer',
          params,
          origin: 'https://bank.example',
        });
        window.raw.send({ type: 'request', id: 'constructor', action: 'constructor', params: {} });
      }, payment(wallet));
      for (const id of ['proto-0001', 'loop-00001', 'no-action-1', 'extra-key-1', 'constructor'])
        assert.equal(
          ((await answer(visitor.page, id))['error'] as { code: string }).code,
          'request.invalid',
          id,
        );
      assert.equal(
        (await request(visitor.page, 'after-all-1', 'pending', { requestIds: [] }))['type'],
        'result',
      );
    }),
  );

  variant('an approval requested from a hidden frame: refused', () =>
    attack(async () => {
      await embed(visitor.page, world.frame, 'hidden');
      await init(visitor.page, 'read');
      for (const [action, params] of [
        ['transfer', payment(wallet)],
        ['linkWallets', {}],
        ['resume', { requestId: 'whatever-1' }],
      ] as const) {
        const { error } = await request(visitor.page, `hidden-${action}`, action, params);
        assert.equal((error as { code: string }).code, 'request.invalid');
      }
    }),
  );

  variant('a site that claims to be another one in its message: the header shows the origin', () =>
    attack(async () => {
      await embed(visitor.page, world.frame);
      await visitor.evaluate(() => {
        const { port1, port2 } = new MessageChannel();
        window.raw.port = port1;
        port1.onmessage = ({ data }) => window.raw.heard.push(data);
        // Not valid by the schema: refused as a whole.
        window.raw.post(
          { type: 'carabiner:init', protocol: 1, mode: 'approve', origin: 'https://bank.example' },
          [port2],
        );
      });
      await stillWaiting(visitor.page);
      await init(visitor.page);
      await visitor.evaluate(
        (params) => window.raw.send({ type: 'request', id: 'claims-0001', action: 'transfer', params }),
        payment(wallet),
      );
      const view = rawView(visitor);
      await view.text(site(world.hosts.sameSite)).first().waitFor();
      assert.equal(await view.text('bank.example').count(), 0);
    }),
  );
});

rest(
  'a host whose origin is "null": the window never takes its init; it does on the same page without a sandbox',
  async () => {
    const visitor = await world.visit('popup', '/plain');
    const wallet = await visitor.wealthyWallet();
    /** Our own code opens no window for a sandboxed page, so the page does it, and answers every announcement. */
    const openRaw = (): Promise<WalletView> =>
      visitor.opening(() =>
        visitor.run(
          (_connect, { url, params }) => {
            const raw = { heard: [], announced: 0 } as unknown as RawWindow;
            window.raw = raw;
            addEventListener('message', ({ data, source }) => {
              if (data?.type !== 'carabiner:ready') return;
              raw.announced++;
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = (event) => raw.heard.push(event.data);
              (source as Window).postMessage({ type: 'carabiner:init', protocol: 1, mode: 'approve' }, '*', [
                port2,
              ]);
              port1.postMessage({ type: 'request', id: 'opened-0001', action: 'transfer', params });
            });
            open(url);
          },
          { url: `${world.frame}/frame/`, params: payment(wallet) },
        ),
      );

    await visitor.open('/sandboxed');
    await movesNothing(world, wallet, async () => {
      const popup = await openRaw();
      await visitor.page.waitForFunction(() => window.raw.announced >= 3);
      for (const name of ['Approve', 'Link wallets', 'Create wallet'])
        assert.equal(await popup.button(name).count(), 0);
      assert.deepEqual(await visitor.evaluate(() => window.raw.heard), []);
    });

    await visitor.startAgain();
    const view = await openRaw();
    await sends(world, wallet, async () => {
      await view.approve();
      return rawHash(visitor, 'opened-0001');
    });
    await visitor.close();
  },
);

describe('clickjacking', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let view: WalletView;
  let held: string;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  after(() => visitor.close());
  beforeEach(() => ask());
  afterEach(() => visitor.startAgain());

  async function ask(): Promise<void> {
    held = await holdings(world, wallet);
    await visitor.evaluate(() => void window.stages.splice(0));
    view = await visitor.ask(
      (connect, params) =>
        connect.transfer(params, {
          onProgress(progress) {
            window.stages.push(progress.stage);
          },
        }),
      payment(wallet),
    );
    await view.approval().waitFor();
  }

  /** An element of the page over the dialog, which lets every click through. */
  const cover = (): Promise<void> =>
    visitor.evaluate(() => {
      const lid = document.createElement('div');
      lid.id = 'lid';
      lid.popover = 'manual';
      lid.textContent = 'You won a prize';
      for (const [name, value] of Object.entries({
        position: 'fixed',
        inset: '0',
        width: '100vw',
        height: '100vh',
        background: '#fffffffa',
        'pointer-events': 'none',
      }))
        lid.style.setProperty(name, value);
      document.body.append(lid);
      lid.showPopover();
    });

  /** A press that counts makes the wallet busy at once. */
  const assertNothingApproved = async (): Promise<void> => {
    assert.equal(await view.isBusy(), false);
    assert.equal(await holdings(world, wallet), held, 'nothing moved');
    assert.deepEqual(await visitor.evaluate(() => window.stages), ['approval']);
  };
  /** The control: without the trick, pressing Approve sends. */
  const assertSends = (press: () => Promise<void>): Promise<void> =>
    sends(world, wallet, async () => {
      await press();
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined);
      return value!.transactionHash;
    });

  core('a covered iframe: Approve is off, and the guard takes its place', async () => {
    await view.type('PIN', PIN);
    await view.button('Approve').click({ trial: true });
    const box = (await view.button('Approve').boundingBox())!;
    const click = (): Promise<void> =>
      view.input(visitor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2));
    await cover();
    await view.heading('Something covers this window').waitFor();
    assert.equal(await view.button('Approve').count(), 0);
    await click();
    await assertNothingApproved();

    // The click was on the guard's own Reject. The same one without the cover sends.
    await visitor.startAgain();
    await ask();
    await view.type('PIN', PIN);
    await view.button('Approve').click({ trial: true });
    await assertSends(click);
  });

  core('an iframe that is uncovered just before the click: nothing is approved', async () => {
    await view.type('PIN', PIN);
    const approve = view.button('Approve');
    await approve.click({ trial: true });
    const spot = (await approve.boundingBox())!;
    await view.input(visitor.page.mouse.move(spot.x + spot.width / 2, spot.y + spot.height / 2));
    // On a slow machine, the guard would take the approval's place, and the click would be on its Reject.
    const release = await view.holdTimers();
    await cover();
    await assertDisabled(view);
    const goOn = await view.stopClock();
    await visitor.evaluate(() => document.querySelector('#lid')!.remove());
    await view.input(visitor.page.mouse.down());
    await view.input(visitor.page.mouse.up());
    await assertNothingApproved();
    await goOn();
    await release();
    assert.ok(await visitor.page.locator('dialog[open]').count());
    // Once visible for long enough, it works.
    await assertSends(() => view.approve());
  });

  /** One in the rest. */
  const HIDING = [
    ['opacity', '0.02'],
    ['transform', 'scale(0.5)'],
    ['height', '300px'],
    ['filter', 'blur(8px)'],
  ];

  rest('an iframe that is moved, shrunk or made transparent: Approve is off', async () => {
    await view.type('PIN', PIN);
    for (const [name, value] of EVERY_VARIANT ? HIDING : HIDING.slice(0, 1)) {
      await view.button('Approve').click({ trial: true });
      const frame = visitor.page.locator('dialog[open] iframe');
      await frame.evaluate(
        (element, [property, to]) => (element as HTMLElement).style.setProperty(property!, to!, 'important'),
        [name, value],
      );
      await assertDisabled(view);
      await frame.evaluate(
        (element, property) => (element as HTMLElement).style.removeProperty(property!),
        name,
      );
      await view.approval().waitFor();
      await view.enterPin();
    }
    await assertNothingApproved();
    await assertSends(() => view.approve());
  });

  variant('a synthetic click: nothing is approved', async () => {
    await view.type('PIN', PIN);
    await view.button('Approve').click({ trial: true });
    await view.button('Approve').evaluate((button: HTMLElement) => {
      button.click();
      button.dispatchEvent(
        new PointerEvent('click', { bubbles: true, composed: true, pointerType: 'mouse' }),
      );
    });
    await assertNothingApproved();
    await assertSends(() => view.consent('Approve'));
  });

  rest(
    'keys that the page asks for: Approve never has the focus by itself, so they approve nothing',
    async () => {
      const approve = view.button('Approve');
      const isFocused = (): Promise<boolean> =>
        approve.evaluate((button: HTMLElement) => button.matches(':focus'));
      const press = (key: string): Promise<void> => view.input(visitor.page.keyboard.press(key));
      assert.equal(await isFocused(), false);
      for (const key of ['Enter', 'Space']) await press(key);
      // In the PIN field, Enter is the user's approval; Space is nothing there.
      await view.type('PIN', PIN);
      await approve.click({ trial: true });
      assert.equal(await isFocused(), false);
      await press('Space');
      await assertNothingApproved();
      // Once the user has moved the focus there, a key presses it.
      await approve.focus();
      await assertSends(() => press('Enter'));
    },
  );
});

/** Approve cannot be pressed: it is disabled, or the guard view has replaced it. */
async function assertDisabled(view: WalletView): Promise<void> {
  // In one step: the guard view may appear between finding the button and checking it.
  const isEnabled = (): Promise<boolean> =>
    view.button('Approve').evaluateAll((buttons) => buttons.some((button) => button.ariaDisabled !== 'true'));
  await poll(async () => !(await isEnabled()), 'Approve to be off');
}

rest(
  'an iframe on another site, even a listed one: it offers a window, knows no wallet and approves nothing; a window of the page does',
  async () => {
    world.embedOn(world.hosts.crossSite);
    const visitor = await world.visit('popup', '/plain');
    const wallet = await visitor.wealthyWallet();
    await movesNothing(world, wallet, async () => {
      await embed(visitor.page, world.frame);
      await init(visitor.page);
      await visitor.evaluate(
        (params) => window.raw.send({ type: 'request', id: 'partition-1', action: 'transfer', params }),
        payment(wallet),
      );
      const view = rawView(visitor);
      await view.button('Open in a window').waitFor();
      for (const name of ['Approve', 'Create wallet', 'Link wallets'])
        assert.equal(await view.button(name).count(), 0);
      assert.equal(await view.text(wallet.address.slice(2, 6)).count(), 0);
    });
    await visitor.startAgain();
    const view = await visitor.ask((connect, params) => connect.transfer(params), payment(wallet));
    await sends(world, wallet, () => paid(visitor, view));
    await visitor.close();
  },
);

describeRest('nodes and networks', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let custom: TestNode;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
    custom = await startTestNode(world.ethereum.node.url);
  });
  afterEach(async () => {
    world.node.lies.clear();
    custom.lies.clear();
    await visitor.startAgain();
  });
  after(async () => {
    await visitor.close();
    await custom.close();
  });

  const execute = (body: Record<string, unknown>): Promise<WalletView> =>
    visitor.ask((connect, params) => connect.execute(params as never), {
      type: 'ETH_TRANSACTION' as const,
      walletId: wallet.id,
      to: FRIEND,
      value: '1',
      ...body,
    });

  const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);

  for (const [run, where, network] of [
    [variant, 'our own node', () => ({})],
    [rest, 'a custom node', () => ({ network: { name: 'Testnet', nodeUrl: custom.url, chainId: 31337 } })],
  ] as const)
    run(`control: at ${where} that does not lie, the same is sent`, async () => {
      const view = await execute(network());
      await sends(world, wallet, () => paid(visitor, view));
    });

  rest(
    'a custom network that calls mainnet’s chain id a test network: shown as Ethereum mainnet, with a danger tick',
    () =>
      attack(async () => {
        const before = custom.sent().length;
        custom.lies.set('eth_chainId', () => '0x1');
        const view = await execute({
          network: { name: 'Harmless testnet', nodeUrl: custom.url, chainId: 1 },
        });
        await view.text('Ethereum mainnet').first().waitFor();
        const tick = view.root.getByRole('checkbox', { name: /^I understand the risk/ });
        await tick.waitFor();
        await assertDisabled(view);
        assert.equal(custom.sent().length, before);
      }),
  );

  variant('a custom node whose chain id is not the declared one: refused at network.chainId', () =>
    attack(async () => {
      custom.lies.set('eth_chainId', () => '0x1');
      await execute({ network: { name: 'Testnet', nodeUrl: custom.url, chainId: 31337 } });
      const { error } = await visitor.answer();
      assert.equal(error?.code, 'request.invalid');
      assert.deepEqual(
        error.issues?.map(({ path }) => path),
        ['network.chainId'],
      );
    }),
  );

  rest('a node that lies about its chain id: nothing is signed for that chain', () =>
    attack(async () => {
      world.node.lies.set('eth_chainId', () => '0x1');
      const view = await execute({});
      // By the wallet's own list, this is not a node of its network.
      await view.heading('Cannot reach Ethereum').waitFor();
      assert.equal(await view.button('Approve').count(), 0);
      await view.press('Reject');
      assert.equal((await visitor.answer()).error?.code, 'user.rejected');
      for (const raw of world.node.sent()) assert.equal(Transaction.from(raw).chainId, 31337n);
    }),
  );

  variant('a node that lies about decimals: the list’s decimals are used', async () => {
    world.node.lies.set('eth_call', (call, truth) =>
      JSON.stringify(call.params).includes('0x313ce567') ? toBeHex(0, 32) : truth,
    );
    const view = await visitor.ask(
      (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '2' }),
      { walletId: wallet.id, to: FRIEND, tokenAddress: world.ethereum.contracts.DUSD },
    );
    await view.heading('Send 2 DUSD').waitFor();
    let hash = '';
    await sends(world, wallet, async () => (hash = await paid(visitor, view)));
    const { logs } = await world.receipt(hash);
    assert.equal(BigInt(logs[0]!.data), 2n * 10n ** 18n);
  });

  variant('a node that lies about the fee: above the ceiling it needs a tick', async () => {
    // Above the ceiling, but below the wallet's balance.
    const high = toBeHex(10n ** 14n);
    world.node.lies.set('eth_feeHistory', () => ({
      oldestBlock: '0x1',
      baseFeePerGas: Array.from({ length: 6 }, () => high),
      gasUsedRatio: [0.5, 0.5, 0.5, 0.5, 0.5],
      reward: Array.from({ length: 5 }, () => [high, high, high]),
    }));
    world.node.lies.set('eth_gasPrice', () => high);
    await attack(async () => {
      const view = await execute({});
      const tick = view.root.getByRole('checkbox', { name: /^I understand the risk/ });
      await tick.waitFor();
      await assertDisabled(view);
      assert.equal(await view.box('PIN').isEnabled(), false);
      // Nothing else keeps it from being approved.
      await tick.check();
      await view.type('PIN', PIN);
      await view.button('Approve').click({ trial: true });
    });
  });
});

core(
  'a wallet of another site: not linked and unknown are the same; the site that it is linked to is served',
  async () => {
    const visitor = await world.visit('popup', '/plain');
    const wallet = await visitor.wealthyWallet();
    const other = await visitor.another('iframe', '/plain');
    await movesNothing(world, wallet, async () => {
      const errors = [];
      for (const walletId of [wallet.id, 'never-existed']) {
        await other.run((connect, params) => connect.transfer(params), { ...payment(wallet), walletId });
        errors.push((await other.answer()).error);
      }
      assert.equal(errors[0]?.code, 'wallet.forbidden');
      assert.deepEqual(errors[0], errors[1]);
    });
    await visitor.page.bringToFront();
    const view = await visitor.ask((connect, params) => connect.transfer(params), payment(wallet));
    await sends(world, wallet, () => paid(visitor, view));
    await visitor.close();
  },
);

rest(
  'a page that polluted Object.prototype and patched customElements, postMessage, addEventListener and Promise: it learns no secret',
  async () => {
    const visitor = await world.visit('iframe', '/patched');
    const setUp = await visitor.opening(() => visitor.button('Manage wallets').click());
    await setUp.choosePin(PIN);
    const words = await setUp.words();
    await setUp.button('I wrote them down').click();
    await setUp.confirmWords(words);
    await setUp.leaveAddress();
    const [wallet] = await visitor.wallets();
    const own = EthersWallet.fromPhrase(words.join(' '));
    assert.equal(own.address, wallet!.address);

    // A second wallet, linked only to another site.
    const elsewhere = await visitor.another('popup');
    const manage = await elsewhere.opening(() => elsewhere.button('Manage wallets').click());
    await manage.clickAtRest('Create wallet');
    await manage.type('PIN', PIN);
    await manage.button('Continue').click();
    await manage.leaveAddress();
    const unlinked = HDNodeWallet.fromPhrase(words.join(' '), undefined, "m/44'/60'/0'/0/1");
    assert.deepEqual(
      (await elsewhere.wallets()).map(({ address }) => address),
      [unlinked.address],
    );
    await within(elsewhere.page.close(), 'the end of a tab');
    // The user sees both and links one.
    const link = await visitor.opening(() => visitor.button('Add wallets').click());
    await link.root.getByRole('checkbox').nth(2).waitFor();
    await link.leave('Link wallets');

    await world.ethereum.give('ETH', wallet!.address);
    const send = await visitor.ask(
      (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1.5' }),
      { walletId: wallet!.id, to: FRIEND },
    );
    await movesNothing(world, wallet!, async () => {
      await send.approve('739150');
      await send
        .text(/^Wrong PIN/)
        .first()
        .waitFor();
    });
    let hash = '';
    await sends(world, wallet!, async () => (hash = await paid(visitor, send)));
    const sent = await world.chain.getTransaction(hash);
    assert.equal(sent?.to, FRIEND);
    assert.equal(sent?.value, 15n * 10n ** 17n);
    await send.done();

    const everything = (await visitor.everythingThePageSees()).toLowerCase();
    assert.ok(everything.includes(wallet!.address.toLowerCase()), 'the page was overheard at all');
    for (const [what, secret] of Object.entries({
      PIN,
      'a wrong PIN': '739150',
      'the private key': own.privateKey.slice(2),
      'the unlinked wallet’s key': unlinked.privateKey.slice(2),
      'the unlinked wallet’s address': unlinked.address.slice(2),
      'the phrase': words.slice(0, 3).join(' '),
    }))
      assert.ok(!everything.includes(secret.toLowerCase()), `the page saw ${what}`);
    await visitor.close();
  },
);

variant(
  'a pincode sent by the host: its form is checked, it is never passed on, and the user’s PIN is still required',
  async () => {
    const visitor = await world.visit('iframe', '/patched');
    const wallet = await visitor.wealthyWallet();
    const body = (pincode: string) => ({
      type: 'ETH_TRANSACTION' as const,
      walletId: wallet.id,
      to: FRIEND,
      value: '1',
      pincode,
    });
    await movesNothing(world, wallet, async () => {
      await visitor.run((connect, params) => connect.execute(params), body('abc'));
      const { error } = await visitor.answer();
      assert.deepEqual(
        error?.issues?.map(({ path }) => path),
        ['pincode'],
      );
    });
    // The user's own PIN: the host guesses it, which is worth nothing.
    const view = await visitor.ask((connect, params) => connect.execute(params), body(PIN));
    await movesNothing(world, wallet, async () => {
      await view.approval().waitFor();
      await assertDisabled(view);
      const crossed = await visitor.evaluate(() =>
        (window as unknown as { kept: string[] }).kept.filter((text) => text.includes('"type":"request"')),
      );
      assert.ok(crossed.length && crossed.every((text) => !text.includes(PIN)));
    });
    await sends(world, wallet, () => paid(visitor, view));
    await visitor.close();
  },
);
