import { expect } from '@open-wc/testing';
import type { Network } from '../../../../src/chains/network.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { deepAll } from '../scene.ts';
import { NETWORKS, until, world, type World } from '../world.ts';

const [local] = NETWORKS.networks as [Network];
const mainnet = (id: string, name: string, chainId: number): Network => ({
  ...local,
  id,
  name,
  kind: 'mainnet',
  chainId,
});
const LIVE = mainnet('live', 'Ethereum mainnet', 1);
const BASE = mainnet('base', 'Base', 8453);
const OP = mainnet('op', 'OP Mainnet', 10);

/** Tenths of an ether: of a wallet by its index, on a network by its id. */
type Coins = (wallet: number, network: string) => number;

interface Listed {
  w: World;
  /** What nodes were asked for: a wallet's index and a network's id. */
  asked: string[];
}

async function list(
  coins: Coins,
  { wallets = 1, networks = [LIVE, BASE, OP, local], before = async (_w: World) => {} } = {},
): Promise<Listed> {
  const w = await world({ wallets, networks: { ...NETWORKS, networks } });
  const all = await w.vault.wallets();
  const asked: string[] = [];
  const { balance } = w.chain.chain;
  w.chain.chain.balance = async (address, node) => {
    const index = all.findIndex((one) => one.address === address);
    const { id } = node.network;
    asked.push(`${index} ${id}`);
    const raw = BigInt(coins(index, id)) * 10n ** 17n;
    return { ...(await balance(address, node)), rawBalance: String(raw) };
  };
  await before(w);
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.title('Ethereum wallets');
  return { w, asked };
}

const rows = (w: World): string[] =>
  deepAll(w.shell, '.rows > li').map((li) => li.textContent!.replace(/\s+/g, ' ').trim());

describe('coins on other networks, in the list of wallets', () => {
  before(() => writeAmountsIn('en-US'));
  after(() => writeAmountsIn());

  it('are named where the default one has none, and looked for on no test network', async () => {
    const { w, asked } = await list((_, network) => ({ live: 0, base: 20, op: 0, local: 50 })[network]!);
    await until(() => rows(w)[0]?.includes('Also on Base'), 'where there are coins');
    expect(rows(w)[0]).to.include('0 ETH');
    await until(() => asked.length === 3, 'all that is asked');
    expect(asked).to.deep.equal(['0 live', '0 base', '0 op']);
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Archive');
    await until(() => w.text().includes('This wallet still holds 2 ETH on Base'), 'what would be archived');
  });

  it('are counted on several networks', async () => {
    const { w } = await list((_, network) => ({ live: 0, base: 20, op: 1, local: 50 })[network]!);
    await until(() => rows(w)[0]?.includes('Also on 2 networks'), 'how many there are');
  });

  it('are looked for elsewhere only where a wallet with coins was used', async () => {
    const used = async (w: World): Promise<void> => {
      const [first] = await w.vault.wallets();
      const amount = { raw: 1n, decimals: 18, symbol: 'ETH' };
      const item = { id: '0x1', hash: '0x1', from: '0x2', amount, at: 1 };
      await (await w.vault.history()).addReceived(first!.id, { items: [item as never], cursor: 1 }, 'op');
    };
    const { w, asked } = await list((wallet, network) => (wallet === 2 && network === 'live' ? 0 : 10), {
      wallets: 3,
      before: used,
    });
    await until(() => rows(w)[2]?.includes('Also on 2 networks'), 'the empty one');
    expect(asked).to.have.members(['0 live', '1 live', '2 live', '0 op', '2 base', '2 op']);
    expect(rows(w)[0]).to.include('Also on OP Mainnet');
    expect(rows(w)[1]).not.to.include('Also');
  });

  it('take a bounded number of requests, however many wallets and networks there are', async () => {
    const others = Array.from({ length: 11 }, (_, index) =>
      mainnet(`n${index}`, `Net ${index}`, 100 + index),
    );
    const { w, asked } = await list((_, network) => (network === 'live' ? 0 : 10), {
      wallets: 52,
      networks: [LIVE, ...others],
    });
    await until(() => asked.length === 80, 'what is asked at first');
    expect(rows(w)).to.have.length(50);
    expect(asked.filter((one) => one.endsWith(' live'))).to.have.length(50);
    await w.press('Show more');
    await until(() => rows(w).length === 52 && asked.includes('51 live'), 'the rest');
    expect(w.text()).not.to.include('Show more');
    expect(asked.filter((one) => one.endsWith(' live'))).to.have.length(52);
  });

  it('are gone from the list after they were sent', async () => {
    let left = 20;
    const { w } = await list((_, network) => ({ base: left })[network] ?? 0);
    await until(() => rows(w)[0]?.includes('Also on Base'), 'where there are coins');
    left = 0;
    await w.press(`Open ${w.wallet.alias}`);
    await w.title('Your wallet');
    await w.press('Back');
    await w.title('Ethereum wallets');
    await until(() => rows(w)[0]?.includes('0 ETH') && !rows(w)[0]!.includes('Also'), 'what is left');
  });
});
