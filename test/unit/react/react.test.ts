import { expect, fixture, html } from '@open-wc/testing';
import { ReactiveElement } from 'lit';
import { act, createElement, createRef, type ReactNode, StrictMode, Suspense, use } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { setDefaultConnect } from '../../../src/actions/default-connect.ts';
import type { TransferDialog as Tag } from '../../../src/elements/transfer-dialog.ts';
import { ConnectResultEvent } from '../../../src/elements/index.ts';
import { component } from '../../../src/react/component.ts';
import { ConnectProvider, LinkWallets, TransferDialog } from '../../../src/react/index.ts';
import { FakeConnect, MAIN, RECIPIENT } from '../elements/fake-connect.ts';
import { settle, until } from '../elements/page.ts';

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
