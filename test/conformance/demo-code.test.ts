/** The playground's code for frameworks. That each framework takes it, `test/long/frameworks.test.ts` tells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/command.ts';
import { type Attribute, frameworkCode, FRAMEWORKS } from '../../demo/page/framework-code.ts';

const frame = 'https://connect.example';
const attribute = (name: string, property: string, value: string): Attribute => ({ name, property, value });

test('code has the attributes that are set, by the names and in the form of each framework', () => {
  const shown = {
    frame,
    tag: 'sign-request',
    attributes: [attribute('wallet-id', 'walletId', 'w'), attribute('prefix', 'messagePrefix', 'false')],
  };
  const [html, react, next, vue, nuxt, svelte, kit, angular, solid] = FRAMEWORKS.map((framework) =>
    frameworkCode(framework, shown),
  );
  for (const code of [html, vue, nuxt, svelte, kit, angular, solid]) {
    assert.match(code!, /<sign-request\n\s+wallet-id="w"\n\s+prefix="false"\n/);
    assert.match(code!, /connect-result/);
  }
  for (const code of [react, next])
    assert.match(code!, /<SignRequest\n\s+walletId="w"\n\s+messagePrefix=\{false\}\n\s+onConnectResult=/);
  assert.match(next!, /^'use client';\n/);
});

test('a value that a framework would take for code is written so that it does not', () => {
  const data = '{"a":{{`$`}} & <\\>}';
  const code = (framework: (typeof FRAMEWORKS)[number]): string =>
    frameworkCode(framework, {
      frame,
      tag: 'sign-request',
      attributes: [attribute('data', 'data', data)],
    });
  const literal = `data={${JSON.stringify(data)}}`;
  for (const framework of ['React', 'Next.js', 'Svelte', 'SvelteKit', 'Solid'] as const)
    assert.ok(code(framework).includes(literal), framework);
  for (const framework of ['HTML', 'Vue', 'Nuxt'] as const)
    assert.ok(code(framework).includes('data="{&quot;a&quot;:{{`$`}} &amp; &lt;\\>}"'), framework);
  assert.ok(
    code('Angular').includes('data="&#123;&quot;a&quot;:&#123;&#123;\\`\\$\\`}} &amp; &lt;\\\\>}"'),
    code('Angular'),
  );
});

test('chains are a list in React, and text elsewhere', () => {
  const shown = {
    frame,
    tag: 'link-wallets',
    attributes: [attribute('secret-types', 'secretTypes', 'ETHEREUM bitcoin')],
  };
  assert.ok(frameworkCode('React', shown).includes("secretTypes={['ETHEREUM', 'BITCOIN']}"));
  assert.ok(frameworkCode('Vue', shown).includes('secret-types="ETHEREUM bitcoin"'));
});

test('the start page and its picture in the docs have the sizes that were measured', () => {
  const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const measured = [...text('docs/sizes.md').matchAll(/^\| \S+ [^|]*\| +\d+ \| +([\d.]+) \|/gm)].map(
    ([, kib]) => kib!,
  );
  assert.equal(measured.length, 7);
  const page = text('demo/page/index.html');
  assert.deepEqual(
    [...page.matchAll(/data-kib="([\d.]+)"/g)].map(([, kib]) => kib!),
    measured,
  );
  assert.deepEqual(
    [...page.matchAll(/<dd>([\d.]+) KiB/g)].map(([, kib]) => kib!),
    measured,
  );
  assert.ok(page.includes(`<b>${measured[0]} KiB</b>`));
  assert.deepEqual(
    [...text('docs/images/sizes.svg').matchAll(/class="kib"[^>]*>([\d.]+)</g)].map(([, kib]) => kib!),
    measured,
  );
});
