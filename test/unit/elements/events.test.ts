import { expect } from '@open-wc/testing';
import type { CallOptions } from '../../../src/actions/types.ts';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import {
  type ConnectProgressEvent,
  ConnectRequestEvent,
  type ConnectResultEvent,
} from '../../../src/elements/events.ts';
import {
  ConnectError,
  FrameUnreachableError,
  RequestInvalidError,
  UserRejectedError,
} from '../../../src/base/errors.ts';
import { type FakeConnect, MAIN, RECIPIENT } from './fake-connect.ts';
import { control, loaded, maybe, outcome, settle, show, type Shown, until } from './page.ts';

interface Case {
  action: string;
  request: unknown;
  result: unknown;
  trigger: string;
  show(): Promise<Shown<ConnectElement>>;
  call(element: ConnectElement): Promise<unknown>;
}

const SIGNED = { success: true, result: { r: '0x01', s: '0x02', v: '0x1b', signature: '0x01021b' } };
const TRANSFER = { walletId: 'main', to: RECIPIENT, value: '1.5', secretType: 'ETHEREUM' } as const;
const NATIVE = { type: 'ETH_TRANSACTION' as const, walletId: 'main', to: RECIPIENT, value: '1' };

const CASES: Record<string, Case> = {
  'link-wallets': {
    action: 'linkWallets',
    request: { secretTypes: ['ETHEREUM'] },
    result: [MAIN],
    trigger: 'Connect wallet',
    show: () => show('link-wallets', { secretTypes: ['ETHEREUM'] }),
    call: (element) => (element as HTMLElementTagNameMap['link-wallets']).link(),
  },
  'manage-wallets': {
    action: 'manageWallets',
    request: { chain: 'ETHEREUM' },
    result: MAIN,
    trigger: 'Manage wallets',
    show: () => show('manage-wallets', { chain: 'ethereum' }, [MAIN]),
    call: (element) => (element as HTMLElementTagNameMap['manage-wallets']).manage(),
  },
  'sign-request': {
    action: 'sign',
    request: { type: 'ETHEREUM_RAW', walletId: 'main', data: '0x01' },
    result: SIGNED,
    trigger: 'Sign',
    show: () => show('sign-request', { type: 'ETHEREUM_RAW', walletId: 'main', data: '0x01' }),
    call: (element) => (element as HTMLElementTagNameMap['sign-request']).sign(),
  },
  'transfer-dialog with everything given': {
    action: 'transfer',
    request: TRANSFER,
    result: { transactionHash: '0xabc' },
    trigger: 'Send',
    show: () => show('transfer-dialog', TRANSFER, [MAIN]),
    call: (element) => (element as HTMLElementTagNameMap['transfer-dialog']).show(),
  },
  'transfer-dialog with a native request': {
    action: 'execute',
    request: NATIVE,
    result: { transactionHash: '0xabc' },
    trigger: 'Send',
    show: () => show('transfer-dialog', { request: NATIVE }, [MAIN]),
    call: (element) => (element as HTMLElementTagNameMap['transfer-dialog']).show(),
  },
};

const ENDS: [
  name: string,
  end: (connect: FakeConnect, result: unknown) => void,
  event: string,
  promise: string,
][] = [
  ['the wallet answers', ({ last }, result) => last.resolve(result), 'result', 'resolved'],
  ['the user rejects', ({ last }) => last.reject(new UserRejectedError()), 'cancel', 'user.rejected'],
  [
    'the request is refused',
    ({ last }) => last.reject(new RequestInvalidError([{ path: 'to', message: 'is required' }])),
    'error',
    'request.invalid',
  ],
  [
    'the wallet goes away',
    ({ last }) => last.reject(new FrameUnreachableError('gone', { requestId: 'request-2' })),
    'error',
    'frame.unreachable',
  ],
  [
    'a node is down',
    ({ last }) => last.reject(new ConnectError('node.unreachable', 'No node answered.')),
    'error',
    'node.unreachable',
  ],
];

