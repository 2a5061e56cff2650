/** Every view that asks for a PIN by itself shows field, keys and button at once, whatever it says above them. */
import { expect } from '@open-wc/testing';
import { EnterCodeView } from '../../../../src/frame/service/enter-code-view.ts';
import { ChoosePinView } from '../../../../src/frame/set-up/choose-pin-view.ts';
import { ChangePinView } from '../../../../src/frame/settings/change-pin-view.ts';
import { ShowWordsView } from '../../../../src/frame/settings/show-words-view.ts';
import type { FrameView } from '../../../../src/frame/ui/view.ts';
import { EnterPinView } from '../../../../src/frame/unlock/enter-pin-view.ts';
import { deepAll, named, show, type } from '../scene.ts';

const WRONG = 'Wrong PIN. 3 attempts left.';
const NOTE = 'The passkeys of this device cannot open a wallet. A PIN can.';

const VIEWS: Record<string, { view: () => FrameView; digits?: string }> = {
  'a PIN for something': {
    view: () => Object.assign(new EnterPinView(), { text: 'To show your 12 words.' }),
  },
  'a wrong PIN': {
    view: () =>
      Object.assign(new EnterPinView(), {
        text: 'To ask the wallet service what became of a payment that you approved. It is never sent twice.',
        error: WRONG,
      }),
  },
  'a PIN before the words': { view: () => new ShowWordsView() },
  'a wrong PIN before the words': { view: () => Object.assign(new ShowWordsView(), { error: WRONG }) },
  'a first PIN': { view: () => Object.assign(new ChoosePinView(), { progressOf: 3, note: NOTE }) },
  'a PIN that is easy to guess': {
    view: () => Object.assign(new ChoosePinView(), { progressOf: 3 }),
    digits: '1234',
  },
  'the current PIN': { view: () => new ChangePinView() },
};

/** A dialog, a phone, the sheet of a small phone, and 200 % zoom: of a 1280 × 900 window, and of the dialog in one of 1280 × 800. */
const SIZES = [
  [400, 640],
  [360, 640],
  [320, 544],
  [640, 450],
  [622, 382],
] as const;

function isWithin(element: Element, box: DOMRect): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 4 && top >= box.top - 1 && bottom <= box.bottom + 1;
}

for (const [name, { view: make, digits }] of Object.entries(VIEWS))
  for (const [width, height] of SIZES)
    it(`${name}: field, keys and button are on screen, at ${width} × ${height}`, async () => {
      const { view, settle } = await show(make(), 'light', width, height);
      if (digits) type(named<HTMLInputElement>(view, 'PIN'), digits);
      await settle();
      const body = view.shadowRoot!.querySelector('.body')!;
      const keys = deepAll(view, '[aria-label="PIN pad"] button');
      expect(keys).to.have.length(12);
      for (const key of keys)
        expect(isWithin(key, body.getBoundingClientRect()), key.textContent!).to.equal(true);
      expect(isWithin(deepAll(view, '.dots')[0]!, body.getBoundingClientRect()), 'the dots').to.equal(true);
      expect(body.scrollHeight, 'nothing to scroll').to.be.at.most(body.clientHeight);
    });

it('asks for code and PIN with keys that are no smaller than a finger needs', async () => {
  const { view } = await show(
    Object.assign(new EnterCodeView(), { use: 'device' as const }),
    'light',
    360,
    640,
  );
  for (const key of deepAll(view, '[aria-label="PIN pad"] button'))
    expect(key.getBoundingClientRect().height).to.be.at.least(44);
});
