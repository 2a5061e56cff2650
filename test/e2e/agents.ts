/** How browsers inside other apps call themselves, and views without an app's name. */
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

/** The user agent by the name that the wallet has for the app. */
export const APPS = {
  Telegram: `${ANDROID} Telegram-Android/11.4.2`,
  Instagram: `${IPHONE} Instagram 357.0.0.21.84 (iPhone15,2; iOS 18_1)`,
  Facebook: `${ANDROID} [FB_IAB/FB4A;FBAV/491.0.0.52.109;IABMV/1;]`,
  TikTok: `${IPHONE} musical_ly_37.5.0 BytedanceWebview/d8a21c6`,
  X: `${ANDROID} TwitterAndroid`,
};

/** With two that name no app: Android's WebView and Apple's WKWebView. */
export const AGENTS: Record<string, readonly [app: string | undefined, userAgent: string]> = {
  ...Object.fromEntries(Object.entries(APPS).map(([app, userAgent]) => [app, [app, userAgent] as const])),
  'WebView of Android': [undefined, ANDROID],
  WKWebView: [undefined, IPHONE],
};
