import { expect } from '@open-wc/testing';
import { encodeCall, selector } from '../../../../src/chains/contracts/abi.ts';
import { type Item, itemNames } from '../../../../src/frame/wallets/nfts.ts';
import { type Asked as AskedNode, fakeNode, QUIET } from '../../chains/fake-node.ts';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import type { PortfolioView } from '../../../../src/frame/wallets/portfolio-view.ts';
import { TestClock } from '../../clock.ts';
import { deepAll, focused, named, type } from '../scene.ts';
import { type Asked, NETWORKS, RECIPIENT, settled, until, world, type World } from '../world.ts';

const SOURCE = 'https://prices.invalid/v1';
const real = window.fetch;
const [network] = NETWORKS.networks;
const listed = (digit: string, symbol: string) => ({
  address: `0x${digit.repeat(40)}`,
  symbol,
  name: `${symbol} Coin`,
  decimals: 6,
  logo: '',
});
const TOKENS = [listed('a', 'USDC'), listed('b', 'NIL')];
const PICTURES = 'https://service.example/pictures/';

function sell(at: () => number): void {
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(SOURCE)) return real(input, init);
    const currency = new URL(url).searchParams.get('currency');
    return Response.json({ currency, prices: { local: { price: 2450, at: Math.floor(at() / 1000) } } });
  };
}

/** The request of the page. */
let asked: Asked;

async function open(
  more: {
    fiat?: unknown;
    wallets?: number;
    tokens?: typeof TOKENS;
    coin?: { symbol: string };
    exchanges?: unknown[];
  } = {},
  prepare: (w: World) => void = () => {},
): Promise<World> {
  const { wallets = 1, tokens = TOKENS, coin, exchanges, ...rest } = more;
  const networks = {
    ...NETWORKS,
    ...rest,
    pictures: PICTURES,
    networks: [{ ...network!, tokens, coin, exchanges }],
  };
  const w = await world({ networks, wallets });
  const read = w.chain.chain.tokenBalances;
  w.chain.chain.tokenBalances = async (...of) =>
    (await read(...of)).map((one) => (one.symbol === 'NIL' ? { ...one, rawBalance: '0' } : one));
  sell(w.clock.date);
  prepare(w);
  asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press(`Open ${w.wallet.alias}`);
  await w.title('Your wallet');
  return w;
}

const rows = (w: World): string[] =>
  deepAll(w.shell, '.rows li').map((li) => li.textContent!.replace(/\s+/g, ' '));
const view = (w: World): PortfolioView => deepAll<PortfolioView>(w.shell, 'cbf-portfolio')[0]!;

