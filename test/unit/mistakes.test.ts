/**
 * What goes wrong around the wallet, and what a developer then sees: the request fails with its code, the console names the reason once, with
 * a link, and the element says something to its user. `docs/troubleshooting.md` lists them; mistakes that only a browser's own rules
 * make are in `test/e2e/mistakes.rest.test.ts`.
 */
import { expect } from '@open-wc/testing';
import { createConnect } from '../../src/actions/connect.ts';
import type { Connect } from '../../src/actions/types.ts';
import { openHostEnd } from '../../src/channel/host-end.ts';
import type { CallOptions } from '../../src/channel/host-call.ts';
import { hostRecord } from '../../src/channel/host-record.ts';
import type { Surface } from '../../src/channel/surface.ts';
import type { ConnectElement } from '../../src/elements/connect-element.ts';
import { LinkWallets, TransferDialog } from '../../src/elements/index.ts';
import { register } from '../../src/elements/connect-element.ts';
import { type ConnectError, FrameUnreachableError, RequestInvalidError } from '../../src/base/errors.ts';
import { FakeFrame, FRAME } from './channel/fake-frame.ts';
import { TRANSFER as PARAMS } from './channel/raw-host.ts';
import { TestClock } from './clock.ts';
import { FakeConnect, MAIN, RECIPIENT } from './elements/fake-connect.ts';
import { all, outcome, settle, show, text, textOf, until } from './elements/page.ts';
import { idle } from './turns.ts';

const TRANSFER = { ...PARAMS, secretType: 'ETHEREUM' as const };
const DOCS = 'https://unpkg.com/carabiner/docs/';

const real = { warn: console.warn, fetch: window.fetch };
let warned: string[];
beforeEach(() => {
  warned = [];
  console.warn = (...all) => void warned.push(all.join(' '));
  localStorage.clear();
});
afterEach(() => {
  console.warn = real.warn;
  window.fetch = real.fetch;
});

/** What is rarely said is loaded when there is something to say. */
async function told(): Promise<void> {
  await Promise.all([
    import('../../src/actions/config-error.ts'),
    import('../../src/channel/blocked.ts'),
    import('../../src/elements/mistakes.ts'),
  ]);
  await idle();
}

/** The code, its reason and what to do, as the promise and the console say it. */
async function seen(call: Promise<unknown>): Promise<[code: string, reason: unknown, text: string]> {
  const error = await call.then(
    () => expect.fail('it did not fail'),
    (thrown: ConnectError) => thrown,
  );
  const { code, details, shortMessage, docsUrl } = error;
  expect(docsUrl).to.equal(`${DOCS}errors.md#${code.replace('.', '')}`);
  expect(warned).to.deep.equal([`Carabiner: ${shortMessage} ${docsUrl}`]);
  return [code, details['reason'], shortMessage];
}

