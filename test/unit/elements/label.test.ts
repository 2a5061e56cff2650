import { expect } from '@open-wc/testing';
import { MAIN, RECIPIENT } from './fake-connect.ts';
import { all, focused, settle, show, text, until } from './page.ts';

const GIVEN = { walletId: 'main', to: RECIPIENT, value: '1.5', secretType: 'ETHEREUM' } as const;

describe('what a page puts into transfer-dialog', () => {
  const shown = async (content: string) => {
    const { element, connect } = await show('transfer-dialog', GIVEN, [MAIN]);
    element.innerHTML = content;
    await settle(element);
    return { element, connect, button: all(element, 'button[part~=button]')[0] };
  };
  const slotted = (element: Element) =>
    all<HTMLSlotElement>(element, 'slot')
      .filter((slot) => !slot.hidden)
      .flatMap((slot) => slot.assignedNodes())
      .map((node) => node.textContent!.trim())
      .filter(Boolean);

  for (const [what, content, label] of [
    ['words', 'Pay 1.5 ETH', ['Pay 1.5 ETH']],
    ['words with a mark-up of their own, and an icon', '<b>Pay</b> 1.5 ETH <svg></svg>', ['Pay', '1.5 ETH']],
    ['words beside a fallback', 'Pay <a slot="fallback" href="/">Pay another way</a>', ['Pay']],
  ] as const)
    it(`labels the button, which takes the focus and is pressed: ${what}`, async () => {
      const { element, connect, button } = await shown(content);
      expect(slotted(element)).to.deep.equal(label);
      expect(button!.contains(all(element, 'slot')[0]!)).to.equal(true);
      expect(button!.textContent).not.to.include('Send');
      element.focus();
      expect(focused()).to.equal(button);
      button!.click();
      await until(element, () => text(element).includes('Waiting for your wallet…'));
      expect(connect.asked.map(({ action }) => action)).to.deep.equal(['transfer']);
      // What it waits for is said in its place.
      expect(slotted(element)).to.deep.equal([]);
    });

  for (const content of [
    '<button>Pay</button>',
    '<span><a href="#">Pay</a></span>',
    '<i tabindex="0">Pay</i>',
    '<my-button>Pay</my-button>',
  ])
    it(`stands in the button’s place if it can be pressed: ${content}`, async () => {
      const { element, connect, button } = await shown(content);
      expect(button).to.equal(undefined);
      expect(slotted(element)).to.deep.equal(['Pay']);
      (element.querySelector('button, a, i, my-button') as HTMLElement).click();
      expect(connect.asked).to.have.length(1);
    });

  for (const content of ['\n  ', '<!-- Pay -->', '<a slot="fallback" href="/">Pay another way</a>'])
    it(`leaves the button its own label if it is nothing: ${JSON.stringify(content)}`, async () => {
      const { element, button } = await shown(content);
      expect(button!.innerText.trim()).to.equal('Send');
      expect(slotted(element)).to.deep.equal([]);
    });

  it('may come and go', async () => {
    const { element } = await shown('');
    const words = document.createTextNode('Pay');
    element.append(words);
    await settle(element);
    expect(slotted(element)).to.deep.equal(['Pay']);
    words.remove();
    await settle(element);
    expect(text(element)).to.include('Send');
  });
});

describe('what a page puts into link-wallets', () => {
  const drawn = (element: Element, name: string) => {
    const slot = all<HTMLSlotElement>(element, `slot[name=${name}]`)[0]!;
    return slot.assignedElements({ flatten: true });
  };

  it('replaces label and icon of its button, one by one', async () => {
    const { element } = await show('link-wallets');
    expect(text(element)).to.include('Connect wallet');
    expect(drawn(element, 'icon').map(({ localName }) => localName)).to.deep.equal(['svg']);
    element.innerHTML = '\n <b slot="label">Sign in with a wallet</b>\n <i slot="icon"></i>\n';
    await settle(element);
    expect(drawn(element, 'label').map(({ textContent }) => textContent)).to.deep.equal([
      'Sign in with a wallet',
    ]);
    expect(drawn(element, 'icon').map(({ localName }) => localName)).to.deep.equal(['i']);
    element.innerHTML = '';
    await settle(element);
    expect(drawn(element, 'icon').map(({ localName }) => localName)).to.deep.equal(['svg']);
  });
});
