/** The payment page, `/pay/{page}`, and the receipt there, `/pay/{page}?receipt`. */
import { payCalls } from './calls.ts';
import { speakTo } from './language.ts';
import { CheckoutPage } from './checkout-page.ts';
import { adoptStyles } from './styles.ts';

adoptStyles();
// The page is below the service's base URL, wherever that is.
const [, base = '', page = ''] = /^(.*)\/pay\/([^/]+)$/.exec(location.pathname) ?? [];
const calls = payCalls(location.origin + base, decodeURIComponent(page));
const query = new URLSearchParams(location.search);
await speakTo(query.get('locale') ?? '');
const view = query.has('receipt') ? new (await import('./receipt.ts')).ReceiptPage() : new CheckoutPage();
document.body.append(Object.assign(view, { calls }));
