import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { brandProperties, contrast, inkOn } from '../../../src/pay/colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const HEX = /#[0-9a-f]{6}/gi;

describe("a shop's colors", () => {
  it('are measured as in WCAG', () => {
    expect(contrast('#ffffff', '#000000')).to.equal(21);
    expect(contrast('#777777', '#ffffff')).to.be.closeTo(4.48, 0.005);
  });

  it('carry readable text, whichever they are', () => {
    fc.assert(
      fc.property(color, (any) => contrast(inkOn(any), any) >= 4.5),
      {
        examples: [['#808080'], ['#767676'], ['#ffffff'], ['#000000']],
      },
    );
  });

  it('give a readable button and link, in light and dark', () => {
    fc.assert(
      fc.property(color, color, (primaryColor, secondaryColor) => {
        const made = brandProperties({ primaryColor, secondaryColor, icon: null });
        const pair = (name: string) => made[name]!.match(HEX) as [string, string];
        const [button, ink, link] = [
          pair('--cb-color-accent'),
          pair('--cb-color-on-accent'),
          pair('--cb-color-accent-text'),
        ];
        return (
          button[0] === secondaryColor &&
          contrast(button[0], ink[0]) >= 4.5 &&
          contrast(button[1], ink[1]) >= 4.5 &&
          contrast(link[0], '#ffffff') >= 4.5 &&
          contrast(link[1], '#161a21') >= 4.5
        );
      }),
    );
  });

  it('are on the page where the interface says: the primary on the side, the secondary on the button', () => {
    const made = brandProperties({ primaryColor: '#efe8da', secondaryColor: '#1e4d3a', icon: null });
    expect(made['--pay-side']).to.contain('light-dark(#efe8da,');
    expect(made['--cb-color-accent']).to.contain('light-dark(#1e4d3a,');
  });
});