describe('a mistake in what the page says of the wallet', () => {
  const failing = (frame?: string) =>
    seen(createConnect(frame === undefined ? {} : { frame }).sign({} as never));
  const blocked = (message: string) => ['frame.blocked', 'config', message];

  it('no frame, or one that is no URL', async () => {
    const needs = blocked(
      'createConnect needs `frame`: the URL where connect.js and frame/ are served, such as https://connect.example.',
    );
    expect(await failing()).to.deep.equal(needs);
    warned = [];
    const again = createConnect({ frame: 'connect.example' });
    expect(await outcome(again.sign({} as never))).to.equal('frame.blocked');
    expect(warned, 'once').to.deep.equal([]);
  });

  it('a frame that came over a network in the clear', async () => {
    expect(await failing('http://connect.example')).to.deep.equal(
      blocked(
        '`frame` must be an https URL, not http://connect.example: browsers keep cryptography from pages that came in the clear.',
      ),
    );
  });

  it('a frame on the page’s own origin', async () => {
    expect(await failing(location.origin)).to.deep.equal(
      blocked(
        'The wallet must be served from another origin than the page, or the page could read its keys.',
      ),
    );
  });

  it('a page without an origin: a file, or a sandbox without allow-same-origin', async () => {
    const own = Object.getOwnPropertyDescriptor(window, 'origin')!;
    Object.defineProperty(window, 'origin', { configurable: true, value: 'null' });
    try {
      expect(await failing('https://connect.example')).to.deep.equal(
        blocked(
          'This page has no origin, so the wallet could not tell its user who asks. It was opened as a file: serve it over http or https. Or it is in an iframe whose sandbox lacks allow-same-origin.',
        ),
      );
    } finally {
      Object.defineProperty(window, 'origin', own);
    }
  });

  it('elements without a connect, and the element says so', async () => {
    const { element, events } = await show('link-wallets', { connect: undefined as never });
    expect((await seen(element.link())).slice(0, 2)).to.deep.equal(['frame.blocked', 'config']);
    expect(warned[0]).to.match(/There is no connect on this page: load connect\.js, or put/);
    await until(element, () => all(element, '[role=alert]').length === 1);
    expect(textOf(all(element, '[role=alert]')[0]!)).to.match(
      /^The wallet could not open.*Its owner can find the reason in the browser’s console/,
    );
    expect(events).to.deep.equal(['request', 'error']);
  });

  it('a script that is too old for the wallet, which the wallet says', async () => {
    const { element, connect } = await show('link-wallets');
    const linking = element.link();
    connect.last.reject(new FrameUnreachableError('This page is older.', { reason: 'version' }));
    await linking.catch(() => {});
    await until(element, () => all(element, '[role=alert]').length === 1);
    expect((await seen(linking)).slice(0, 2)).to.deep.equal(['frame.unreachable', 'version']);
    expect(textOf(all(element, '[role=alert]')[0]!)).to.match(
      /^The wallet could not open.*Its owner can find the reason in the browser’s console/,
    );
  });
});

