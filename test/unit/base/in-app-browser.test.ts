import { expect } from '@open-wc/testing';
import { inAppBrowser } from '../../../src/base/in-app-browser.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.81 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const IN_APPS: readonly (readonly [app: string, userAgent: string])[] = [
  [
    'Telegram',
    `${ANDROID.replace('; wv', '')} Telegram-Android/11.4.2 (Google Pixel 8; Android 15; SDK 35; HIGH)`,
  ],
  [
    'Instagram',
    `${IPHONE} Instagram 357.0.0.21.84 (iPhone15,2; iOS 18_1; en_US; scale=3.00; 1179x2556; 671551223)`,
  ],
  ['Facebook', `${ANDROID} [FB_IAB/FB4A;FBAV/491.0.0.52.109;IABMV/1;]`],
  ['Facebook', `${IPHONE} [FBAN/FBIOS;FBAV/490.0.0.39.106;FBBV/672204534;FBDV/iPhone15,2;FBMD/iPhone]`],
  ['TikTok', `${ANDROID} trill_370604 JsSdk/1.0 NetType/WIFI Channel/googleplay BytedanceWebview/d8a21c6`],
  ['TikTok', `${IPHONE} musical_ly_37.5.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en`],
  ['X', `${IPHONE.replace('Mobile', 'Version/18.1 Mobile')} Safari/604.1 Twitter for iPhone/10.68`],
  ['X', `${ANDROID} TwitterAndroid`],
  ['', ANDROID],
  ['', IPHONE],
  ['', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
];
const IN_BROWSERS: readonly string[] = [
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/133.0 Mobile/15E148 Safari/605.1.15',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
];

describe('a browser inside another app', () => {
  for (const [app, userAgent] of IN_APPS)
    it(`is ${app || 'one that does not say its name'}: …${userAgent.slice(-40)}`, () => {
      expect(inAppBrowser({ navigator: { userAgent } })).to.equal(app);
    });

  it('is known by what the app puts into the page, whatever it calls itself', () => {
    const navigator = { userAgent: IN_BROWSERS[3]! };
    expect(inAppBrowser({ navigator, TelegramWebviewProxy: {} })).to.equal('Telegram');
    expect(inAppBrowser({ navigator, ReactNativeWebView: {} })).to.equal('');
  });

  for (const userAgent of IN_BROWSERS)
    it(`is none in ${userAgent.slice(-60)}`, () => {
      expect(inAppBrowser({ navigator: { userAgent } })).to.equal(undefined);
    });
});
