/** Below the live element: the wallet that the scenarios use, the faucet, and the switch of the local node. */
import type { Wallet } from '../../src/api/wallet.ts';
import { h } from './dom.ts';
import { type EventLog, failure } from './event-log.ts';
import type { ChainScenarios } from './scenarios/index.ts';
import { type ChainSettings, type Gift, getFromFaucet, setNodeDown } from './settings.ts';

interface Options {
  log: EventLog;
  choose: (walletId: string) => void;
  /** The faucet sent something to the chosen wallet. */
  got: (gift: Gift) => void;
}

export interface FundsBar {
  element: HTMLElement;
  setChain(chain: ChainScenarios, settings: ChainSettings): void;
  setWallets(wallets: Wallet[], chosen: string | undefined): void;
  /** Takes the chain's node off the network, or back to it. */
  switchNode(down: boolean): Promise<void>;
}

/** Suffix of a wallet's name. */
const HOLDERS: Record<Wallet['walletType'], string> = {
  BROWSER: '',
  EXTERNAL: ' · browser',
  THREEWAY_SHARED: ' · service',
  WHITE_LABEL: ' · shop',
};

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export function fundsBar({ log, choose, got }: Options): FundsBar {
  let settings: ChainSettings;
  let address: string | undefined;
  let buttons: HTMLButtonElement[] = [];

  async function give(asset: string): Promise<void> {
    if (!address) return;
    try {
      const gift = await getFromFaucet(settings.network.secretType, address, asset);
      log.add('faucet', `${asset} to ${short(address)}: ${Object.values(gift).join(' ')}`, 'done');
      got(gift);
    } catch (error) {
      log.add('faucet', failure(error), 'error');
    }
  }

  async function switchNode(down: boolean): Promise<void> {
    const switched = settings;
    const { secretType, name } = switched.network;
    try {
      await setNodeDown(secretType, down);
      switched.down = down;
      log.add('node', `${name}: ${down ? 'down' : 'up'}`);
      nameSwitch();
    } catch (error) {
      log.add('node', failure(error), 'error');
    }
  }

  function nameSwitch(): void {
    node.textContent = settings.down ? 'Bring the node back' : 'Take the node down';
  }

  const select = h('select', { id: 'wallet', class: 'input', change: () => choose(select.value) });
  const node = h(
    'button',
    { type: 'button', class: 'btn ghost', click: () => void switchNode(!settings.down) },
    'Take the node down',
  );
  const gifts = h('div', { class: 'line wrap' });
  const element = h(
    'section',
    { class: 'funds', 'aria-label': 'Wallet and faucet' },
    h('div', { class: 'field' }, h('label', { for: 'wallet' }, 'Wallet'), select),
    gifts,
  );

  return {
    element,
    switchNode,
    setChain({ faucet }, now) {
      settings = now;
      nameSwitch();
      buttons = settings.faucet.map((asset) =>
        h(
          'button',
          { type: 'button', class: 'btn quiet', disabled: !address, click: () => void give(asset) },
          faucet[asset] ?? asset,
        ),
      );
      gifts.replaceChildren(...buttons, node);
    },
    setWallets(wallets, chosen) {
      address = wallets.find(({ id }) => id === chosen)?.address;
      select.replaceChildren(
        ...(wallets.length
          ? wallets.map((wallet) =>
              h(
                'option',
                { value: wallet.id, selected: wallet.id === chosen },
                `${wallet.alias} ${short(wallet.address)}${HOLDERS[wallet.walletType]}`,
              ),
            )
          : [h('option', { value: '' }, 'No wallet is linked yet')]),
      );
      select.disabled = wallets.length === 0;
      for (const button of buttons) button.disabled = !address;
    },
  };
}