describe('a wallet that does not come', () => {
  let clock: TestClock;
  let bases = 0;
  let isAsked = false;
  let base: string;
  beforeEach(() => {
    clock = new TestClock();
    base = `https://connect-${++bases}.example/`;
  });

  const ask = (kind: Surface['kind'] | 'blocked', options?: CallOptions) => {
    const frame = new FakeFrame();
    const host = openHostEnd({
      clock,
      url: new URL('frame/', base),
      record: hostRecord(new URL(base).origin, clock),
      requests: { keep: async () => {}, forget: async () => {}, all: async () => ({}) },
      surface: () => 'popup',
      leave: () => {},
      popup: () => (kind === 'blocked' ? null : { ...frame.surface, kind, alive: () => frame.alive }),
      reachesVault: async () => false,
      getAccessToken: () => undefined,
      onOrphan: () => false,
      onReplaced: () => {},
    });
    const call = host.approve('transfer', TRANSFER, options);
    call.catch(() => {});
    return { call, frame, host };
  };
  /** What the wallet's origin answers. */
  const answers = (answer: () => Response | Promise<Response>): void => {
    isAsked = false;
    window.fetch = async () => {
      isAsked = true;
      return answer();
    };
  };
  const up = () => new Response('{"embed":[]}');
  const down = () => Promise.reject(new TypeError('Failed to fetch'));
  /** Lets what was asked arrive. */
  const pass = async (milliseconds: number): Promise<void> => {
    await clock.pass(1500);
    while (!isAsked) await told();
    await told();
    await clock.pass(milliseconds - 1500);
  };

  for (const kind of ['popup', 'iframe'] as const)
    it(`its server is down (${kind})`, async () => {
      answers(down);
      const { call, frame } = ask(kind, { onBlocked: () => expect.fail('there is nothing to open') });
      await pass(2999);
      expect(warned).to.deep.equal([]);
      await clock.pass(1);
      expect(await seen(call)).to.deep.equal([
        'frame.blocked',
        'silent',
        `Nothing answers at ${base}: the wallet’s server is down, or \`frame\` is a wrong URL.`,
      ]);
      expect(frame.closed).to.equal(1);
    });

  for (const [what, answer] of [
    ['not found', () => new Response('Not found', { status: 404 })],
    ['the page of an application', () => new Response('<!doctype html>')],
  ] as const)
    it(`another server is there: ${what}`, async () => {
      answers(answer);
      const { call } = ask('popup');
      await pass(3000);
      expect(await seen(call)).to.deep.equal([
        'frame.blocked',
        'config',
        `There is no wallet at ${base}: \`frame\` must be the URL of connect.js and frame/.`,
      ]);
    });

  it('its server answers, but without CORS', async () => {
    answers(down);
    const cors = window.fetch;
    window.fetch = (url, init) =>
      init?.mode === 'no-cors' ? Promise.resolve(Response.error()) : cors(url, init);
    const { call } = ask('popup', { onBlocked: () => expect.fail('a window shows the same') });
    await pass(3000);
    expect(await seen(call)).to.deep.equal([
      'frame.blocked',
      'unreadable',
      `The server at ${base} answers, but no page may read its embed.json: let it send Access-Control-Allow-Origin: *, or correct \`frame\`.`,
    ]);
  });

  it('an ad blocker keeps it out of the page: a window is offered', async () => {
    answers(up);
    const reasons: string[] = [];
    const { host } = ask('iframe', { onBlocked: ({ reason }) => reasons.push(reason) });
    await pass(19_999);
    expect(reasons).to.deep.equal([]);
    await clock.pass(1);
    expect(reasons).to.deep.equal(['silent']);
    await told();
    expect(warned).to.deep.equal([
      `Carabiner: The wallet at ${base} does not answer. An ad blocker may keep it out, or the network is slow. ${DOCS}errors.md#frameblocked`,
    ]);
    host.destroy();
  });

  it('the page’s own policy keeps it out: a window is offered', async () => {
    const reasons: string[] = [];
    const { host } = ask('iframe', { onBlocked: ({ reason }) => reasons.push(reason) });
    const violation = { effectiveDirective: 'frame-src', blockedURI: base };
    document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation));
    expect(reasons).to.deep.equal(['csp']);
    await told();
    expect(warned[0]).to.equal(
      `Carabiner: This page’s Content-Security-Policy blocks the wallet: add ${base.slice(0, -1)} to frame-src. ${DOCS}errors.md#frameblocked`,
    );
    host.destroy();
  });

  it('the page’s opener policy cuts its window off, also where the page’s headers cannot be read', async () => {
    const isolated = Object.getOwnPropertyDescriptor(window, 'crossOriginIsolated')!;
    Object.defineProperty(window, 'crossOriginIsolated', { configurable: true, value: true });
    try {
      answers(down);
      const { call, frame } = ask('popup', { onBlocked: () => expect.fail('no window would do') });
      frame.alive = false;
      await clock.pass(250);
      expect(await seen(call)).to.deep.equal([
        'frame.blocked',
        'coop',
        'This page’s Cross-Origin-Opener-Policy cuts off the wallet’s window: send same-origin-allow-popups, or get the page on the wallet’s `embed` list.',
      ]);
    } finally {
      Object.defineProperty(window, 'crossOriginIsolated', isolated);
    }
  });

  it('its window is not allowed', async () => {
    expect(await seen(ask('blocked').call)).to.deep.equal([
      'frame.blocked',
      'popup',
      'The browser blocked the wallet’s window. Call this inside a click, or allow pop-ups for this site.',
    ]);
  });

  it('a slow window is not given up, and neither is one that the page may not ask about', async () => {
    base = `${FRAME}/`;
    for (const answer of [up, () => new Promise<Response>(() => {})]) {
      answers(answer);
      const { call, frame, host } = ask('popup');
      await pass(60_000);
      frame.ready();
      await frame.settle();
      frame.say({ type: 'result', id: frame.requests()[0]!, result: { transactionHash: '0x1' } });
      expect(await call).to.deep.equal({ transactionHash: '0x1' });
      host.destroy();
    }
    await told();
    expect(warned.join(), 'of an origin that hangs').to.match(/does not answer/);
    warned = [];
    base = 'https://forbidden.example/';
    answers(() => {
      const violation = { effectiveDirective: 'connect-src', blockedURI: `${base}embed.json` };
      document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation));
      return down();
    });
    const { host } = ask('popup');
    await pass(60_000);
    expect(warned).to.deep.equal([]);
    host.destroy();
  });
});

