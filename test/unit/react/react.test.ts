import { expect, fixture, html } from '@open-wc/testing';
import { ReactiveElement } from 'lit';
import { act, Activity, createElement, createRef, type ReactNode, StrictMode, Suspense, use } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { setDefaultConnect } from '../../../src/actions/default-connect.ts';
import type { TransferDialog as Tag } from '../../../src/elements/transfer-dialog/transfer-dialog.ts';
import { ConnectResultEvent } from '../../../src/elements/index.ts';
import { component } from '../../../src/react/component.ts';
import { ConnectProvider, LinkWallets, SignRequest, TransferDialog } from '../../../src/react/index.ts';
import { FakeConnect, MAIN, RECIPIENT } from '../elements/fake-connect.ts';
import { control, settle, type, until } from '../elements/page.ts';

const RESULT = { transactionHash: '0xabc' };
const REQUEST = { type: 'ETH_TRANSACTION', walletId: 'main', to: RECIPIENT, value: '1' } as const;

describe('carabiner/react', () => {
  let place: HTMLElement;
  let root: Root | undefined;
  let said: string[];
  const { error } = console;
  const page = new FakeConnect();
  page.linked = [MAIN];
  before(() => {
    setDefaultConnect(() => page);
    (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  });
  after(() => {
    (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = false;
  });
  beforeEach(async () => {
    place = await fixture<HTMLElement>(html`<div></div>`);
    said = [];
    console.error = (...words: unknown[]) => void said.push(words.join(' '));
    page.answers = [];
  });
  afterEach(async () => {
    await act(async () => root?.unmount());
    root = undefined;
    console.error = error;
    // React says here what it does not like.
    expect(said.join('\n')).to.equal('');
  });

  async function render(node: ReactNode): Promise<void> {
    root ??= createRoot(place);
    await act(async () => root!.render(node));
  }

  const tag = (): Tag => place.querySelector('transfer-dialog')!;
  const tell = (): boolean => tag().dispatchEvent(new ConnectResultEvent('transfer', RESULT));

  it('gives the element text, numbers, objects and booleans, and its events to the latest handler', async () => {
    const heard: string[] = [];
    const page = (name: string, more = {}) =>
      createElement(TransferDialog, {
        walletId: 'main',
        value: 1.5,
        className: 'wide',
        request: REQUEST,
        onConnectResult: (event) => heard.push(`${name} ${event.result.transactionHash}`),
        ...more,
      });
    await render(page('first'));
    expect([tag().walletId, tag().value, tag().request]).to.deep.equal(['main', 1.5, REQUEST]);
    expect(tag().className).to.equal('wide');
    expect(tag().hasAttribute('defer-hydration')).to.equal(false);
    tell();
    await render(page('second', { request: undefined, value: 2n }));
    expect([tag().request, tag().value]).to.deep.equal([undefined, 2n]);
    tell();
    await render(page('third', { value: '3' }));
    expect(tag().value).to.equal('3');
    expect(heard).to.deep.equal(['first 0xabc', 'second 0xabc']);
  });

  it('hears once under StrictMode, and nothing after it was unmounted', async () => {
    const heard: Event[] = [];
    const ref = createRef<Tag>();
    const page = createElement(TransferDialog, { ref, onConnectResult: (event) => heard.push(event) });
    await render(createElement(StrictMode, null, page));
    const first = tag();
    expect(ref.current).to.equal(first);
    tell();
    expect(heard).to.have.length(1);
    await render(null);
    first.dispatchEvent(new ConnectResultEvent('transfer', RESULT));
    expect(heard).to.have.length(1);
    expect(ref.current).to.equal(null);
    await render(createElement(StrictMode, null, page));
    tell();
    expect(heard).to.have.length(2);
  });

  it('hydrates what a server wrote: objects, booleans, functions and events arrive', async () => {
    const heard: string[] = [];
    const getAccessToken = () => 'token';
    const page = createElement(
      ConnectProvider,
      { frame: 'https://connect.example', getAccessToken },
      createElement(
        TransferDialog,
        {
          walletId: 'main',
          to: RECIPIENT,
          request: REQUEST,
          onConnectRequest: (event) => event.preventDefault(),
          onConnectCancel: ({ action }) => heard.push(action),
        },
        'Pay',
      ),
    );
    place.innerHTML = renderToString(page);
    expect(place.innerHTML)
      .to.include(`wallet-id="main"`)
      .and.to.include('>Pay<')
      .and.not.to.include('object');
    const written = tag();
    await act(async () => (root = hydrateRoot(place, page)));
    expect(tag()).to.equal(written);
    expect(tag().request).to.equal(REQUEST);
    expect(place.querySelector('connect-provider')!.getAccessToken).to.equal(getAccessToken);
    await tag()
      .show()
      .catch(() => {});
    expect(heard).to.deep.equal(['execute']);
  });

  it('opens what was rendered open once it is hydrated, and no press does anything before', async () => {
    const page = createElement(TransferDialog, { open: true });
    place.innerHTML = renderToString(page);
    await settle(tag());
    tag().shadowRoot!.querySelector('button')!.click();
    await settle(tag());
    expect(tag().shadowRoot!.querySelector('dialog')).to.equal(null);
    await act(async () => (root = hydrateRoot(place, page)));
    await until(tag(), () => !!tag().shadowRoot!.querySelector('dialog')?.open);
  });

  it('hands over an answer that the page is owed, however late it hydrates', async () => {
    page.answers = [{ requestId: 'late-answer', action: 'transfer', state: 'done', result: RESULT }];
    const heard: unknown[] = [];
    const node = createElement(TransferDialog, { onConnectResult: ({ requestId }) => heard.push(requestId) });
    place.innerHTML = renderToString(node);
    await settle(tag());
    await act(async () => (root = hydrateRoot(place, node)));
    await until(tag(), () => heard.length > 0);
    expect(heard).to.deep.equal(['late-answer']);
  });

  it('keeps listeners and properties through a Suspense that hides it', async () => {
    const heard: Event[] = [];
    const never = new Promise<string>(() => {});
    const Waits = ({ on }: { on: Promise<string> | undefined }): ReactNode => (on ? use(on) : null);
    const page = (on?: Promise<string>) =>
      createElement(
        Suspense,
        { fallback: 'Wait' },
        createElement(TransferDialog, { request: REQUEST, onConnectResult: (event) => heard.push(event) }),
        createElement(Waits, { on }),
      );
    await render(page());
    await render(page(never));
    await render(page());
    tell();
    expect(heard).to.have.length(1);
    expect(tag().request).to.equal(REQUEST);
  });

  it('has what was answered in a hidden tree at document, and again in its own listener where nobody took it', async () => {
    const heard: string[] = [];
    const shown = (mode: 'visible' | 'hidden') =>
      createElement(Activity, {
        mode,
        children: createElement(SignRequest, {
          type: 'ETHEREUM_RAW',
          walletId: 'main',
          data: '0x00',
          onConnectResult: ({ requestId }) => heard.push(`${requestId} at the element`),
        }),
      });
    const sign = () => place.querySelector('sign-request')!;
    let takes = true;
    const hear = (event: ConnectResultEvent): void => {
      if (event.target !== document) return;
      heard.push(`${event.requestId} at document`);
      if (takes) event.preventDefault();
    };
    document.addEventListener('connect-result', hear);
    for (const requestId of ['taken', 'left']) {
      takes = requestId === 'taken';
      await render(shown('visible'));
      const signed = sign().sign();
      await render(shown('hidden'));
      expect(sign().getClientRects()).to.have.length(0);
      const { options, resolve } = page.last;
      expect(options.isTaken?.(requestId)).to.equal(false);
      const result = { success: true, result: { signature: '0x1b' } };
      page.answers = [{ requestId, action: 'sign', state: 'done', result }];
      resolve(result);
      await signed;
      await render(shown('visible'));
      await settle(sign());
    }
    await until(sign(), () => heard.length > 2);
    document.removeEventListener('connect-result', hear);
    expect(heard).to.deep.equal(['taken at document', 'left at document', 'left at the element']);
  });

  it('leaves a plain tag of a hidden tree its listener, which React keeps', async () => {
    const heard: boolean[] = [];
    const shown = (mode: 'visible' | 'hidden') =>
      createElement(Activity, {
        mode,
        children: createElement('transfer-dialog', {
          request: REQUEST,
          'onconnect-result': ({ target }: Event) => heard.push(target === tag()),
        }),
      });
    await render(shown('visible'));
    const sent = tag().show();
    await render(shown('hidden'));
    expect(page.last.options.isTaken?.('plain')).to.equal(true);
    page.last.resolve(RESULT);
    await sent;
    expect(heard).to.deep.equal([true]);
  });

  it('does not leave the page blocked by the form of a hidden tree', async () => {
    const cancelled: unknown[] = [];
    const shown = (mode: 'visible' | 'hidden') => [
      createElement(Activity, {
        mode,
        key: 'pay',
        children: createElement(TransferDialog, { walletId: 'main' }),
      }),
      createElement('button', { key: 'else', id: 'else' }, 'Elsewhere'),
    ];
    const hear = ({ target }: Event): number => cancelled.push(target === document);
    document.addEventListener('connect-cancel', hear);
    const form = () => tag().shadowRoot!.querySelector('dialog');
    const reaches = (): boolean => {
      const button = place.querySelector<HTMLElement>('#else')!;
      button.focus();
      return document.activeElement === button;
    };
    const open = async (): Promise<void> => {
      tag()
        .show()
        .catch(() => {});
      await until(tag(), () => form()?.open);
    };
    await render(shown('visible'));
    await open();
    expect(reaches()).to.equal(false);
    await render(shown('hidden'));
    await settle(tag());
    expect(reaches()).to.equal(true);
    await until(tag(), () => cancelled.length > 0);
    expect(cancelled).to.deep.equal([true]);
    // A request goes on, and its form is there again.
    await render(shown('visible'));
    await open();
    type(control(tag(), 'Recipient'), RECIPIENT);
    type(control(tag(), 'Amount'), '1');
    control(tag(), 'Continue').click();
    await until(tag(), () => page.asked.length > 0 && page.last.action === 'transfer');
    await render(shown('hidden'));
    await settle(tag());
    expect(reaches()).to.equal(true);
    await render(shown('visible'));
    await until(tag(), () => form()?.open);
    expect(cancelled).to.deep.equal([true]);
    page.last.resolve(RESULT);
    await until(tag(), () => !form()?.open);
    document.removeEventListener('connect-cancel', hear);
  });

  it('works when the element is defined after the first render', async () => {
    class Late extends ReactiveElement {
      static override properties = { request: { attribute: false }, open: { type: Boolean } };
      declare request: unknown;
      declare open: boolean;
      protected override createRenderRoot() {
        return this;
      }
    }
    const heard: Event[] = [];
    const LateTag = component('late-element' as 'transfer-dialog', Late);
    const props = { request: REQUEST, open: true, onConnectResult: (event: Event) => heard.push(event) };
    await render(createElement(LateTag, props));
    customElements.define('late-element', Late);
    const late = place.querySelector<Late>('late-element')!;
    await late.updateComplete;
    expect([late.request, late.open]).to.deep.equal([REQUEST, true]);
    late.dispatchEvent(new ConnectResultEvent('transfer', RESULT));
    expect(heard).to.have.length(1);
    await render(createElement(LateTag, { ...props, request: undefined, open: false }));
    expect([late.request, late.open]).to.deep.equal([undefined, false]);
  });

  it('takes arrays', async () => {
    await render(createElement(LinkWallets, { secretTypes: ['ETHEREUM', 'TRON'] }));
    expect(place.querySelector('link-wallets')!.secretTypes).to.deep.equal(['ETHEREUM', 'TRON']);
  });
});
