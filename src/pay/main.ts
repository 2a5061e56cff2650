/** The payment page, `/pay/{page}`, the receipt there, `/pay/{page}?receipt`, and the page of links for refunds, `/pay/refund`. */
import { payCalls } from './calls.ts';
import { speakTo } from './language.ts';
import { CheckoutPage } from './checkout-page.ts';
import { adoptStyles } from './styles.ts';

adoptStyles();
// The page is below the service's base URL, wherever that is.
const [, base = '', page = ''] = /^(.*)\/pay\/([^/]+)$/.exec(location.pathname) ?? [];
const url = location.origin + base;
const id = decodeURIComponent(page);
const query = new URLSearchParams(location.search);

/**
 * No top-level `await`: the chunks loaded here import this file's bundle, so each would wait for the other. In WebKit, modules loaded
 * later would also run before their imports, leaving a dialog without styles.
 */
async function start(): Promise<void> {
  await speakTo(query.get('locale') ?? '');
  const view =
    id === 'refund'
      ? (await import('./refund.ts')).refundPage(url)
      : query.has('receipt')
        ? (await import('./receipt.ts')).receiptPage(url, id)
        : Object.assign(new CheckoutPage(), { calls: payCalls(url, id) });
  document.body.append(view);
}

void start();
