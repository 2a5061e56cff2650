/** Browsers inside other apps: what happens in each of the best known, with windows and with windows blocked. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APPS } from './agents.ts';
import { openWorld, type World } from './harness.ts';

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
