/** Requests and the wallet's own page in a browser inside another app. */
import { expect } from '@open-wc/testing';
import { OwnPage } from '../../../../src/frame/own/own-page.ts';
import { deepAll } from '../scene.ts';
import { NETWORKS, ORIGIN, settled, until, world } from '../world.ts';

const TELEGRAM =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36 Telegram-Android/11.4.2';

describe('inside another app', () => {
  beforeEach(() => {
    Object.defineProperty(navigator, 'userAgent', { value: TELEGRAM, configurable: true });
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5, configurable: true });
  });
  afterEach(() => {
    for (const name of ['userAgent', 'maxTouchPoints'] as const)
      delete (navigator as Partial<Record<typeof name, unknown>>)[name];
  });

  for (const [action, params] of [
    ['manageWallets', { chain: 'ETHEREUM' }],
    ['linkWallets', {}],
    ['sign', { type: 'ETHEREUM_RAW', walletId: 'of-nobody', data: '0x00' }],
  ] as const)
    it(`nothing is made, imported or unlocked: ${action}`, async () => {
      const w = await world({ wallets: 0 });
      const asked = w.ask(action, params);
      await w.title('Open in your browser');
      expect(w.text()).to.include('Telegram shows this page').and.include(ORIGIN);
      expect(deepAll(w.shell, 'input')).to.have.length(0);
      await w.press('Close');
      await settled(asked);
      expect(asked.error?.code).to.equal('frame.blocked');
      expect(asked.error?.details).to.deep.equal({ reason: 'in-app' });
      expect((await w.vault.state()).exists).to.equal(false);
    });

  it('the user goes on after a notice that names the app where the operator allows it, and is asked once', async () => {
    const w = await world({ wallets: 0, networks: { ...NETWORKS, inAppBrowsers: true } });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.title('Open in your browser');
    expect(w.text()).to.include('Telegram shows this page');
    await w.press('Go on here');
    await w.find('Create wallet');
    await w.press('Close');
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.find('Create wallet');
  });

  it('a wallet that was made there before is not lost', async () => {
    const w = await world();
    w.transfer();
    await w.title('Open in your browser');
    expect(w.text()).to.include('use its words, file or encrypted copy');
    await w.press('Go on here');
    await w.approval();
  });

  it('the wallet’s own page gives its address, and makes nothing', async () => {
    const w = await world({ wallets: 0, origin: location.origin });
    const page = new OwnPage(w.frame);
    let left = 0;
    page.leave = () => void left++;
    void page.run();
    await w.title('Open in your browser');
    expect(w.text()).to.include(location.href);
    await w.press('Close');
    await until(() => left === 1, 'the page to close');
    await w.title('Open in your browser');
  });
});