for (const [name, { action, request, result, trigger, show: place, call }] of Object.entries(CASES)) {
  describe(`events of ${name}`, () => {
    for (const [what, end, event, promise] of ENDS)
      it(`fires exactly one outcome when ${what}`, async () => {
        const { element, connect, events } = await place();
        const answer = outcome(call(element));
        expect(connect.last.action).to.equal(action);
        expect(connect.last.params).to.deep.equal(request);
        end(connect, result);
        expect(await answer).to.equal(promise);
        await settle(element);
        expect(events).to.deep.equal(['request', event]);
      });

    it('asks before anything opens, and preventDefault cancels', async () => {
      const { element, connect, events } = await place();
      let heard: ConnectRequestEvent | undefined;
      const prevent = (event: ConnectRequestEvent) => {
        heard = event;
        event.preventDefault();
      };
      element.addEventListener('connect-request', prevent, { once: true });
      expect(await outcome(call(element))).to.equal('user.rejected');
      expect(connect.asked).to.have.length(0);
      expect(events).to.deep.equal(['request', 'cancel']);
      expect(heard).to.be.instanceOf(ConnectRequestEvent);
      expect(heard?.action).to.equal(action);
      expect(heard?.request).to.deep.equal(request);
      expect(heard?.bubbles && heard.composed && heard.cancelable).to.equal(true);
      call(element).catch(() => {});
      expect(connect.asked).to.have.length(1);
    });

    it('makes one request from two clicks', async () => {
      const { element, connect, events } = await place();
      const button = control(element, trigger);
      button.click();
      button.click();
      expect(call(element)).to.equal(call(element));
      expect(connect.asked).to.have.length(1);
      connect.last.resolve(result);
      await settle(element);
      expect(events).to.deep.equal(['request', 'result']);
    });

    it('calls the wallet inside the click, so that a popup may open', async () => {
      const { element, connect } = await place();
      let during = 0;
      const { parentElement } = element;
      parentElement!.addEventListener('click', () => (during = connect.asked.length));
      control(element, trigger).click();
      expect(during).to.equal(1);
    });

    it('passes progress on, also after the result', async () => {
      const { element, connect } = await place();
      const heard: string[] = [];
      element.addEventListener('connect-progress', (event: ConnectProgressEvent) =>
        heard.push(`${event.action} ${event.stage} ${event.transactionHash ?? ''}`.trim()),
      );
      element.addEventListener('connect-result', (event: ConnectResultEvent) => {
        heard.push('result');
        expect(event.result).to.deep.equal(result);
      });
      const answer = call(element);
      const progress: NonNullable<CallOptions['onProgress']> = connect.last.options.onProgress!;
      progress({ requestId: 'request-3', stage: 'approval' });
      progress({ requestId: 'request-3', stage: 'broadcast', transactionHash: '0xabc' });
      connect.last.resolve(result);
      await answer;
      progress({ requestId: 'request-3', stage: 'confirmed', transactionHash: '0xabc' });
      expect(heard).to.deep.equal([
        `${action} approval`,
        `${action} broadcast 0xabc`,
        'result',
        `${action} confirmed 0xabc`,
      ]);
    });

    it('can be cancelled by its button', async () => {
      const { element, connect, events } = await place();
      const answer = outcome(call(element));
      await settle(element);
      control(element, 'Cancel').click();
      expect(await answer).to.equal('user.rejected');
      expect(connect.last.options.signal?.aborted).to.equal(true);
      await settle(element);
      expect(events).to.deep.equal(['request', 'cancel']);
      expect(maybe(element, 'Cancel')).to.equal(undefined);
    });

    it('turns into “Open in a window” when the wallet is blocked, and carries the same request', async () => {
      const { element, connect, events } = await place();
      await loaded(element);
      let opened = 0;
      const answer = outcome(call(element));
      connect.last.options.onBlocked?.({ reason: 'popup', open: () => opened++, cancel() {} });
      await settle(element);
      expect(element.shadowRoot?.textContent).to.include('Your browser blocked the wallet window');
      control(element, 'Open in a window').click();
      expect(opened).to.equal(1);
      expect(connect.asked).to.have.length(1);
      connect.last.resolve(result);
      expect(await answer).to.equal('resolved');
      expect(events).to.deep.equal(['request', 'result']);
    });

    it('offers “Show window” while the open window stays behind the page, until the wallet goes on', async () => {
      const { element, connect } = await place();
      await loaded(element);
      let shown = 0;
      const answer = outcome(call(element));
      const { onBlocked, onProgress } = connect.last.options;
      onBlocked?.({ reason: 'behind', open: () => shown++, cancel() {} });
      await settle(element);
      expect(element.shadowRoot?.textContent).to.include('Your wallet window is open');
      control(element, 'Show window').click();
      expect(shown).to.equal(1);
      onBlocked?.({ reason: 'behind', open() {}, cancel() {} });
      onProgress?.({ requestId: 'request-3', stage: 'signing' });
      await settle(element);
      expect(maybe(element, 'Show window')).to.equal(undefined);
      connect.last.resolve(result);
      expect(await answer).to.equal('resolved');
    });

    it('says that the wallet’s window was closed, and nothing of the kind after a rejection', async () => {
      const { element, connect, events } = await place();
      await loaded(element);
      const closed = outcome(call(element));
      connect.last.reject(new UserRejectedError('Closed.', { reason: 'closed' }));
      expect(await closed).to.equal('user.rejected');
      await settle(element);
      expect(element.shadowRoot?.textContent).to.include('Your wallet window was closed');
      expect(element.shadowRoot?.textContent).to.include('Nothing was approved.');
      const rejected = outcome(call(element));
      connect.last.reject(new UserRejectedError());
      await rejected;
      await settle(element);
      expect(element.shadowRoot?.textContent).not.to.include('Your wallet window was closed');
      expect(events).to.deep.equal(['request', 'cancel', 'request', 'cancel']);
    });

    it('can be used again from the listener of its outcome', async () => {
      const { element, connect, events } = await place();
      element.addEventListener('connect-result', () => void call(element).catch(() => {}), { once: true });
      const first = call(element);
      connect.asked[0]!.resolve(result);
      await first;
      expect(connect.asked).to.have.length(2);
      expect(events).to.deep.equal(['request', 'result', 'request']);
    });
  });
}