describe('the portfolio of a wallet', () => {
  beforeEach(() => {
    writeAmountsIn('en-US');
    localStorage.setItem('carabiner:currency', 'USD');
  });
  afterEach(() => {
    writeAmountsIn();
    window.fetch = real;
    for (const item of ['currency', 'prices', 'pictures']) localStorage.removeItem(`carabiner:${item}`);
  });

  it('has its tokens with their values and the total, and those without a balance on demand', async () => {
    const w = await open({ fiat: { source: 'http', url: SOURCE } });
    await until(() => rows(w)[0]?.includes('$2,940.00'), 'the value');
    expect(rows(w)).to.have.length(2);
    expect(rows(w)[1]).to.include('USDC Coin · Local Ethereum').and.include('812.4').and.include('no price');
    expect(deepAll(w.shell, '.amount')[0]!.textContent!.trim()).to.equal('$2,940.00');
    expect(deepAll(w.shell, '.amount small')[0]!.previousSibling).to.not.equal(null);
    expect(w.text()).to.match(/Prices at \d.* · one token without a price/);
    await w.press('Hidden (1)');
    await until(() => rows(w)[2]?.includes('NIL'), 'what was hidden');
    expect(w.text()).to.include('less than $0.10');
  });

  it('has the network’s own coin by its symbol, read or not, as have the list, Send and Receive', async () => {
    const w = await open({ coin: { symbol: 'POL' }, fiat: { source: 'http', url: SOURCE } }, ({ chain }) => {
      const { balance } = chain.chain;
      chain.chain.balance = async (...of) => ({ ...(await balance(...of)), symbol: 'POL', gasSymbol: 'POL' });
    });
    await until(() => rows(w)[0]?.includes('$2,940.00'), 'the coin, which has its price');
    expect(rows(w)[0]).to.match(/POL/);
    expect(w.text()).to.not.match(/\bETH\b/);
    view(w).holdings = new Map([['local', { held: [], failed: ['coins'] }]]);
    await until(() => rows(w)[0]?.includes('could not be read'), 'the failure');
    expect(rows(w)[0]).to.include('POL').and.not.include('ETH');
    await w.press('Back');
    await until(() => w.text().includes('1.2 POL'), 'the balance in the list');
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Receive');
    await w.title('Receive POL');
    expect(w.text())
      .to.include('Amount in POL')
      .and.not.match(/\bETH\b/);
    await w.press('Done');
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Send');
    await until(() => w.text().includes('1.2 POL'), 'the coin to send');
    expect(w.text()).to.not.match(/\bETH\b/);
  });

  it('offers Swap where the network has exchanges, with the wallet and its balance in the form', async () => {
    const none = await open();
    expect(deepAll(none.shell, '.tile').map(({ textContent }) => textContent!.trim())).to.deep.equal([
      'Send',
      'Receive',
    ]);
    const router = { name: 'Uniswap V2', kind: 'uniswap-v2' };
    const contracts = {
      router: `0x${'1'.repeat(40)}`,
      factory: `0x${'2'.repeat(40)}`,
      wrapped: TOKENS[0]!.address,
    };
    const w = await open({ exchanges: [{ ...router, ...contracts }], wallets: 2 });
    await w.press('Swap');
    await w.title('Swap');
    await until(() => w.text().includes('1.2') && w.text().includes('available'), 'the balance');
    expect(deepAll(w.shell, '#wallet-current')[0]!.textContent).to.include(w.wallet.alias);
    await w.press('Review');
    await until(() => w.text().includes('Enter an amount.'), 'what is missing');
    await w.press('Back');
    await w.title('Your wallet');
  });

  it('keeps its tabs in place when they are pressed, and refreshes beside the time of the prices', async () => {
    const w = await open({ fiat: { source: 'http', url: SOURCE } });
    await until(() => w.text().includes('Prices at'), 'the total');
    const tops = (): number[] => deepAll(w.shell, '[role=tab]').map((tab) => tab.getBoundingClientRect().top);
    const [first] = tops();
    for (const name of ['NFTs', 'Activity', 'Tokens']) {
      await w.press(name);
      await view(w).updateComplete;
      expect(tops(), name).to.deep.equal([first, first, first]);
      named(w.shell, 'Refresh');
    }
    const line = deepAll(w.shell, '.total .xs')[0]!.getBoundingClientRect();
    const refresh = named(w.shell, 'Refresh').querySelector('svg')!.getBoundingClientRect();
    const middle = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;
    expect(Math.abs(middle(line) - middle(refresh))).to.be.at.most(2);
  });

  it('hides what it holds at one press, in the list of wallets, too, until another press', async () => {
    const w = await open({ fiat: { source: 'http', url: SOURCE }, wallets: 2 });
    await until(() => rows(w)[0]?.includes('$2,940.00'), 'the value');
    try {
      await w.press('Hide balances');
      await until(() => !w.text().includes('$2,940.00'), 'nothing in dollars');
      expect(w.text()).to.not.match(/\$|1\.2|812/);
      expect(deepAll(w.shell, '.amount')[0]!.textContent!.trim()).to.equal('••••hidden');
      expect(
        deepAll(w.shell, '[title], [aria-label]')
          .map((one) => one.outerHTML)
          .join(''),
      ).to.not.match(/812|2,940/);
      await w.press('Back');
      await until(() => w.text().includes('••••'), 'the list');
      expect(w.text()).to.not.match(/\$|1\.2 ETH/);
      // Another page of the wallet has it, too.
      expect(localStorage.getItem('carabiner:hidden-balances')).to.equal('yes');
      await w.press(`Open ${w.wallet.alias}`);
      await w.press('Show balances');
      await until(() => rows(w)[0]?.includes('$2,940.00'), 'the value again');
    } finally {
      localStorage.removeItem('carabiner:hidden-balances');
    }
  });

  it('says in words how coins come to a wallet that has none, and what it is', async () => {
    const w = await open();
    await until(() => rows(w)[1]?.includes('812.4'), 'the tokens');
    expect(w.text()).to.include('What is this?').and.not.include('How to add funds');
    const [coin] = view(w).holdings.get('local')!.held;
    const none = { ...coin!, amount: { ...coin!.amount, raw: 0n } };
    view(w).holdings = new Map([['local', { held: [none], failed: [] }]]);
    await until(() => w.text().includes('How to add funds'), 'how');
    expect(w.text()).to.include('choose the network Local Ethereum');
    // Nobody knows whether it is empty.
    view(w).holdings = new Map([['local', { held: [none], failed: ['tokens'] }]]);
    await until(() => !w.text().includes('How to add funds'), 'no advice');
  });

  it('has a search over the activity of all wallets', async () => {
    const w = await open({ wallets: 2 });
    await w.press('Activity');
    await w.press('Search, filter, export');
    await w.title('Activity');
    const choice = await w.find<HTMLSelectElement>('Wallet');
    expect(choice.value).to.equal('');
    choice.value = w.wallet.id;
    choice.dispatchEvent(new Event('change'));
    await until(() => w.text().includes('Nothing yet. What this wallet'), 'those of one');
    await w.press('Back');
    await w.title('Your wallet');
  });

  it('without a source of prices has no value anywhere', async () => {
    const w = await open();
    await until(() => rows(w)[1]?.includes('812.4'), 'the tokens');
    expect(w.text()).not.to.match(/\$|price/);
    expect(deepAll(w.shell, '.amount')).to.have.length(0);
  });

  it('stands under the wallet’s own name, and goes back to the list, which reads balances again', async () => {
    const w = await open();
    await until(() => w.text().includes('Your wallet'), 'its own header');
    w.chain.chain.balance = async () => ({
      available: true,
      secretType: 'ETHEREUM',
      balance: 3,
      gasBalance: 3,
      symbol: 'ETH',
      gasSymbol: 'ETH',
      rawBalance: '3000000000000000000',
      rawGasBalance: '3000000000000000000',
      decimals: 18,
    });
    await w.press('Back');
    await w.title('Ethereum wallets');
    await until(() => w.text().includes('3 ETH'), 'the new balance');
  });

  it('is closed like the list: the page gets the wallet that it has linked', async () => {
    const w = await open();
    await w.press('Close');
    await settled(asked);
    expect((asked.result as Wallet).id).to.equal(w.wallet.id);
  });

  it('keeps what was read where the node does not answer any more, and has Retry where nothing was', async () => {
    const w = await open();
    await until(() => rows(w)[0]?.includes('1.2'), 'the coin');
    w.chain.chain.balance = async () => Promise.reject(new Error('away'));
    await w.press('Refresh');
    await until(() => w.text().includes('The network did not answer'), 'the failure');
    expect(rows(w)[0]).to.include('1.2');
    view(w).holdings = new Map([['local', { held: [], failed: ['coins', 'tokens'] }]]);
    await until(() => rows(w)[1]?.includes('could not be read'), 'the rows');
    expect(rows(w)[0]).to.include('ETH').and.include('could not be read');
    await w.press('Retry');
    await until(() => rows(w)[1]?.includes('USDC'), 'the tokens again');
  });

  it('says of which token the balance could not be read, and keeps what it was', async () => {
    const w = await open();
    await until(() => rows(w)[1]?.includes('USDC'), 'the tokens');
    const before = view(w).holdings.get('local')!;
    const [usdc, nil] = TOKENS;
    view(w).holdings = new Map([['local', { ...before, held: before.held.slice(0, 2), unread: [nil!] }]]);
    await until(
      () =>
        rows(w)
          .find((row) => row.includes('NIL'))
          ?.includes('could not be read'),
      'the row',
    );
    expect(w.text()).not.to.include('The network did not answer');
    view(w).holdings = new Map([['local', { ...before, unread: [usdc!] }]]);
    await until(() => w.text().includes('The network did not answer'), 'the failure');
    expect(rows(w)[1]).to.include('USDC').and.not.include('could not be read');
  });

  it('begins to send a token from its row, and comes back', async () => {
    const w = await open();
    const row = await until(() => deepAll<HTMLElement>(w.shell, '.row')[1], 'the row');
    const { tokenBalances } = w.chain.chain;
    // An amount is never typed for another asset than the one that is chosen in the end.
    w.chain.chain.tokenBalances = () => new Promise(() => {});
    row.click();
    await w.title('Send');
    await w.find('Amount');
    expect(named<HTMLSelectElement>(w.shell, 'Token: USDC').disabled).to.equal(true);
    w.chain.chain.tokenBalances = tokenBalances;
    await w.press('Back');
    await w.title('Your wallet');
    await w.press('Receive');
    await w.title('Receive ETH');
    await w.press('Done');
    await w.title('Your wallet');
    await w.press('Activity');
    await until(() => w.text().includes('Nothing yet'), 'its activity');
  });

  it('changes to another wallet, by keyboard too', async () => {
    const w = await open({ wallets: 2 });
    const [first, second] = await w.vault.wallets();
    const opener = await until(() => deepAll<HTMLElement>(w.shell, '.chosen > button')[0], 'the switch');
    expect(opener.getAttribute('aria-label')).to.match(new RegExp(`^Wallet: ${first!.alias}, 0x....…....$`));
    opener.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, composed: true }));
    await until(() => focused()?.getAttribute('role') === 'option', 'the list');
    expect(focused()!.getAttribute('aria-selected')).to.equal('true');
    const press = (key: string) =>
      focused()!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    press('End');
    press('Enter');
    await until(() => view(w).wallet.id === second!.id, 'the other wallet');
    await until(() => rows(w)[0]?.includes('1.2'), 'its coin');
    await until(() => focused()?.getAttribute('aria-label')?.includes(second!.alias), 'focus on the switch');
  });

  it('shows the tab that is pressed while another wallet is still being opened', async () => {
    const w = await open({ wallets: 2 });
    await until(() => rows(w)[0]?.includes('1.2'), 'the coin');
    const [, second] = await w.vault.wallets();
    const { chain } = w.frame;
    let load = (): void => {};
    const loaded = new Promise<void>((resolve) => (load = resolve));
    w.frame.chain = async (...of) => {
      await loaded;
      return chain(...of);
    };
    view(w).dispatchEvent(new CustomEvent('cbf-wallet', { detail: { id: second!.id } }));
    await until(() => view(w).wallet.id === second!.id, 'the other wallet');
    await w.press('Activity');
    load();
    await until(() => w.text().includes('Nothing yet'), 'its activity');
  });

  it('says what could not be read where the chain’s code does not load, and reads it at the next try', async () => {
    const w = await open({ wallets: 2 });
    await until(() => rows(w)[0]?.includes('1.2'), 'the coin');
    const [, second] = await w.vault.wallets();
    const { chain } = w.frame;
    w.frame.chain = async () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    };
    view(w).dispatchEvent(new CustomEvent('cbf-wallet', { detail: { id: second!.id } }));
    await until(() => view(w).holdings.get('local')?.failed.length, 'what could not be read');
    w.frame.chain = chain;
    await w.press('Refresh');
    await until(() => rows(w)[0]?.includes('1.2'), 'its coin');
  });

  it('never has the balance of the wallet that was left', async () => {
    const w = await open({ wallets: 2 });
    await until(() => rows(w)[0]?.includes('1.2'), 'the coin');
    const [first, second] = await w.vault.wallets();
    const { list } = w.vault.activity;
    const { balance } = w.chain.chain;
    const asked: string[] = [];
    w.chain.chain.balance = (address, node) => {
      asked.push(address);
      return balance(address, node);
    };
    let late = (): void => {};
    const reads = new Promise<void>((resolve) => {
      w.vault.activity.list = async (id) => {
        if (id === first!.id) {
          resolve();
          await new Promise<void>((go) => (late = go));
        }
        return list(id);
      };
    });
    await w.press('Refresh');
    await reads;
    view(w).dispatchEvent(new CustomEvent('cbf-wallet', { detail: { id: second!.id } }));
    await until(() => asked.includes(second!.address) && rows(w)[0]?.includes('1.2'), 'its coin');
    late();
    w.vault.activity.list = list;
    await w.press('Refresh');
    await until(() => asked.filter((one) => one === second!.address).length === 2, 'another look');
    expect(asked).not.to.include(first!.address);
  });
});

