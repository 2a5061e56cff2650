/** The theme editor's CSS: what it says, and that nobody gets colours from it that cannot be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, DEFAULT, PRESETS, themeCss, tooFaint } from '../../demo/page/theme-css.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** By name: the light and the dark colour. */
function colorsOf(css: string): Map<string, [string, string]> {
  const lines = css.matchAll(/--cb-color-([\w-]+): light-dark\((#\w+), (#\w+)\);/g);
  return new Map([...lines].map(([, name, light, dark]) => [name!, [light!, dark!]]));
}

test('the defaults need no CSS, and what is changed is all that is written', () => {
  assert.equal(themeCss(DEFAULT), '');
  assert.equal(
    themeCss({ ...DEFAULT, radius: 6, fontSize: 17 }),
    ':root {\n  --cb-radius: 6px;\n  --cb-font-size: 17px;\n}',
  );
  const forest = colorsOf(themeCss(PRESETS['Forest']!));
  assert.deepEqual([...forest.keys()], ['accent', 'on-accent', 'accent-text']);
  assert.match(
    themeCss({ ...DEFAULT, parts: ['Wide buttons'] }),
    /^:is\(link-wallets, .*\)::part\(button\) \{\n {2}inline-size: 100%;\n\}$/,
  );
});

test('whatever accent is chosen, the button on it and links in it can be read', () => {
  fc.assert(
    fc.property(color, color, (light, dark) => {
      const theme = {
        ...DEFAULT,
        light: { ...DEFAULT.light, accent: light },
        dark: { ...DEFAULT.dark, accent: dark },
      };
      const written = colorsOf(themeCss(theme));
      if (written.size === 0) return;
      for (const [at, { surface }] of [theme.light, theme.dark].entries()) {
        assert.ok(contrast(written.get('on-accent')![at]!, written.get('accent')![at]!) >= 4.5);
        assert.ok(contrast(written.get('accent-text')![at]!, surface) >= 4.5);
      }
    }),
  );
});

test('whatever surface and text are chosen, all derived text can be read where the text itself can', () => {
  fc.assert(
    fc.property(color, color, (surface, text) => {
      const theme = { ...DEFAULT, light: { ...DEFAULT.light, surface, text } };
      const written = colorsOf(themeCss(theme));
      if (contrast(text, surface) < 4.5) assert.ok(tooFaint(theme.light)! < 4.5);
      else assert.equal(tooFaint(theme.light), undefined);
      // An inset lies between the two, and takes some of the contrast.
      if (contrast(text, surface) < 7) return;
      for (const name of ['text-2', 'text-3'])
        assert.ok(contrast(written.get(name)![0], surface) >= 4.5, `${name}: ${written.get(name)![0]}`);
      assert.ok(contrast(written.get('border-strong')![0], surface) >= 3);
    }),
  );
});

test('the looks to start from can be read', () => {
  for (const [name, { light, dark }] of Object.entries(PRESETS))
    for (const { text, surface } of [light, dark]) assert.ok(contrast(text, surface) >= 7, name);
});
