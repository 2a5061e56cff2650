/**
 * Browsers inside other apps, as those of Telegram or Instagram. The app can read and change all that happens on their pages, so that no key
 * belongs there.
 */

/** What `inAppBrowser` looks at. */
export interface Place {
  navigator: Pick<Navigator, 'userAgent'>;
  /** Bridges that apps put into their pages. */
  TelegramWebviewProxy?: unknown;
  ReactNativeWebView?: unknown;
}

/** By their own part of the user agent. */
const APPS: readonly (readonly [name: string, agent: RegExp])[] = [
  ['Telegram', /\bTelegram/],
  ['Instagram', /\bInstagram /],
  ['Facebook', /\bFB(?:AN|AV|_IAB)\b/],
  ['TikTok', /\b(?:musical_ly|BytedanceWebview|trill_|TikTok)/],
  ['X', /\bTwitter(?:Android| for )/],
  ['Snapchat', /\bSnapchat\//],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['Pinterest', /\[Pinterest\//],
  ['WeChat', /\bMicroMessenger\//],
  ['LINE', /\bLine\//],
];

/** Browsers that use the system's view: on iPhones all of them must. */
const BROWSERS =
  /\b(?:CriOS|FxiOS|EdgiOS|EdgA|OPT|OPiOS|DuckDuckGo|Ddg|YaBrowser|Focus|Klar|Brave|SamsungBrowser|GSA)\b/;

/**
 * The name of the app, `''` for one that does not say it, undefined in a browser. First by what the app does to the page, then by its name,
 * then by what a view without a browser around it lacks.
 *
 * @example inAppBrowser() // 'Telegram'
 */
export function inAppBrowser(place: Place = globalThis as unknown as Place): string | undefined {
  const { userAgent } = place.navigator;
  if (place.TelegramWebviewProxy) return 'Telegram';
  const app = APPS.find(([, agent]) => agent.test(userAgent));
  if (app) return app[0];
  if (place.ReactNativeWebView) return '';
  if (BROWSERS.test(userAgent)) return undefined;
  const isView =
    // Android names its view; Apple's lacks the name of Safari.
    /; wv\)/.test(userAgent) ||
    (/\((?:iPhone|iPad|iPod|Macintosh)\b.*AppleWebKit\//.test(userAgent) &&
      !/\b(?:Safari|Chrome)\//.test(userAgent));
  return isView ? '' : undefined;
}
