import { after, before, test } from 'node:test';
import { openWorld, type World } from './harness.ts';
let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());
for (let i = 0; i < 6; i++)
  test('x' + i, { timeout: 60000 }, async () => {
    const visitor = await world.visit('iframe');
    const wallet = await visitor.createWallet();
    const view = await visitor.ask((connect, params) => connect.sign(params), {
      type: 'ETHEREUM_RAW',
      walletId: wallet.id,
      data: '0x48656c6c6f',
    });
    const f = await view.frame();
    await f.evaluate(() =>
      document.addEventListener(
        'keydown',
        (e) => setTimeout(() => ((window as any).keys ??= []).push(e.key + e.defaultPrevented)),
        true,
      ),
    );
    await visitor.page.evaluate(() =>
      document.addEventListener('keydown', (e) => ((window as any).keys ??= []).push(e.key), true),
    );
    await view.heading('Approve signature').waitFor();
    await visitor.page.keyboard.press('Escape');
    const answer = await Promise.race([
      visitor.answer(),
      new Promise((r) => setTimeout(() => r('no answer'), 3000)),
    ]);
    console.log(
      JSON.stringify(answer),
      'frame keys',
      answer === 'no answer' && (await f.evaluate(() => (window as any).keys).catch(String)),
      'host keys',
      await visitor.page.evaluate(() => (window as any).keys),
    );
    await visitor.close();
  });
