import { expect, fixture, html } from '@open-wc/testing';
import { defaultConnect, setDefaultConnect } from '../../../src/actions/default-connect.ts';
import { connectContext } from '../../../src/elements/connect-element.ts';
import { ConnectProvider, LinkWallets } from '../../../src/elements/index.ts';
import { FakeConnect, MAIN, VAULT } from './fake-connect.ts';
import { outcome, settle, show } from './page.ts';

describe('where an element gets its connect', () => {
  it('takes its own before the provider’s, the provider’s before the page’s', async () => {
    const [own, provided, page] = [new FakeConnect(), new FakeConnect(), new FakeConnect()];
    const root = await fixture<HTMLElement>(
      html`<div><connect-provider .connect=${provided}><link-wallets></link-wallets><link-wallets .connect=${own}></link-wallets></connect-provider><link-wallets></link-wallets></div>`,
    );
    const [inside, with_, outside] = [...root.querySelectorAll('link-wallets')] as [
      LinkWallets,
      LinkWallets,
      LinkWallets,
    ];
    await settle(outside);
    expect(await outcome(outside.link())).to.equal('frame.blocked');
    setDefaultConnect(() => page);
    expect(defaultConnect()).to.equal(page);
    for (const [element, connect] of [
      [inside, provided],
      [with_, own],
      [outside, page],
    ] as const) {
      element.link().catch(() => {});
      expect(connect.asked).to.have.length(1);
    }
  });

  it('makes no connect of what a server wrote before the rest has arrived', async () => {
    const page = setDefaultConnect(() => new FakeConnect());
    const provider = await fixture<ConnectProvider>(
      html`<connect-provider frame="https://connect.example" defer-hydration><link-wallets></link-wallets></connect-provider>`,
    );
    const element = provider.querySelector('link-wallets')!;
    await settle(element);
    expect(element.current).to.equal(page);
    const given = new FakeConnect();
    provider.removeAttribute('defer-hydration');
    provider.connect = given;
    await settle(element);
    expect(element.current).to.equal(given);
  });

  it('follows a connect that changes', async () => {
    const [first, second] = [new FakeConnect(), new FakeConnect()];
    first.linked = [MAIN];
    second.linked = [VAULT];
    const provider = await fixture<ConnectProvider>(
      html`<connect-provider .connect=${first}><link-wallets></link-wallets></connect-provider>`,
    );
    const element = provider.querySelector('link-wallets')!;
    await settle(element);
    expect(element.wallets).to.deep.equal([MAIN]);
    provider.connect = second;
    await provider.updateComplete;
    await settle(element);
    expect(element.wallets).to.deep.equal([VAULT]);
    first.setWallets([]);
    expect(element.wallets).to.deep.equal([VAULT]);
  });

  it('makes one from the attributes of the provider', async () => {
    const provider = await fixture<ConnectProvider>(
      html`<connect-provider frame="https://connect.example" surface="popup" locale="nl" theme="dark" site="example"></connect-provider>`,
    );
    let found: unknown;
    provider.dispatchEvent(
      Object.assign(new Event('context-request', { bubbles: true, composed: true }), {
        context: connectContext,
        contextTarget: provider.appendChild(document.createElement('i')),
        callback: (value: unknown) => (found = value),
      }),
    );
    expect(found).to.have.property('linkWallets');
  });

  it('stops listening when it leaves the page, and starts again when it comes back', async () => {
    const { element, connect } = await show('link-wallets', {}, [MAIN]);
    const parent = element.parentElement!;
    element.remove();
    connect.setWallets([]);
    expect(element.wallets).to.deep.equal([MAIN]);
    parent.append(element);
    await settle(element);
    expect(element.wallets).to.deep.equal([]);
  });
});

describe('registering', () => {
  it('is harmless a second time, and by another copy', async () => {
    const other = new URL('../../../src/elements/index.ts?again', import.meta.url).href;
    expect((await import(other)).LinkWallets).not.to.equal(undefined);
    expect(customElements.get('link-wallets')).to.equal(LinkWallets);
  });

  it('reflects theme, layout and open', async () => {
    const { element } = await show('link-wallets', { theme: 'dark', layout: 'list' });
    expect(element.getAttribute('theme')).to.equal('dark');
    expect(element.getAttribute('layout')).to.equal('list');
    expect(getComputedStyle(element).colorScheme).to.equal('dark');
  });
});

describe('a host’s accent colours', () => {
  it('warns once when the pair cannot be read', async () => {
    const warnings: string[] = [];
    const { warn } = console;
    console.warn = (message: string) => warnings.push(message);
    try {
      for (const [accent, text] of [
        ['#8a3b12', '#fff'],
        ['#ffd54a', '#fff'],
        ['#ffd54a', '#fff'],
      ] as const) {
        const { element } = await show('link-wallets', {}, [MAIN]);
        element.remove();
        const host = await fixture<HTMLElement>(html`<main></main>`);
        host.style.setProperty('--cb-color-accent', accent);
        host.style.setProperty('--cb-color-on-accent', text);
        const next = document.createElement('link-wallets');
        next.connect = new FakeConnect();
        next.connect.wallets = async () => [MAIN];
        host.append(next);
        await settle(next);
        await settle(next);
      }
    } finally {
      console.warn = warn;
    }
    const ours = warnings.filter((message) => message.includes('--cb-color'));
    expect(ours).to.have.length(1);
    expect(ours[0]).to.include('1.4:1').and.include('at least 4.5:1');
  });
});
