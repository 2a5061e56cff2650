/** The start page: every element live on the local Ethereum network, its code, and the theme editor. */
import type { Connect } from '../../src/actions/types.ts';
import { CARDS, CHAIN_NAMES, SECRET_TYPES } from '../../src/chains/secret-type.ts';
import { showCode } from './copy-button.ts';
import { h, icon } from './dom.ts';
import { embedCode } from './embed-code.ts';
import { guideLinks } from './guides.ts';
import { Loop } from './loop.ts';
import { module, wholePage } from './pasted-code.ts';
import { connectScript, getFromFaucet, loadSettings } from './settings.ts';
import { applyTheme, themeSwitch } from './theme.ts';
import { themeEditor } from './theme-editor.ts';

const CHAIN = 'ETHEREUM';
/** The contents of each tab of the wallet, if the network has them. */
const GIFTS = ['ETH', 'DUSD', 'NFT'];
const byId = (id: string): HTMLElement => document.getElementById(id)!;

document.getElementById('page-theme')!.append(themeSwitch());
byId('editor').append(themeEditor());
byId('chains').append(
  ...SECRET_TYPES.map((type) => h('li', {}, icon(CARDS[type].badge.path), CHAIN_NAMES[type])),
);
new Loop(document.querySelectorAll<HTMLElement>('.shot'), byId('loop-controls'));
drawSizes(byId('sizes'));
showCode(byId('script-code'), 'page', wholePage(connectScript()));
showCode(byId('npm-code'), 'command', 'npm install carabiner');
showCode(byId('module-code'), 'module', module(new URL(connectScript()).origin));
for (const box of document.querySelectorAll<HTMLElement>('[data-of]')) {
  const name = box.dataset['of']!;
  showCode(box, `code of ${byId(name).localName}`, tagOf(byId(name)));
}
applyTheme();
// Links from when the scenarios were on this page.
if (location.hash.startsWith('#/')) location.replace(`/qa${location.hash}`);

/** As wide as they are large: the largest fills its row. */
function drawSizes(list: HTMLElement): void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-kib]')];
  const largest = Math.max(...rows.map(({ dataset }) => Number(dataset['kib'])));
  for (const row of rows) row.style.setProperty('--share', String(Number(row.dataset['kib']) / largest));
}

/** The element's tag, without the script tag, which is already on the page. */
function tagOf(element: HTMLElement): string {
  const [, tag = ''] = embedCode(element, '', {}).split('\n');
  return tag.replace(/ id="[^"]*"/, '').replace(/ ([\w-]+=")/g, '\n  $1');
}

const take = byId('take') as HTMLButtonElement;
const took = byId('took');
let address: string | undefined;

take.addEventListener('click', () => void giveCoins());

async function giveCoins(): Promise<void> {
  if (!address || take.getAttribute('aria-disabled') === 'true') return;
  take.setAttribute('aria-disabled', 'true');
  took.textContent = 'On its way…';
  try {
    const given = settings.chains[CHAIN]?.faucet ?? [];
    for (const gift of GIFTS.filter((asset) => given.includes(asset)))
      await getFromFaucet(CHAIN, address, gift);
    took.textContent = 'They have arrived. Send some below.';
    // Their balances are stale.
    for (const shown of document.querySelectorAll('manage-wallets, swap-panel'))
      shown.replaceWith(shown.cloneNode(true));
  } catch (error) {
    took.textContent = (error as Error).message;
  }
  take.removeAttribute('aria-disabled');
}

const [settings, { connect }] = await Promise.all([
  loadSettings(),
  import(/* @vite-ignore */ connectScript()) as Promise<{ connect: Connect }>,
]);
byId('checkout').hidden = byId('shop-link').hidden = !settings.service;
guideLinks(settings.docs);

function show(wallets: Awaited<ReturnType<Connect['wallets']>>): void {
  const wallet = wallets.find(({ secretType }) => secretType === CHAIN);
  if (wallet?.address === address && took.dataset['known']) return;
  took.dataset['known'] = 'yes';
  address = wallet?.address;
  for (const name of ['send', 'sign']) {
    if (wallet) byId(name).setAttribute('wallet-id', wallet.id);
    else byId(name).removeAttribute('wallet-id');
  }
  if (!settings.chains[CHAIN]) took.textContent = 'The local Ethereum network is not running.';
  else took.textContent = wallet ? '' : 'Connect a wallet first.';
  take.toggleAttribute('aria-disabled', false);
  if (!wallet || !settings.chains[CHAIN]) take.setAttribute('aria-disabled', 'true');
}

connect.onWallets(show);
show(await connect.wallets());
