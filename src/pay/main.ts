/** The payment page, `/pay/{page}`, and the receipt there, `/pay/{page}?receipt`. */
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
  if (query.has('receipt')) {
    const { receiptPage } = await import('./receipt.ts');
    document.body.append(receiptPage(url, id));
  } else {
    const checkout = new CheckoutPage();
    checkout.calls = payCalls(url, id);
    document.body.append(checkout);
  }
}

void start();
