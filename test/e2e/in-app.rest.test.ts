/** Browsers inside other apps: what happens in each of the best known, with windows and with windows blocked. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWorld, type World } from './harness.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const APPS = {
  Telegram: `${ANDROID} Telegram-Android/11.4.2`,
  Instagram: `${IPHONE} Instagram 357.0.0.21.84 (iPhone15,2; iOS 18_1)`,
  Facebook: `${ANDROID} [FB_IAB/FB4A;FBAV/491.0.0.52.109;IABMV/1;]`,
  TikTok: `${IPHONE} musical_ly_37.5.0 BytedanceWebview/d8a21c6`,
  X: `${ANDROID} TwitterAndroid`,
};

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const [app, userAgent] of Object.entries(APPS))
  test(`${app}: no wallet is made, and the page’s address is there for a browser`, async () => {
    const visitor = await world.visit('popup', '/', { userAgent, hasTouch: true });
    const view = await visitor.ask((connect) => connect.manageWallets({ chain: 'ETHEREUM' }), {});
    await view.heading('Open in your browser').waitFor();
    await view.text(`${app} shows this page`).first().waitFor();
    await view.press('Close');
    await view.gone();
    const { error } = await visitor.answer();
    assert.equal(error?.code, 'frame.blocked');
    assert.equal(error?.details?.['reason'], 'in-app');

    await visitor.context.addInitScript(() => {
      window.open = () => null;
    });
    await visitor.reload();
    await visitor.button('Manage wallets').click();
    await visitor.page.getByText('Open this page in your browser').waitFor();
    await visitor.page.getByText(`${app} can read everything on this page`).waitFor();
    await visitor.button('Copy address').click();
    await visitor.button('Address copied').waitFor();
    await visitor.close();
  });
