import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { PinEntry } from '../../../../src/frame/ui/pin-entry.ts';
import { PinField } from '../../../../src/frame/ui/pin-field.ts';
import { PinRow } from '../../../../src/frame/ui/pin-row.ts';
import { ChangePinView } from '../../../../src/frame/settings/change-pin-view.ts';
import { ChoosePinView } from '../../../../src/frame/set-up/choose-pin-view.ts';
import { EnterPinView } from '../../../../src/frame/unlock/enter-pin-view.ts';
import { pinWeakness } from '../../../../src/api/weak-pin.ts';
import { deep, deepAll, focused, named, reasonOf, show, type, visible } from '../scene.ts';

async function field(): Promise<{ pin: PinField; input: HTMLInputElement }> {
  const pin = await fixture<PinField>(html`<cbf-pin-field></cbf-pin-field>`);
  return { pin, input: deep<HTMLInputElement>(pin.shadowRoot as ShadowRoot, 'input') };
}

describe('the PIN field', () => {
  it('keeps the dots of a PIN that is being used, and no digit, until it is cleared', async () => {
    const { pin, input } = await field();
    pin.focus();
    await pin.updateComplete;
    await sendKeys({ type: '7391' });
    expect(pin.take()).to.equal('7391');
    await pin.updateComplete;
    const dots = (): number => deepAll(pin.shadowRoot as ShadowRoot, '.on').length;
    expect([pin.value, pin.complete, dots()]).to.deep.equal(['', false, 4]);
    pin.clear();
    await pin.updateComplete;
    expect([input.value, dots()]).to.deep.equal(['', 0]);
  });

  it('takes four to six digits from the keyboard and nothing else', async () => {
    const { pin } = await field();
    pin.focus();
    await pin.updateComplete;
    await sendKeys({ type: '7a3-9' });
    expect(pin.value).to.equal('739');
    expect(pin.complete).to.equal(false);
    await sendKeys({ type: '15286' });
    expect(pin.value).to.equal('739152');
    expect(pin.complete).to.equal(true);
    await sendKeys({ press: 'Backspace' });
    expect(pin.value).to.equal('73915');
  });

  it('takes a PIN that is pasted or filled in, and digits of other keyboards', async () => {
    const { pin, input } = await field();
    type(input, '7391');
    expect(pin.value).to.equal('7391');
    type(input, '٧٣٩١');
    expect(pin.value).to.equal('7391');
    type(input, '۷۳۹۱');
    expect(pin.value).to.equal('7391');
    type(input, '７３９１');
    expect(pin.value).to.equal('7391');
    type(input, '');
    expect(pin.value).to.equal('');
  });

  it('never has the digits in the DOM, in an event or in the form state', async () => {
    const { pin, input } = await field();
    const events: Event[] = [];
    for (const name of ['cbf-pin-input', 'cbf-pin-enter'])
      pin.addEventListener(name, (event) => events.push(event));
    pin.focus();
    await pin.updateComplete;
    await sendKeys({ type: '739152' });
    await sendKeys({ press: 'Enter' });
    await pin.updateComplete;
    expect(visible(pin)).not.to.match(/[2-9]{2}|739|152/);
    expect(input.value).to.equal('••••••');
    // Lit's markers contain a random number, which may have any digits.
    const drawn = pin.outerHTML + (pin.shadowRoot?.innerHTML ?? '');
    expect(drawn.replace(/lit\$\d+\$/g, '')).not.to.contain('739');
    expect(events.map((event) => (event as CustomEvent).detail)).to.deep.equal([
      ...[1, 2, 3, 4, 5, 6].map((length) => ({ length })),
      null,
    ]);
  });

  it('is a text field with the number keyboard, so that no browser offers to save it', async () => {
    const { input } = await field();
    expect(input.type).to.equal('text');
    expect(input.inputMode).to.equal('numeric');
    expect(input.autocomplete).to.equal('off');
    expect(input.getAttribute('aria-label')).to.equal('PIN');
  });

  it('announces that the PIN is long enough, and that there is no room for more, not each key', async () => {
    const { pin, input } = await field();
    const said: string[] = [];
    for (const digits of ['7', '73', '739', '7391', '73915', '739154']) {
      type(input, digits);
      await pin.updateComplete;
      said.push(pin.shadowRoot!.querySelector('[role=status]')!.textContent!.trim());
    }
    expect(said).to.deep.equal(['', '', '', '4 digits entered', '', '6 digits entered']);
  });

  it('continues by Enter from four digits', async () => {
    const { pin } = await field();
    let entered = 0;
    pin.addEventListener('cbf-pin-enter', () => entered++);
    pin.focus();
    await pin.updateComplete;
    await sendKeys({ type: '739' });
    await sendKeys({ press: 'Enter' });
    expect(entered).to.equal(0);
    await sendKeys({ type: '1' });
    await sendKeys({ press: 'Enter' });
    expect(entered).to.equal(1);
  });

  for (const [where, make] of [
    ['an approval', () => new PinRow()],
    ['a view of its own', () => new PinEntry()],
  ] as const)
    it(`of ${where} clears itself and says so when the page takes the focus while digits are typed`, async () => {
      const element = make();
      await fixture(html`${element}`);
      const input = named<HTMLInputElement>(element, 'PIN');
      const lengths: number[] = [];
      element.addEventListener('cbf-pin-input', ({ detail }) => lengths.push(detail.length));
      const leave = async (): Promise<void> => {
        dispatchEvent(new Event('blur'));
        await element.updateComplete;
      };
      const said = (): string | undefined =>
        element.shadowRoot!.querySelector('[role=alert]')?.textContent?.trim();
      input.focus();
      await leave();
      expect(said(), 'nothing was typed').to.equal(undefined);
      type(input, '739');
      await leave();
      expect([element.value, input.value]).to.deep.equal(['', '']);
      expect(lengths).to.deep.equal([3, 0]);
      expect(said()).to.equal(
        'The focus left this window, so the PIN you typed was cleared. Enter it again.',
      );
      type(input, '7391');
      await element.updateComplete;
      expect(said()).to.equal(undefined);
      // With the focus elsewhere in the wallet, no digit can have gone astray.
      (await fixture<HTMLElement>(html`<button>Approve</button>`)).focus();
      await leave();
      expect(element.value).to.equal('7391');
    });

  it('clears the PIN when it leaves the page', async () => {
    const { pin, input } = await field();
    type(input, '7391');
    pin.remove();
    expect(pin.value).to.equal('');
    expect(input.value).to.equal('');
  });

  it('starts over after an error', async () => {
    const { pin, input } = await field();
    type(input, '7391');
    pin.invalid = true;
    await pin.updateComplete;
    type(input, '••••5');
    expect(pin.value).to.equal('5');
  });
});