describe('answers owed from before a page load', () => {
  it('fires connect-result once, on one of the elements that could have asked', async () => {
    const { connect } = await show('link-wallets');
    connect.answers = [
      { requestId: 'owed-0001', action: 'transfer', state: 'done', result: { transactionHash: '0x1' } },
      { requestId: 'owed-0002', action: 'sign', state: 'done', result: SIGNED },
    ];
    const first = await show('transfer-dialog', {}, [], connect);
    const second = await show('transfer-dialog', {}, [], connect);
    const sign = await show('sign-request', {}, [], connect);
    await settle(sign.element);
    expect([first.events, second.events, sign.events]).to.deep.equal([['result'], [], ['result']]);
    expect(sign.element.shadowRoot?.textContent).to.include('Message signed');
  });

  it('reports a failure as connect-error', async () => {
    const { connect } = await show('link-wallets');
    connect.answers = [
      {
        requestId: 'owed-0003',
        action: 'sign',
        state: 'failed',
        error: { code: 'node.unreachable', message: 'Down.' },
      },
    ];
    const { events } = await show('sign-request', {}, [], connect);
    expect(events).to.deep.equal(['error']);
  });

  it('takes an answer that arrives later', async () => {
    const { connect, events, element } = await show('transfer-dialog');
    connect.arrive({
      requestId: 'owed-0004',
      action: 'execute',
      state: 'done',
      result: { transactionHash: '0x2' },
    });
    await settle(element);
    expect(events).to.deep.equal(['result']);
  });

  for (const [state, action] of [
    ['unknown', 'unknown'],
    ['unsent', 'transfer'],
  ] as const)
    it(`offers “Check in wallet” for an answer that is ${state}`, async () => {
      const { connect } = await show('link-wallets');
      connect.answers = [{ requestId: `owed-${state}`, action, state }];
      const { element, events } = await show('transfer-dialog', {}, [], connect);
      await until(element, () => !!maybe(element, 'Check in wallet'));
      expect(events).to.deep.equal([]);
      control(element, 'Check in wallet').click();
      expect(connect.last.action).to.equal('resume');
      expect(connect.last.params).to.equal(`owed-${state}`);
      connect.last.resolve({ transactionHash: '0x3' });
      await settle(element);
      expect(events).to.deep.equal(['request', 'result']);
      expect(maybe(element, 'Check in wallet')).to.equal(undefined);
    });

  it('gives a late answer to the element that offered to look for it, and to no other', async () => {
    const { connect } = await show('link-wallets');
    connect.answers = [
      { requestId: 'owed-0005', action: 'unknown', state: 'unknown' },
      { requestId: 'owed-0006', action: 'transfer', state: 'unknown' },
    ];
    const waiting = [
      await show('transfer-dialog', {}, [], connect),
      await show('transfer-dialog', {}, [], connect),
      await show('transfer-dialog', {}, [], connect),
    ];
    const offers = () => waiting.map(({ element }) => !!maybe(element, 'Check in wallet'));
    expect(offers(), 'one element an answer').to.deep.equal([true, true, false]);
    connect.arrive({
      requestId: 'owed-0006',
      action: 'transfer',
      state: 'done',
      result: { transactionHash: '0x6' },
    });
    await settle(waiting[1]!.element);
    expect(waiting.map(({ events }) => events)).to.deep.equal([[], ['result'], []]);
    expect(offers()).to.deep.equal([true, false, false]);
  });

  it('gives it to another when the one that offered has left the page', async () => {
    const { connect } = await show('link-wallets');
    connect.answers = [{ requestId: 'owed-0007', action: 'sign', state: 'unsent' }];
    const gone = await show('sign-request', {}, [], connect);
    const other = await show('sign-request', {}, [], connect);
    gone.element.remove();
    connect.arrive({ requestId: 'owed-0007', action: 'sign', state: 'done', result: SIGNED });
    connect.arrive({ requestId: 'owed-0007', action: 'sign', state: 'done', result: SIGNED });
    await settle(other.element);
    expect([gone.events, other.events]).to.deep.equal([[], ['result']]);
  });

  it('offers it at once when the wallet went away after approval', async () => {
    const { element, connect } = await show('sign-request', {
      type: 'ETHEREUM_RAW',
      walletId: 'main',
      data: '0x01',
    });
    element.sign().catch(() => {});
    connect.last.reject(new FrameUnreachableError('gone', { requestId: 'request-4' }));
    await settle(element);
    control(element, 'Check in wallet').click();
    expect(connect.last.params).to.equal('request-4');
  });
});