describe('an element whose request could not begin', () => {
  const GIVEN = { walletId: 'main', to: RECIPIENT, value: '1.5', secretType: 'ETHEREUM' } as const;

  it('tells its user, and offers to try again', async () => {
    const refused = createConnect({ frame: 'http://shop.example' });
    for (const name of ['link-wallets', 'manage-wallets', 'transfer-dialog', 'sign-request'] as const) {
      const connect = new FakeConnect();
      const fail: Connect['sign'] = () => refused.sign({} as never);
      Object.assign(connect, { linkWallets: fail, manageWallets: fail, transfer: fail, sign: fail });
      const { element, events } = await show(
        name,
        { ...GIVEN, chain: 'ethereum' } as object,
        [MAIN],
        connect,
      );
      element.onPress();
      await until(element, () => all(element, '[role=alert]').length === 1);
      expect(textOf(all(element, '[role=alert]')[0]!)).to.match(
        /^(The wallet could not open|Could not s\w+)This site is not set up for the wallet\. .*Try again$/,
      );
      expect(events).to.deep.equal(['request', 'error']);
    }
    expect(warned).to.have.length(1);
  });

  describe('tells the developer what is missing or wrong,', () => {
    const WRONG = { message: 'is wrong' };
    const warns = async (element: ConnectElement, connect: FakeConnect, ...paths: string[]) => {
      warned = [];
      element.onPress();
      connect.last.reject(new RequestInvalidError(paths.map((path) => ({ path, ...WRONG }))));
      await until(element, () => warned.length > 0);
      return warned.join().replace('Carabiner: ', '').replace(` ${DOCS}errors.md#requestinvalid`, '');
    };

    it('and the event and the element say that it is so', async () => {
      const { element, connect, events } = await show('sign-request', {
        type: 'ETHEREUM_RAW',
        walletId: 'w',
      });
      const signing = element.sign();
      connect.last.reject(new RequestInvalidError([{ path: 'data', message: 'is required' }]));
      expect(await outcome(signing)).to.equal('request.invalid');
      await until(element, () => all(element, '[role=alert]').length === 1 && warned.length > 0);
      expect(events).to.deep.equal(['request', 'error']);
      expect(warned).to.deep.equal([
        `Carabiner: <sign-request> data: is required ${DOCS}errors.md#requestinvalid`,
      ]);
    });

    it('by attributes, as the page wrote them or should have', async () => {
      const { element, connect } = await show('link-wallets');
      element.setAttribute('secret-types', 'DOGE');
      await settle(element);
      expect(await warns(element, connect, 'secretTypes.0', 'external')).to.equal(
        '<link-wallets> secret-types: is wrong; external: is wrong',
      );
      const sign = await show('sign-request', { walletId: 'w' });
      sign.element.setAttribute('prefix', 'false');
      await settle(sign.element);
      expect(await warns(sign.element, sign.connect, 'prefix', 'data.types.a', 'type', '')).to.equal(
        '<sign-request> prefix: is wrong; data.types.a: is wrong; type: is wrong; is wrong',
      );
    });

    it('by properties, as the page set them', async () => {
      const { element, connect } = await show('link-wallets', { secretTypes: ['DOGE' as 'BITCOIN'] });
      expect(await warns(element, connect, 'secretTypes.0')).to.equal(
        '<link-wallets> secretTypes.0: is wrong',
      );
      const sign = await show('sign-request', { walletId: 'w', messagePrefix: false });
      expect(await warns(sign.element, sign.connect, 'prefix', 'walletId')).to.equal(
        '<sign-request> messagePrefix: is wrong; walletId: is wrong',
      );
    });

    it('by the place in a request that it passed whole, or in what the element made', async () => {
      const request = { type: 'ETH_TRANSACTION', walletId: 'main', to: RECIPIENT, value: '1' } as const;
      const { element, connect } = await show('transfer-dialog', { request }, [MAIN]);
      expect(await warns(element, connect, 'to', '')).to.equal(
        '<transfer-dialog> request.to: is wrong; request: is wrong',
      );
      element.request = undefined;
      Object.assign(element, GIVEN);
      element.setAttribute('token-address', '0x');
      await settle(element);
      expect(await warns(element, connect, 'tokenAddress', 'clauses.0.to')).to.equal(
        '<transfer-dialog> token-address: is wrong; clauses.0.to: is wrong',
      );
    });
  });

  it('has a word for them where not even its own code arrives', async () => {
    class Lost extends LinkWallets {
      protected override loadView(): Promise<never> {
        return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
      }
    }
    customElements.define('lost-wallets', Lost);
    const { element, connect } = await show('lost-wallets' as 'link-wallets');
    element.onPress();
    connect.last.reject(Object.assign(new Error('x'), { code: 'frame.unreachable', details: {} }));
    await settle(element);
    expect(textOf(all(element, '[role=alert]')[0]!)).to.equal('The wallet could not be loaded. Try again.');
  });
});