describe('the PIN row of an approval', () => {
  async function row(properties: Partial<PinRow> = {}): Promise<PinRow> {
    const element = Object.assign(new PinRow(), properties);
    await fixture(html`${element}`);
    return element;
  }

  it('shows the pad on request, and its keys type without taking focus or a place in the tab order', async () => {
    const element = await row();
    const toggled = oneEvent(element, 'cbf-pad');
    named(element, 'Show PIN pad').click();
    expect((await toggled).detail).to.deep.equal({ open: true });
    await element.updateComplete;
    await element.updateComplete;
    const pad = deep(element.shadowRoot as ShadowRoot, 'cbf-pin-pad');
    const group = deep(pad.shadowRoot as ShadowRoot, '[role=group]');
    expect(group.getAttribute('aria-label')).to.equal('PIN pad');
    const keys = deepAll<HTMLButtonElement>(pad.shadowRoot as ShadowRoot, 'button');
    expect(keys.map((key) => key.getAttribute('aria-label'))).to.deep.equal([
      ...'123456789',
      'Clear PIN',
      '0',
      'Delete digit',
    ]);
    expect(keys.every((key) => key.tabIndex === -1)).to.equal(true);
    for (const digit of '7391') named(pad as HTMLElement, digit).click();
    expect(element.value).to.equal('7391');
    named(pad as HTMLElement, 'Delete digit').click();
    expect(element.value).to.equal('739');
    named(pad as HTMLElement, 'Clear PIN').click();
    expect(element.value).to.equal('');
    const press = new PointerEvent('pointerdown', { bubbles: true, cancelable: true });
    expect(keys[0]?.dispatchEvent(press)).to.equal(false);
    named(element, 'Hide PIN pad').click();
    await element.updateComplete;
    expect(element.shadowRoot?.querySelector('cbf-pin-pad')).to.equal(null);
  });

  it('empties the field at an error, keeps focus and reads the error', async () => {
    const element = await row();
    type(named(element, 'PIN'), '7391');
    element.error = 'Wrong PIN. 3 attempts left.';
    await element.updateComplete;
    await element.updateComplete;
    expect(element.value).to.equal('');
    expect(deep(element.shadowRoot as ShadowRoot, '[role=alert]').textContent?.trim()).to.equal(
      'Wrong PIN. 3 attempts left.',
    );
    await deep<PinField>(element.shadowRoot as ShadowRoot, 'cbf-pin-field').updateComplete;
    expect(focused()?.getAttribute('aria-label')).to.equal('PIN');
    expect(focused()?.getAttribute('aria-invalid')).to.equal('true');
  });

  it('offers a passkey only if there is one', async () => {
    const element = await row();
    expect(() => named(element, 'Use passkey')).to.throw();
    element.passkey = true;
    await element.updateComplete;
    const used = oneEvent(element, 'cbf-passkey');
    named(element, 'Use passkey').click();
    await used;
  });

  it('takes no digits while it is disabled', async () => {
    const element = await row({ disabled: true, open: true });
    for (const key of deepAll<HTMLButtonElement>(element.shadowRoot as ShadowRoot, 'cbf-pin-pad button'))
      key.click();
    deep<PinField>(element.shadowRoot as ShadowRoot, 'cbf-pin-field').press('7');
    expect(element.value).to.equal('');
    expect(named<HTMLInputElement>(element, 'PIN').readOnly).to.equal(true);
  });
});

