import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { brandProperties, contrast, inkOn } from '../../../src/pay/colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const HEX = /#[0-9a-f]{6}/gi;

/** Hue in degrees and chroma of OKLCH. */
function oklch(hex: string): { hue: number; chroma: number } {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { hue: (Math.atan2(y, x) * 180) / Math.PI, chroma: Math.hypot(x, y) };
}

function apart(one: number, other: number): number {
  const difference = Math.abs(one - other) % 360;
  return Math.min(difference, 360 - difference);
}

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

  for (const secondaryColor of ['#1e4d3a', '#7a1f1f', '#1d3f91', '#5b2a86', '#8a4b00', '#0b5563'])
    it(`keep their hue in dark, and are no grey: ${secondaryColor}`, () => {
      const made = brandProperties({ primaryColor: secondaryColor, secondaryColor, icon: null });
      const brand = oklch(secondaryColor);
      for (const name of ['--cb-color-accent', '--pay-side']) {
        const dark = oklch((made[name]!.match(HEX) as string[])[1]!);
        expect(apart(dark.hue, brand.hue), `${name} ${made[name]}`).to.be.below(25);
        expect(dark.chroma, `${name} ${made[name]}`).to.be.above(brand.chroma * 0.5);
      }
    });

  it('keep a pale brand on the side in dark, with text that is legible on any', () => {
    const beige = oklch('#efe8da');
    const [, side] = brandProperties({ primaryColor: '#efe8da', secondaryColor: '#1e4d3a', icon: null })[
      '--pay-side'
    ]!.match(HEX) as [string, string];
    expect(apart(oklch(side).hue, beige.hue)).to.be.below(15);
    expect(oklch(side).chroma).to.be.at.least(beige.chroma);
    fc.assert(
      fc.property(color, (primaryColor) => {
        const made = brandProperties({ primaryColor, secondaryColor: '#1e4d3a', icon: null });
        return contrast((made['--pay-side']!.match(HEX) as string[])[1]!, '#eef1f5') >= 4.5;
      }),
    );
  });

  it('are on the page where the interface says: the primary on the side, the secondary on the button', () => {
    const made = brandProperties({ primaryColor: '#efe8da', secondaryColor: '#1e4d3a', icon: null });
    expect(made['--pay-side']).to.contain('light-dark(#efe8da,');
    expect(made['--cb-color-accent']).to.contain('light-dark(#1e4d3a,');
  });
});
