import { createConnect, type Wallet } from 'carabiner';
import 'carabiner/elements';

// One for all pages: with <ClientRouter>, the document stays while its contents change.
const connect = createConnect({ frame: import.meta.env.PUBLIC_FRAME ?? 'https://connect.example' });
let wallet: Wallet | undefined;

function provide(): void {
  for (const element of document.querySelectorAll('link-wallets, transfer-dialog, sign-request'))
    Object.assign(element, { connect, walletId: wallet?.id ?? '' });
}

function log(text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  document.querySelector('#log')!.append(line);
}

// Answers bubble, and an element that is gone fires them at `document`.
document.addEventListener('connect-result', (event) => {
  if (event.target === document) event.preventDefault();
  if (event.action === 'linkWallets') {
    wallet = event.result[0];
    provide();
  }
  log(event.target === document ? `${event.action} from another page` : event.action);
});
document.addEventListener('connect-error', ({ action, error }) => log(`${action} ${error.code}`));
document.addEventListener('astro:page-load', provide);