describe('choosing a PIN', () => {
  it('works by keyboard alone: choose, Enter, type again, Enter', async () => {
    const { view, settle, events, said } = await show(new ChoosePinView());
    expect(focused()?.getAttribute('aria-label')).to.equal('PIN');
    expect(said).to.deep.equal(['Choose a PIN']);
    await sendKeys({ type: '7391' });
    await settle();
    await sendKeys({ press: 'Enter' });
    await settle();
    expect(focused()?.getAttribute('aria-label')).to.equal('Confirm PIN');
    expect(said.at(-1)).to.equal('Enter the PIN again');
    await sendKeys({ type: '7391' });
    await settle();
    expect(events).to.deep.equal([]);
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['pin']);
    expect(view.pin).to.equal('7391');
    expect(view.pin, 'reading it forgets it').to.equal('');
  });

  it('lets Continue be pressed from four digits on', async () => {
    const { view, settle } = await show(new ChoosePinView());
    type(named(view, 'PIN'), '739');
    await settle();
    expect(reasonOf(view, 'Continue')).to.equal('Enter 4 to 6 digits');
    type(named(view, 'PIN'), '7391');
    await settle();
    expect(reasonOf(view, 'Continue')).to.equal(null);
    expect(deep(view.shadowRoot as ShadowRoot, '.faint').textContent).to.equal(
      '4 digits entered. You can add up to 2 more.',
    );
  });

  it('moves neither its field nor a key of the pad while digits are entered, whatever is said of them', async () => {
    await import('../../../../src/frame/ui/pin-pad.ts');
    const { view, settle } = await show(new ChoosePinView());
    await settle();
    const place = (): number[] =>
      ['PIN', '1', '0'].map((name) => named(view, name).getBoundingClientRect().top);
    const before = place();
    for (const digits of ['7391', '1234', '1111', '739']) {
      type(named(view, 'PIN'), digits);
      await settle();
      expect(place(), digits).to.deep.equal(before);
    }
  });

  it('has its field below the text and the pad below the field, with the free space above Continue', async () => {
    await import('../../../../src/frame/ui/pin-pad.ts');
    const { view, settle } = await show(new ChoosePinView());
    await settle();
    const [text] = deepAll<HTMLElement>(view.shadowRoot as ShadowRoot, '.muted');
    const [field, pad] = ['cbf-pin-field', 'cbf-pin-pad'].map((tag) => deepAll<HTMLElement>(view, tag)[0]!);
    const gap = (above: HTMLElement, below: HTMLElement): number =>
      below.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
    expect(gap(text!, field!)).to.be.at.most(16);
    expect(gap(field!, pad!)).to.be.at.most(64);
  });

  it('says at once when the second PIN differs, and starts over with the next digit', async () => {
    const { view, settle, events } = await show(new ChoosePinView());
    type(named(view, 'PIN'), '7391');
    await settle();
    named(view, 'Continue').click();
    await settle();
    type(named(view, 'Confirm PIN'), '7392');
    await settle();
    named(view, 'Continue').click();
    await settle();
    expect(deep(view.shadowRoot as ShadowRoot, '[role=alert]').textContent?.trim()).to.equal(
      'The PINs do not match. Try again.',
    );
    expect(reasonOf(view, 'Continue')).to.equal('Enter the PIN again');
    named(view, 'Continue').click();
    expect(events).to.deep.equal([]);
    await sendKeys({ type: '7391' });
    await settle();
    named(view, 'Continue').click();
    expect(events).to.deep.equal(['pin']);
  });

  it('goes back to the first PIN before it leaves', async () => {
    const { view, settle, shell } = await show(new ChoosePinView());
    let left = 0;
    shell.addEventListener('cbf-back', () => left++);
    type(named(view, 'PIN'), '7391');
    await settle();
    named(view, 'Continue').click();
    await settle();
    await sendKeys({ press: 'Escape' });
    await settle();
    expect(left).to.equal(0);
    expect(named(view, 'PIN')).to.equal(focused());
    named(view, 'Back').click();
    expect(left).to.equal(1);
  });

  it('refuses a PIN that is easy to guess, without repeating it', async () => {
    const { view, settle, said } = await show(new ChoosePinView());
    type(named(view, 'PIN'), '1234');
    await settle();
    expect(reasonOf(view, 'Continue')).to.equal('Choose a less common PIN');
    named(view, 'Continue').click();
    await sendKeys({ press: 'Enter' });
    await settle();
    named(view, 'PIN');
    expect(visible(view)).to.contain('Easy to guess');
    expect(visible(view)).not.to.contain('1234');
    expect(said.join()).to.contain('Easy to guess').and.not.to.match(/\d/);
  });

  it('has the PIN in no text, attribute or announcement at any step', async () => {
    const { view, shell, settle, said } = await show(new ChoosePinView());
    type(named(view, 'PIN'), '739152');
    await settle();
    named(view, 'Continue').click();
    await settle();
    type(named(view, 'Confirm PIN'), '739152');
    await settle();
    named(view, 'Continue').click();
    await settle();
    expect(visible(shell)).not.to.match(/739|391|915|152/);
    expect(said.join()).not.to.match(/\d{2}/);
  });
});

