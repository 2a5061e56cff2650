/** Under the live element: which wallet the scenarios use, coins from the faucet, and the switch of the local node. */
import type { Wallet } from '../../src/api/wallet.ts';
import { h } from './dom.ts';
import { type EventLog, failure } from './event-log.ts';
import { type Asset, getFromFaucet, setNodeDown, type Settings } from './settings.ts';

const LABELS: Record<Asset, string> = {
  ETH: 'Get test ether',
  DUSD: 'Get Demo Dollars',
  DCENT: 'Get Demo Cents',
  NFT: 'Get a ticket',
  ITEM: 'Get items',
};

interface Options {
  settings: Settings;
  log: EventLog;
  choose: (walletId: string) => void;
}

export interface FundsBar {
  element: HTMLElement;
  setWallets(wallets: Wallet[], chosen: string | undefined): void;
  nodeIs(down: boolean): void;
}

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export function fundsBar({ settings, log, choose }: Options): FundsBar {
  let address: string | undefined;
  let down = false;

  async function give(asset: Asset): Promise<void> {
    if (!address) return;
    try {
      log.add('faucet', `${asset} to ${short(address)}: ${await getFromFaucet(address, asset)}`, 'done');
    } catch (error) {
      log.add('faucet', failure(error), 'error');
    }
  }

  async function switchNode(): Promise<void> {
    try {
      await setNodeDown(!down);
      nodeIs(!down);
    } catch (error) {
      log.add('node', failure(error), 'error');
    }
  }

  function nodeIs(now: boolean): void {
    down = now;
    node.textContent = down ? 'Bring the node back' : 'Take the node down';
    log.add('node', down ? 'down' : 'up');
  }

  const select = h('select', { id: 'wallet', class: 'input', change: () => choose(select.value) });
  const buttons = settings.faucet.map((asset) =>
    h('button', { type: 'button', class: 'btn quiet', click: () => void give(asset) }, LABELS[asset]),
  );
  const node = h(
    'button',
    { type: 'button', class: 'btn ghost', click: () => void switchNode() },
    'Take the node down',
  );
  const element = h(
    'section',
    { class: 'funds', 'aria-label': 'Wallet and faucet' },
    h('div', { class: 'field' }, h('label', { for: 'wallet' }, 'Wallet'), select),
    h('div', { class: 'line wrap' }, ...buttons, node),
  );

  return {
    element,
    nodeIs,
    setWallets(wallets, chosen) {
      address = wallets.find(({ id }) => id === chosen)?.address;
      select.replaceChildren(
        ...(wallets.length
          ? wallets.map((wallet) =>
              h(
                'option',
                { value: wallet.id, selected: wallet.id === chosen },
                `${wallet.alias} ${short(wallet.address)}`,
              ),
            )
          : [h('option', { value: '' }, 'No wallet is linked yet')]),
      );
      select.disabled = wallets.length === 0;
      for (const button of buttons) button.disabled = !address;
    },
  };
}