describe('the portfolio of a wallet on several networks', () => {
  const base = {
    ...network!,
    id: 'base',
    name: 'Base',
    kind: 'mainnet' as const,
    chainId: 8453,
    tokens: [listed('c', 'USDC')],
  };
  const live = { ...network!, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet' as const, chainId: 1 };
  /** The coins in ether, by network; undefined: its node does not answer. */
  let coins: Record<string, number | undefined>;
  const hang = new Set<string>();

  async function openOn(): Promise<World> {
    const networks = {
      ...NETWORKS,
      fiat: { source: 'http', url: SOURCE },
      networks: [live, base, network!],
    };
    const w = await world({ networks });
    const { balance, tokenBalances } = w.chain.chain;
    w.chain.chain.balance = async (address, node) => {
      const held = coins[node.network.id];
      if (hang.has(node.network.id)) await new Promise(() => {});
      if (held === undefined) throw new Error('away');
      return { ...(await balance(address, node)), rawBalance: `${BigInt(held * 10) * 10n ** 17n}` };
    };
    w.chain.chain.tokenBalances = async (address, tokens, node) => {
      if (coins[node.network.id] === undefined) throw new Error('away');
      return tokenBalances(address, tokens, node);
    };
    window.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.startsWith(SOURCE)) return real(input, init);
      const price = { price: 1000, at: Math.floor(w.clock.date() / 1000) };
      return Response.json({ currency: 'USD', prices: { live: price, base: price, local: price } });
    };
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press(`Open ${w.wallet.alias}`);
    await w.title('Your wallet');
    return w;
  }
  const total = (w: World): string | undefined => deepAll(w.shell, '.amount')[0]?.textContent?.trim();

  beforeEach(() => {
    writeAmountsIn('en-US');
    localStorage.setItem('carabiner:currency', 'USD');
    coins = { live: 0, base: 2, local: 5 };
    hang.clear();
  });
  afterEach(() => {
    writeAmountsIn();
    window.fetch = real;
    for (const item of ['currency', 'prices']) localStorage.removeItem(`carabiner:${item}`);
  });

  it('has a row for each that has coins, and a total without test networks and local ones', async () => {
    const w = await openOn();
    await until(() => view(w).holdings.size === 3 && total(w), 'all of it');
    await until(() => total(w) === '$2,000.00', 'the total');
    expect(rows(w)).to.have.length(4);
    expect(rows(w)[0], 'the default network’s, without any').to.match(/ETH Ethereum mainnet 0/);
    expect(rows(w)[1]).to.match(/ETH Base 2.*\$2,000/);
    expect(rows(w)[2]).to.match(/ETH Local Ethereum Local 5/);
    expect(rows(w)[3]).to.match(/USDC USDC Coin · Base/);
    expect(w.text()).to.not.include('incomplete').and.not.include('still reading');
  });

  it('says which one does not answer, and never that it is empty', async () => {
    coins['base'] = undefined;
    coins['live'] = 1;
    const w = await openOn();
    await until(() => view(w).holdings.size === 3 && total(w) === '$1,000.00', 'the others');
    expect(rows(w).find((row) => row.includes('Base'))).to.match(/ETH ?Base is unavailable Retry ETH, Base/);
    expect(w.text()).to.include('incomplete without Base');
    coins['base'] = 2;
    await w.press('Retry ETH, Base');
    await until(() => total(w) === '$3,000.00', 'what is there');
    expect(w.text()).to.not.include('incomplete');
    coins['base'] = undefined;
    await w.press('Refresh');
    await until(() => w.text().includes('No answer from Base. Refresh to ask again.'), 'the failure');
    expect(total(w)).to.equal('$3,000.00');
  });

  it('waits for none of them', async () => {
    hang.add('live');
    const w = await openOn();
    await until(() => total(w) === '$2,000.00', 'the total so far');
    expect(w.text()).to.include('still reading');
    expect(rows(w)[0]).to.include('Base');
    expect(deepAll(w.shell, '#panel')[0]!.getAttribute('aria-busy')).to.equal('true');
  });

  it('shows one of them, and sends and lists there', async () => {
    const w = await openOn();
    await until(() => view(w).holdings.size === 3, 'all of it');
    const filter = await w.find<HTMLSelectElement>('Network');
    expect([...filter.options].map(({ text }) => text)).to.deep.equal([
      'All networks',
      'Ethereum mainnet',
      'Base',
      'Local Ethereum',
    ]);
    filter.value = 'base';
    filter.dispatchEvent(new Event('change'));
    await until(() => rows(w).length === 2, 'its rows');
    expect(rows(w).every((row) => row.includes('Base'))).to.equal(true);
    deepAll<HTMLElement>(w.shell, '.row')[0]!.click();
    await w.title('Send');
    expect((await w.find<HTMLSelectElement>('Network')).value).to.equal('base');
    await until(() => w.text().includes('2 available'), 'its coins');
  });

  it('has the NFTs of each, with its name', async () => {
    const w = await openOn();
    await w.press('NFTs');
    await until(() => w.text().includes('No NFTs yet'), 'that there are none');
    const item = { name: 'Ticket', number: '1', collection: 'Tickets', contract: RECIPIENT, tokenId: '1' };
    view(w).items = new Map([
      ['live', []],
      ['base', [{ ...item, network: base }]],
    ]);
    view(w).lost = new Set(['local']);
    await until(() => deepAll(w.shell, '.nft').length === 1, 'the item');
    expect(deepAll(w.shell, '.nft')[0]!.textContent).to.include('Base');
    expect(w.text()).to.include('Local Ethereum is unavailable');
  });
});