describe('changing the PIN', () => {
  it('asks for the current one, then twice for the new one', async () => {
    const { view, settle, events, said } = await show(new ChangePinView());
    await sendKeys({ type: '2580' });
    await settle();
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['current']);
    expect(view.current).to.equal('2580');
    view.busy = true;
    await settle();
    const [wait] = deepAll(view, '.primary');
    expect(deepAll<HTMLElement>(view, '.drawn')[0]!.dataset['text']).to.equal('Checking PIN…');
    expect(wait!.getAttribute('aria-disabled')).to.equal('true');
    expect(said.at(-1)).to.equal('Checking PIN…');
    view.accept();
    await settle();
    for (const label of ['PIN', 'Confirm PIN']) {
      expect(focused()?.getAttribute('aria-label')).to.equal(label);
      await sendKeys({ type: '7391' });
      await settle();
      await sendKeys({ press: 'Enter' });
      await settle();
    }
    expect(events).to.deep.equal(['current', 'pin']);
    expect([view.current, view.pin]).to.deep.equal(['2580', '7391']);
  });

  it('shows why the current one was refused', async () => {
    const { view, settle, events } = await show(new ChangePinView());
    type(named(view, 'Current PIN'), '2580');
    await settle();
    named(view, 'Continue').focus();
    named(view, 'Continue').click();
    view.error = 'Wrong PIN. 4 attempts left.';
    await settle();
    expect(focused()?.getAttribute('aria-label')).to.equal('Current PIN');
    expect(deep(view.shadowRoot as ShadowRoot, '[role=alert]').textContent).to.contain(
      'Wrong PIN. 4 attempts left.',
    );
    type(named(view, 'Current PIN'), '2581');
    await settle();
    expect(deepAll(view.shadowRoot as ShadowRoot, '.err')).to.have.length(0);
    named(view, 'Continue').click();
    expect(events).to.deep.equal(['current', 'current']);
  });
});

describe('entering the PIN', () => {
  it('clears a wrong one and takes the next', async () => {
    const { view, settle, events } = await show(new EnterPinView());
    await sendKeys({ type: '7391' });
    await settle();
    await sendKeys({ press: 'Enter' });
    expect(view.pin).to.equal('7391');
    view.error = 'Wrong PIN. 4 attempts left.';
    await settle();
    expect(view.pin).to.equal('');
    await sendKeys({ type: '7392' });
    await settle();
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['pin', 'pin']);
  });

  it('does nothing twice while it is busy', async () => {
    const { view, settle, events } = await show(new EnterPinView());
    type(named(view, 'PIN'), '7391');
    await settle();
    view.busy = true;
    await settle();
    await sendKeys({ press: 'Enter' });
    named(view, 'Continue').click();
    expect(events).to.deep.equal([]);
    expect(focused()?.getAttribute('aria-label')).to.equal('PIN');
  });
});

describe('PINs that are easy to guess', () => {
  const weak = {
    repeated: ['0000', '11111', '777777', '1212', '123123', '454545'],
    sequence: ['1234', '0123', '6789', '7890', '4321', '98765', '123456', '654321', '3210'],
    year: ['1987', '2024', '1900'],
    common: ['2580', '0852', '1004', '13579', '159753', '112233', '0007'],
  };
  for (const [why, pins] of Object.entries(weak))
    it(`${why}: ${pins.join(', ')}`, () => {
      for (const pin of pins) expect(pinWeakness(pin), pin).to.equal(why);
    });

  it('others pass', () => {
    for (const pin of ['7391', '2846', '9051', '48205', '739152', '180724', '2150'])
      expect(pinWeakness(pin), pin).to.equal(undefined);
  });
});