describe('registering', () => {
  const registry = (there: Record<string, unknown>) => {
    const defined: string[] = [];
    return {
      defined,
      get: (name: string) => there[name] as CustomElementConstructor | undefined,
      define: (name: string) => void defined.push(name),
    };
  };

  it('an element of another script by the same name is named, and the others work', async () => {
    const into = registry({ 'link-wallets': class {} });
    register({ 'link-wallets': LinkWallets, 'transfer-dialog': TransferDialog }, into);
    expect(into.defined).to.deep.equal(['transfer-dialog']);
    await told();
    expect(warned).to.deep.equal([
      `Carabiner: <link-wallets> is an element of another script on this page. The wallet’s own cannot be used. ${DOCS}troubleshooting.md#another-element-of-the-same-name`,
    ]);
  });

  it('two copies are told, and the same one twice is not', async () => {
    register({ 'link-wallets': LinkWallets }, registry({ 'link-wallets': LinkWallets }));
    await told();
    expect(warned).to.deep.equal([]);
    // As they are defined here, and another copy's classes.
    const names = [
      'connect-provider',
      'link-wallets',
      'manage-wallets',
      'transfer-dialog',
      'sign-request',
      'swap-panel',
    ];
    register(Object.fromEntries(names.map((name) => [name, class extends HTMLElement {}])));
    await told();
    expect(warned).to.deep.equal([
      `Carabiner: it is on this page twice. The first copy stays. ${DOCS}troubleshooting.md#two-copies`,
    ]);
  });

  it('an element that the page used before: its properties count', async () => {
    const early = Object.assign(document.createElement('late-dialog'), {
      connect: new FakeConnect(),
      request: { type: 'ETH_TRANSACTION', walletId: 'main', to: RECIPIENT, value: 1 },
    });
    document.body.append(early);
    customElements.define('late-dialog', class extends TransferDialog {});
    const element = early as unknown as TransferDialog;
    await settle(element);
    element.show().catch(() => {});
    expect((early.connect as FakeConnect).last.action).to.equal('execute');
    early.remove();
  });

  it('npm first, then the script tag: the elements that are there take its connect', async () => {
    const { element } = await show('link-wallets', { connect: undefined as never });
    expect(text(element)).to.equal('Connect wallet');
    const ofScript = new FakeConnect();
    ofScript.linked = [MAIN];
    LinkWallets.takeDefault(ofScript, 'https://connect.example/');
    await until(element, () => text(element).includes('Main wallet'));
    element.link().catch(() => {});
    expect(ofScript.last.action).to.equal('linkWallets');
  });
});