describe('the NFTs of a wallet', () => {
  afterEach(() => localStorage.removeItem('carabiner:pictures'));
  const ITEMS: Item[] = [
    {
      network: network!,
      name: 'Ticket #214',
      number: '214',
      collection: 'Harbour Tickets',
      picture: `${PICTURES}local/0xaa/214`,
      contract: `0x${'aa'.repeat(20)}`,
      tokenId: '214',
    },
    {
      network: network!,
      name: '',
      number: '7',
      collection: 'Field Notes',
      contract: `0x${'bb'.repeat(20)}`,
      tokenId: '7',
    },
  ];
  const images = (w: World) => deepAll<HTMLImageElement>(w.shell, '.nft img');

  describe('whose contracts keep their names elsewhere', () => {
    const at = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    const token = (tokenId: string) => ({ tokenId, contract: { address: at } });
    let asked: [url: string, init: RequestInit | undefined][];
    const tells = (answer: () => Response): void => {
      asked = [];
      window.fetch = async (input, init) => {
        asked.push([String(input), init]);
        return answer();
      };
    };
    afterEach(() => (window.fetch = real));

    it('get them from the source of pictures, without cookies and referrer, fifty at a time', async () => {
      tells(() => Response.json({ 7: 'Seat\u202e 7', 8: 'x'.repeat(300), 9: ' ', 99: 'of another' }));
      const names = await itemNames(PICTURES, 'local', [token('7'), token('8'), token('9')], new TestClock());
      expect(asked.map(([url]) => url)).to.deep.equal([`${PICTURES}local/${at}?tokens=7,8,9`]);
      expect(asked[0]![1]).to.include({
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        redirect: 'error',
      });
      expect([...names.keys()]).to.deep.equal([`${at} 7`, `${at} 8`]);
      expect(names.get(`${at} 7`)).to.not.include('\u202e');
      expect(names.get(`${at} 8`)!.length).to.be.at.most(65);
      await itemNames(
        PICTURES,
        'local',
        Array.from({ length: 51 }, (_, i) => token(String(i))),
        new TestClock(),
      );
      expect(asked).to.have.length(3);
    });

    it('go without where the source tells none, or nonsense', async () => {
      for (const answer of [
        () => new Response('', { status: 404 }),
        () => new Response('no JSON'),
        () => Response.json(['7']),
        () => Response.json({ 7: 7 }),
      ]) {
        tells(answer);
        expect((await itemNames(PICTURES, 'local', [token('7')], new TestClock())).size).to.equal(0);
      }
    });

    it('go without where the source does not answer in time', async () => {
      window.fetch = (_input, init) =>
        new Promise((_, reject) => init!.signal!.addEventListener('abort', reject));
      const clock = new TestClock();
      const names = itemNames(PICTURES, 'local', [token('7')], clock);
      await clock.pass(8000);
      expect((await names).size).to.equal(0);
    });

    /** The wallet holds token 7 of a contract that describes it elsewhere. */
    function holdsTicket(w: World): void {
      const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');
      const string = (text: string): string => `0x${encodeCall('f', ['string'], [text]).slice(10)}`;
      const answers: Record<string, string> = {
        [selector('supportsInterface', ['bytes4'])]: `0x${word(1)}`,
        [selector('balanceOf', ['address'])]: `0x${word(1)}`,
        [selector('name', [])]: string('Demo Ticket'),
        [selector('symbol', [])]: string('TICKET'),
        [selector('tokenOfOwnerByIndex', ['address', 'uint256'])]: `0x${word(7)}`,
        [selector('ownerOf', ['uint256'])]: `0x${word(BigInt(w.wallet.address))}`,
        [selector('tokenURI', ['uint256'])]: string('https://tickets.example/7'),
      };
      const holding = { ...w.frame.networks.networks[0]!, nonFungibles: [{ address: at }] };
      const answering = {
        ...QUIET,
        eth_blockNumber: '0x10',
        eth_call: ({ params }: AskedNode) =>
          answers[params[0].data.slice(0, 10)] ?? new Error('execution reverted'),
      };
      const { node } = fakeNode(answering, holding);
      w.chain.chain.node = () => node;
    }

    it('ask for no name before the user wants to see pictures', async () => {
      const w = await open({}, holdsTicket);
      const urls: string[] = [];
      const before = window.fetch;
      window.fetch = async (input, init) => {
        const url = String(input instanceof Request ? input.url : input);
        if (!url.startsWith(PICTURES)) return before(input, init);
        urls.push(url);
        return Response.json({ 7: 'Seat 7' });
      };
      await w.press('NFTs');
      await until(() => w.text().includes('Item #7'), 'the item');
      expect(urls).to.deep.equal([]);
      await w.press('Show pictures');
      await until(() => w.text().includes('Seat 7'), 'its name');
      expect(urls).to.have.length(1);
    });
  });

  it('are sent from there, without an amount', async () => {
    const w = await open();
    await w.press('NFTs');
    await until(() => w.text().includes('No NFTs yet'), 'that there are none');
    view(w).items = new Map([['local', ITEMS]]);
    await w.press('Send Ticket #214');
    await w.title('Send');
    expect(w.text()).to.include('Ticket #214').and.include('Harbour Tickets').and.not.include('Amount');
    await w.press('Continue');
    expect(w.text()).to.include('Enter an address, a name or an e-mail address.');
    type(await w.find<HTMLInputElement>('Recipient'), RECIPIENT);
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    const { tokenAddress, ...request } = w.chain.signed[0]!.request;
    expect(request).to.include({ type: 'NFT_TRANSFER', to: RECIPIENT, tokenId: '214' });
    expect(String(tokenAddress).toLowerCase()).to.equal(ITEMS[0]!.contract);
    await w.press('Done');
    await w.title('Your wallet');
  });

  it('have their pictures once the user wants to see them, for good, from the one source', async () => {
    const w = await open();
    await w.press('NFTs');
    await until(() => w.text().includes('No NFTs yet'), 'that there are none');
    view(w).items = new Map([['local', ITEMS]]);
    await until(() => w.text().includes('Item #7'), 'the items');
    expect(images(w)).to.have.length(0);
    expect(w.text()).to.include('service.example');
    await w.press('Show pictures');
    const [image, ...others] = await until(() => images(w).length > 0 && images(w), 'a picture');
    expect(others).to.have.length(0);
    expect(image!.src).to.equal(`${PICTURES}local/0xaa/214`);
    expect([image!.crossOrigin, image!.referrerPolicy]).to.deep.equal(['anonymous', 'no-referrer']);
    image!.dispatchEvent(new Event('error'));
    await until(() => w.text().includes('Picture not loaded') && getComputedStyle(image!).display === 'none');
    await w.press('Back');
    await w.press(`Open ${w.wallet.alias}`);
    await w.title('Your wallet');
    expect(view(w).pictures).to.equal(true);
    await w.press('NFTs');
    await until(() => view(w).items?.size, 'what was read');
    view(w).items = new Map([['local', ITEMS]]);
    await w.press('Hide pictures');
    await until(() => !view(w).pictures);
    expect(localStorage.getItem('carabiner:pictures')).to.equal('[]');
  });

  it('that cannot be read can be asked for again', async () => {
    const w = await open();
    const { node } = w.chain.chain;
    w.chain.chain.node = (of, options) => ({
      ...node(of, options),
      get network(): never {
        throw new Error('away');
      },
    });
    await w.press('Back');
    await w.press(`Open ${w.wallet.alias}`);
    await w.press('NFTs');
    await until(() => w.text().includes('could not be read'), 'the failure');
    w.chain.chain.node = node;
    named(w.shell, 'Retry');
  });
});
