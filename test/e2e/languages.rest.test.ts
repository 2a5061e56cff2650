/** A whole transfer in a language that is written from right to left, and a page that asks for one that its visitor does not read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { axe, evaluateIn, openWorld, PIN, type World } from './harness.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

test('a page in Arabic has elements in Arabic, but a wallet in the language of a browser without it', async () => {
  const visitor = await world.visit('iframe');
  await visitor.wealthyWallet();
  await visitor.evaluate(() => void (document.documentElement.lang = 'ar'));
  const view = await visitor.opening(() => visitor.button('إدارة المحافظ').click());
  await view.button('Close').waitFor();
  assert.equal(await evaluateIn(await view.frame())(() => document.documentElement.lang), 'en');
  await visitor.close();
});

test('a page in Arabic is served in Arabic where the browser has it: its elements, the wallet, and its amounts from left to right', async () => {
  const visitor = await world.visit('iframe', '/', {
    viewport: { width: 360, height: 740 },
    reducedMotion: 'reduce',
  });
  const { page } = visitor;
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['en-US', 'ar-EG'] });
  });
  await visitor.wealthyWallet();
  await visitor.evaluate(() => {
    document.documentElement.lang = 'ar-EG';
    document.documentElement.dir = 'rtl';
  });
  const found: string[] = [];
  const look = async (name: string, where: Frame | Page): Promise<void> => {
    for (const violation of await axe(where)) found.push(`${name}: ${violation}`);
    const [needed, width, lang, dir] = await evaluateIn(where)(() => {
      const { scrollWidth, lang, dir } = document.documentElement;
      return [scrollWidth, innerWidth, lang, dir] as const;
    });
    if (needed > width) found.push(`${name}: needs ${needed} px of ${width}`);
    if (!lang.startsWith('ar') || dir !== 'rtl') found.push(`${name}: is in ${lang}, ${dir}`);
  };
  await visitor.button('إدارة المحافظ').waitFor();
  await look('elements', page);

  const view = await visitor.opening(() => visitor.button('إدارة المحافظ').click());
  await view
    .button(/^المزيد/)
    .first()
    .waitFor();
  await look('manage', await view.frame());
  await view.button('إغلاق').click();
  await view.gone();

  await visitor.button('إرسال').click();
  await page.getByRole('textbox', { name: 'المستلم' }).fill(TO);
  await page.getByRole('textbox', { name: 'المبلغ' }).fill('0.25');
  await look('form', page);
  const approval = await visitor.opening(() => visitor.button('متابعة').click());
  const frame = await approval.frame();
  const heading = frame.getByRole('heading', { level: 1 });
  await heading.filter({ hasText: '0.25' }).waitFor();
  assert.match((await heading.textContent()) ?? '', /إرسال/);
  assert.equal(await heading.locator('bdi').evaluate((amount) => getComputedStyle(amount).direction), 'ltr');
  await look('approval', frame);
  await approval.type('رمز PIN', PIN);
  await approval.consent('موافقة');
  await frame.getByText('تم الإرسال').first().waitFor();
  await look('sent', frame);
  assert.deepEqual(found, []);
  await visitor.close();
});
