// Its answers reach us wherever the element is meanwhile: they bubble, and an element that is gone fires them at `document`.
document.addEventListener('connect-result', (event) => {
  const { action, result } = event;
  if (event.target === document) event.preventDefault();
  if (action === 'linkWallets') use(result[0]);
  log(event.target === document ? `${action} from another page` : action);
});
document.addEventListener('connect-error', ({ action, error }) => log(`${action} ${error.code}`));

let wallet;

function use(linked) {
  wallet = linked;
  for (const element of document.querySelectorAll('transfer-dialog, sign-request'))
    element.walletId = wallet?.id ?? '';
}

function log(text) {
  const line = document.createElement('li');
  line.textContent = text;
  document.querySelector('#log').append(line);
}

function route() {
  const name = location.hash === '#/about' ? 'about' : 'pay';
  const page = document.querySelector(`#${name}`).content.cloneNode(true);
  document.querySelector('main').replaceChildren(page);
  use(wallet);
}

addEventListener('hashchange', route);
route();
