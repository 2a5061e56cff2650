/** The payment page of the provider `test`: `/pay/{page}`. */
import { payCalls } from './calls.ts';
import { speakTo } from './language.ts';
import { CheckoutPage } from './checkout-page.ts';
import { adoptStyles } from './styles.ts';

adoptStyles();
// The page is below the service's base URL, wherever that is.
const [, base = '', page = ''] = /^(.*)\/pay\/([^/]+)$/.exec(location.pathname) ?? [];
const checkout = new CheckoutPage();
checkout.calls = payCalls(location.origin + base, decodeURIComponent(page));
await speakTo(new URLSearchParams(location.search).get('locale') ?? '');
document.body.append(checkout);
