import { aWallet, fakeWallet, rejected } from 'carabiner/testing';
import 'carabiner/elements';
import { afterEach, expect, test, vi } from 'vitest';

const main = aWallet({ id: 'main' });
const SHOP = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/** Without a wallet, the provider makes the real connect, which a test may draw but not open. */
function mount(html, wallet) {
  const provider = document.createElement('connect-provider');
  if (wallet) provider.connect = wallet.connect;
  else provider.setAttribute('frame', 'https://connect.example');
  provider.innerHTML = html;
  document.body.append(provider);
  return provider.firstElementChild;
}

const found = (element, selector, text = '') =>
  vi.waitFor(() => {
    const all = [...element.shadowRoot.querySelectorAll(selector)];
    const one = all.find((each) => each.textContent.includes(text));
    return one ?? expect.fail(`no ${selector} ${text} in ${element.shadowRoot.innerHTML}`);
  });

const next = (element, event) =>
  new Promise((resolve) => element.addEventListener(event, resolve, { once: true }));

afterEach(() => document.body.replaceChildren());

test('every element is drawn without a wallet', async () => {
  for (const tag of ['link-wallets', 'manage-wallets', 'transfer-dialog', 'sign-request', 'swap-panel'])
    await found(mount(`<${tag} chain="ETHEREUM"></${tag}>`), 'button');
});

test('a customer links, sends and signs', async () => {
  const wallet = fakeWallet();
  const link = mount('<link-wallets secret-types="ETHEREUM"></link-wallets>', wallet);
  const linked = next(link, 'connect-result');
  (await found(link, 'button', 'Connect wallet')).click();
  const [{ id }] = (await linked).result;

  const send = mount(
    `<transfer-dialog wallet-id="${id}" to="${SHOP}" value="1.5" secret-type="ETHEREUM"></transfer-dialog>`,
    wallet,
  );
  const sent = next(send, 'connect-result');
  (await found(send, 'button', 'Send')).click();
  expect((await sent).result.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);

  const sign = mount(
    `<sign-request type="ETHEREUM_RAW" wallet-id="${id}" data="0x48656c6c6f"></sign-request>`,
    wallet,
  );
  const signed = next(sign, 'connect-result');
  (await found(sign, 'button', 'Sign')).click();
  expect((await signed).result.result.signature).toMatch(/^0x/);
  const actions = wallet.requests.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['linkWallets', 'transfer', 'sign']));
});

test('a customer fills in the form, and rejects', async () => {
  const wallet = fakeWallet({ linked: [main], transfer: rejected() });
  const send = mount(
    `<transfer-dialog wallet-id="main" to="${SHOP}" secret-type="ETHEREUM"></transfer-dialog>`,
    wallet,
  );
  (await found(send, 'button', 'Send')).click();
  const amount = await found(send, 'dialog[open] input[inputmode=decimal]');
  amount.value = '0.5';
  amount.dispatchEvent(new Event('input', { bubbles: true }));
  const cancelled = next(send, 'connect-cancel');
  (await found(send, 'button', 'Continue')).click();
  await cancelled;
  const transfer = wallet.requests.find(({ action }) => action === 'transfer');
  expect(transfer.params).toMatchObject({ to: SHOP, value: '0.5' });
});

test('linked wallets are drawn', async () => {
  const wallet = fakeWallet({ linked: [main] });
  const link = mount('<link-wallets></link-wallets>', wallet);
  await vi.waitFor(() => expect(link.shadowRoot.textContent).toMatch('Ethereum wallet'));
  for (const html of ['<swap-panel></swap-panel>', '<manage-wallets chain="ETHEREUM"></manage-wallets>'])
    await found(mount(html, wallet), 'button');
});
