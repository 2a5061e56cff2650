import { expect, fixture, html } from '@open-wc/testing';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import { ManageWalletsRest } from '../../../src/elements/manage-wallets/manage-wallets-rest.ts';
import { FakeConnect, MAIN } from './fake-connect.ts';
import { all, control, loaded, settle, show, text } from './page.ts';

const NAMES = ['link-wallets', 'manage-wallets', 'transfer-dialog', 'sign-request', 'swap-panel'] as const;
const GIVEN = { chain: 'ETHEREUM', secretType: 'ETHEREUM', type: 'ETHEREUM_RAW' } as object;

describe('an element that somebody only looks at', () => {
  // Of what was sent, each element shows a line.
  beforeEach(() => localStorage.clear());

  for (const name of NAMES)
    it(`loads no view and no schema: ${name}`, async () => {
      const { element, connect } = await show(name, GIVEN);
      expect(connect.preloaded).to.deep.equal([]);
      expect(element.view === undefined || element.view instanceof ManageWalletsRest).to.equal(true);
    });

  for (const type of ['pointerover', 'focusin'])
    it(`loads what a press takes at ${type}, once, and looks the same`, async () => {
      for (const name of NAMES) {
        const { element, connect } = await show(name, GIVEN);
        const before = text(element);
        for (let i = 0; i < 2; i++) {
          control(
            element,
            before.includes('No Ethereum wallet yet') ? 'Manage wallets' : before,
          ).dispatchEvent(new Event(type, { bubbles: true, composed: true }));
          await settle(element);
        }
        expect([name, connect.preloaded], type).to.deep.equal([
          name,
          /transfer|sign/.test(name) ? ['ETHEREUM'] : [undefined],
        ]);
        expect(text(element)).to.equal(before);
      }
    });

  it('follows a chain that is set after the pointer came', async () => {
    const { element, connect } = await show('transfer-dialog');
    element.dispatchEvent(new Event('pointerover'));
    await settle(element);
    element.secretType = 'VECHAIN';
    await settle(element);
    expect(connect.preloaded).to.deep.equal([undefined, 'VECHAIN']);
  });

  it('shows linked wallets at once', async () => {
    for (const name of ['link-wallets', 'manage-wallets'] as const)
      expect(text((await show(name, GIVEN, [MAIN])).element)).to.include('Main wallet');
  });
});

describe('manage-wallets without a wallet', () => {
  const LOOKS = [
    'color',
    'backgroundColor',
    'fontSize',
    'fontWeight',
    'lineHeight',
    'borderRadius',
    'borderColor',
  ] as const;

  /** Where everything is, and how it looks. */
  const look = (element: ConnectElement) =>
    all(element, '.title, .card, .card *').flatMap((each) => {
      if (!each.getClientRects().length) return [];
      const { left, top, width, height } = each.getBoundingClientRect();
      const style = getComputedStyle(each);
      return [[each.tagName, left, top, width, height, ...LOOKS.map((name) => style[name])]];
    });

  for (const theme of ['light', 'dark'] as const)
    it(`looks the same before and after its view is loaded, ${theme}`, async () => {
      const page = await fixture<HTMLElement>(html`<main></main>`);
      for (const width of [320, 640]) {
        page.style.width = `${width}px`;
        const element = Object.assign(document.createElement('manage-wallets'), {
          chain: 'ethereum',
          theme,
          connect: new FakeConnect(),
        });
        page.replaceChildren(element);
        await settle(element);
        const before = look(element);
        expect(element.view).to.be.instanceOf(ManageWalletsRest);
        await loaded(element);
        expect(element.view).not.to.be.instanceOf(ManageWalletsRest);
        expect(look(element)).to.deep.equal(before);
        expect(before.length).to.be.greaterThan(6);
      }
    });

  it('keeps the focus on a button when it is pressed', async () => {
    const { element, connect } = await show('manage-wallets', { chain: 'ethereum' });
    control(element, 'Manage wallets').focus();
    control(element, 'Manage wallets').click();
    await settle(element);
    expect(connect.last.params).to.deep.equal({ chain: 'ETHEREUM' });
    expect(element.shadowRoot!.activeElement?.getClientRects().length).to.equal(1);
  });
});
