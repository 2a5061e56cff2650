import { expect } from '@open-wc/testing';
import type { Pending } from '../../../src/channel/messages.ts';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import type { ConnectErrorEvent, ConnectResultEvent } from '../../../src/elements/events.ts';
import { ConnectError, UserRejectedError } from '../../../src/base/errors.ts';
import { FakeConnect, MAIN, RECIPIENT } from './fake-connect.ts';
import { outcome, settle, show, until } from './page.ts';

const RESULT = { transactionHash: '0xabc' };
const GIVEN = { walletId: 'main', to: RECIPIENT, value: '1.5', secretType: 'ETHEREUM' } as const;
const ID = 'request-1';
const TYPES = ['connect-progress', 'connect-result', 'connect-cancel', 'connect-error'] as const;

/** A wallet that keeps an answer until it is taken. */
class KeepingConnect extends FakeConnect {
  readonly taken: string[] = [];
  override pending = async (take: (pending: Pending) => boolean = () => true): Promise<Pending[]> => {
    for (const each of this.answers) if (take(each)) this.taken.push(each.requestId);
    return this.answers;
  };
}

describe('an element that is removed while its approval is open', () => {
  let connect: KeepingConnect;
  let element: ConnectElement;
  let heard: Event[];
  let answer: Promise<string>;
  const listen = (event: Event): number => heard.push(event);
  beforeEach(async () => {
    connect = new KeepingConnect();
    heard = [];
    const shown = await show('transfer-dialog', GIVEN, [MAIN], connect);
    element = shown.element;
    answer = outcome(shown.element.show());
    for (const type of TYPES) document.addEventListener(type, listen);
  });
  afterEach(() => {
    for (const type of TYPES) document.removeEventListener(type, listen);
  });
  const types = (): string[] =>
    heard.map(({ type, target }) => (target === document ? type : `${type} elsewhere`));
  const isTaken = (): boolean | undefined => connect.last.options.isTaken?.(ID);

  it('has its events at document', async () => {
    element.remove();
    connect.last.options.onProgress?.({ requestId: ID, stage: 'signing' });
    expect(isTaken()).to.equal(false);
    connect.last.resolve(RESULT);
    expect(await answer).to.equal('resolved');
    expect(types()).to.deep.equal(['connect-progress', 'connect-result']);
    const { action, result, requestId } = heard[1] as ConnectResultEvent;
    expect([action, result, requestId]).to.deep.equal(['transfer', RESULT, ID]);
  });

  it('has its failures there too, and the user’s rejection', async () => {
    element.remove();
    isTaken();
    connect.last.reject(new ConnectError('transaction.refused', 'The node said no.'));
    expect(await answer).to.equal('transaction.refused');
    expect(types()).to.deep.equal(['connect-error']);
    expect((heard[0] as ConnectErrorEvent).requestId).to.equal(ID);
    const again = await show('transfer-dialog', GIVEN, [MAIN], connect);
    const rejected = outcome(again.element.show());
    again.element.remove();
    connect.last.reject(new UserRejectedError());
    await rejected;
    expect(types()).to.deep.equal(['connect-error', 'connect-cancel']);
  });

  it('leaves its answer to a listener that takes it', async () => {
    connect.answers = [{ requestId: ID, action: 'transfer', state: 'done', result: RESULT }];
    element.remove();
    isTaken();
    document.addEventListener('connect-result', (event) => event.preventDefault(), { once: true });
    connect.last.resolve(RESULT);
    await answer;
    expect(connect.taken).to.deep.equal([ID]);
    // The wallet is told, and may not have forgotten it yet.
    const next = await show('transfer-dialog', {}, [MAIN], connect);
    await settle(next.element);
    expect(next.events).to.deep.equal([]);
  });

  it('and otherwise keeps it until there is an element that shows it', async () => {
    connect.answers = [{ requestId: 'request-2', action: 'transfer', state: 'done', result: RESULT }];
    element.remove();
    isTaken();
    connect.last.resolve(RESULT);
    await answer;
    expect(connect.taken).to.deep.equal([]);
    // An element that does not handle such an answer leaves it alone.
    const other = await show('sign-request', {}, [MAIN], connect);
    await settle(other.element);
    expect(connect.taken).to.deep.equal([]);
    const next = await show('transfer-dialog', {}, [MAIN], connect);
    await until(next.element, () => next.events.length > 0);
    expect(next.events).to.deep.equal(['result']);
    expect(connect.taken).to.deep.equal(['request-2']);
  });

  it('tells each listener its answer once: the next element those that were not at document', async () => {
    const requestId = 'request-3';
    connect.answers = [{ requestId, action: 'transfer', state: 'done', result: RESULT }];
    element.remove();
    connect.last.options.isTaken?.(requestId);
    connect.last.resolve(RESULT);
    await answer;
    expect(types()).to.deep.equal(['connect-result']);
    const around: Event[] = [];
    const hear = (event: Event): number => around.push(event);
    document.body.addEventListener('connect-result', hear);
    const next = await show('transfer-dialog', GIVEN, [MAIN], connect);
    await until(next.element, () => next.events.length > 0);
    document.body.removeEventListener('connect-result', hear);
    expect(next.events).to.deep.equal(['result']);
    expect(around).to.have.length(1);
    expect(types()).to.deep.equal(['connect-result']);
    expect(connect.taken).to.deep.equal([requestId]);
    // What comes after it is heard again.
    const another = outcome(next.element.show());
    connect.last.resolve(RESULT);
    await another;
    expect(types()).to.deep.equal(['connect-result', 'connect-result elsewhere']);
  });

  it('is as good as removed while its listeners are cleaned up, and is told the answer once they are back', async () => {
    const requestId = 'request-4';
    const own: Event[] = [];
    const hear = (event: Event): number => own.push(event);
    element.addEventListener('connect-result', hear);
    element.deferHydration = true;
    await settle(element);
    connect.last.options.onProgress?.({ requestId, stage: 'signing' });
    expect(connect.last.options.isTaken?.(requestId)).to.equal(false);
    connect.answers = [{ requestId, action: 'transfer', state: 'done', result: RESULT }];
    connect.last.resolve(RESULT);
    expect(await answer).to.equal('resolved');
    connect.arrive(connect.answers[0]!);
    await settle(element);
    expect(types()).to.deep.equal(['connect-progress', 'connect-result']);
    expect(own).to.deep.equal([]);
    expect(connect.taken).to.deep.equal([]);
    element.deferHydration = false;
    await until(element, () => own.length > 0);
    expect(connect.taken).to.deep.equal([requestId]);
    expect(types()).to.deep.equal(['connect-progress', 'connect-result']);
  });

  it('is told nothing if it was hidden while that answer was looked up', async () => {
    connect.answers = [{ requestId: 'request-5', action: 'transfer', state: 'done', result: RESULT }];
    const next = await show('transfer-dialog', { deferHydration: true }, [MAIN], connect);
    next.element.deferHydration = false;
    await next.element.updateComplete;
    next.element.deferHydration = true;
    await settle(next.element);
    expect(next.events).to.deep.equal([]);
    expect(connect.taken).to.deep.equal([]);
  });

  it('fires its own events again if it was only moved', async () => {
    const parent = element.parentElement!;
    element.remove();
    parent.append(element);
    expect(isTaken()).to.equal(true);
    connect.last.resolve(RESULT);
    await answer;
    expect(types()).to.deep.equal(['connect-result elsewhere']);
    expect(connect.taken).to.deep.equal([]);
  });
});
