import { expect } from '@open-wc/testing';
import { all, control, maybe, settle, text } from './page.ts';
import { enter, panel, press } from './swap-page.ts';

describe('swap-panel', () => {
  it('shows the rates of what is entered, the best first and chosen', async () => {
    const { element } = await panel();
    await enter(element, 'Sell', '0.5');
    console.log(text(element));
    console.log(all(element, 'input,button').map((e) => e.getAttribute('aria-label') ?? e.textContent?.trim()).join(' | '));
    expect((control(element, 'Buy') as HTMLInputElement).value).to.equal('997');
    await press(element, 'Review');
    console.log(text(element));
    expect(!!maybe(element, 'Swap')).to.equal(true);
    await settle(element);
  });
});
