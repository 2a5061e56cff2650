/** Whatever a shop's colors, its payment page is readable. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandProperties, contrast, inkOn } from '../../src/pay/colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const SURFACES = ['#ffffff', '#161a21'];

/** Both colors of `light-dark(one, other)`, if they are plain colors. */
function both(value: string): string[] {
  return [...value.matchAll(/#[0-9a-f]{6}/gi)].map(([hex]) => hex);
}

test('contrast is computed as in WCAG 2', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#1f4d3a', '#1f4d3a'), 1);
});

test('text on any color has a contrast of at least 4.5:1', () => {
  fc.assert(fc.property(color, (ground) => contrast(inkOn(ground), ground) >= 4.5));
});

test('button and accent are readable in light and dark, whatever the shop chose', () => {
  fc.assert(
    fc.property(color, color, (primaryColor, secondaryColor) => {
      const page = brandProperties({ primaryColor, secondaryColor, icon: null });
      const [light, dark] = both(page['--cb-color-accent']!);
      const [onLight, onDark] = both(page['--cb-color-on-accent']!);
      assert.ok(contrast(light!, onLight!) >= 4.5);
      assert.ok(contrast(dark!, onDark!) >= 4.5);
      assert.ok(contrast(dark!, SURFACES[1]!) >= 4.5);
      for (const [n, text] of both(page['--cb-color-accent-text']!).entries())
        assert.ok(contrast(text, SURFACES[n]!) >= 4.5);
    }),
  );
});
