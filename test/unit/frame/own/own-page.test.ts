import { expect } from '@open-wc/testing';
import { OwnPage } from '../../../../src/frame/own/own-page.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { Turn } from '../../../../src/frame/shell/turn.ts';
import { deepAll, type } from '../scene.ts';
import { NETWORKS, RECIPIENT, until, world, type World } from '../world.ts';

const SOURCE = 'https://prices.invalid/v1';
const real = window.fetch;

async function open(wallets: number, more: Parameters<typeof world>[0] = {}): Promise<World> {
  const networks = { ...NETWORKS, fiat: { source: 'http', url: SOURCE } };
  const w = await world({ networks, wallets, origin: location.origin, ...more });
  await w.vault.unlinkSite(location.origin);
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(SOURCE)) return real(input, init);
    const at = Math.floor(w.clock.date() / 1000);
    return Response.json({ currency: 'USD', prices: { local: { price: 2450, at } } });
  };
  void new OwnPage(w.frame).run();
  return w;
}

const rows = (w: World): string[] =>
  deepAll(w.shell, '.rows li').map((li) => li.textContent!.replace(/\s+/g, ' '));

describe('the wallet’s own page', () => {
  beforeEach(() => {
    writeAmountsIn('en-US');
    localStorage.setItem('carabiner:currency', 'USD');
  });
  afterEach(() => {
    writeAmountsIn();
    window.fetch = real;
    for (const item of ['currency', 'prices']) localStorage.removeItem(`carabiner:${item}`);
  });

  it('shows what is in all wallets by wallet, with one total, and sends from the row’s', async () => {
    const w = await open(2);
    await w.title('Your wallet');
    await until(() => deepAll(w.shell, '.amount')[0]?.textContent?.includes('$5,880'), 'the total');
    const [first, second] = await w.vault.wallets();
    const coins = rows(w).filter((row) => row.includes('1.2'));
    expect(coins).to.have.length(2);
    expect(coins[0]).to.include(`${first!.alias} · Local Ethereum`).and.include('ETH');
    expect(coins[1]).to.include(second!.alias);
    expect(w.text()).to.not.include('back up');
    deepAll<HTMLElement>(w.shell, '.row')[1]!.click();
    await w.title('Send');
    await w.find(`From ${second!.alias} ${second!.address.slice(0, 6)}…${second!.address.slice(-4)}`);
    await w.press('Back');
    await w.title('Your wallet');
  });

  it('changes to one wallet and back to all, and has nothing to go back to', async () => {
    const w = await open(2);
    const [, second] = await w.vault.wallets();
    await w.press('All wallets');
    const options = await until(
      () => deepAll<HTMLElement>(w.shell, '[role=option]').slice(0, 3),
      'the wallets to choose',
    );
    expect(options.map((one) => one.getAttribute('aria-selected'))).to.deep.equal(['true', 'false', 'false']);
    options[2]!.click();
    await w.find(`Copy address of ${second!.alias}`);
    await until(() => deepAll(w.shell, '.amount')[0]?.textContent?.includes('$2,940'), 'its own total');
    expect(deepAll(w.shell, '[aria-label=Back]')).to.have.length(0);
    deepAll<HTMLElement>(w.shell, '.chosen > button')[0]!.click();
    (await until(() => deepAll<HTMLElement>(w.shell, '[role=option]')[0], 'all of them')).click();
    await until(() => deepAll(w.shell, '.amount')[0]?.textContent?.includes('$5,880'), 'the total of all');
  });

  it('says what to do about wallets that are not backed up, until they are, and takes presses while it looks', async () => {
    const w = await world({ wallets: 1, origin: location.origin });
    let unsaved: Map<string, 'phrase'> | Promise<Map<string, 'phrase'>> = new Map([[w.wallet.id, 'phrase']]);
    w.vault.unsaved = async () => unsaved;
    void new OwnPage(w.frame).run();
    await until(() => w.text().includes('To back up your wallets'), 'what to do');
    await w.press('Settings');
    await w.title('Settings');
    let goOn: (unsaved: Map<string, 'phrase'>) => void;
    unsaved = new Promise((resolve) => (goOn = resolve));
    await w.press('Back');
    await w.press('Receive');
    goOn!(new Map());
    await w.title('Receive ETH');
    await w.press('Back');
    await w.title('Your wallet');
    await until(() => !w.text().includes('To back up your wallets'), 'nothing to do');
  });

  it('says on which sites the wallets of the service are, with and without wallets of its own', async () => {
    const w = await open(1);
    await w.title('Your wallet');
    expect(w.text()).to.not.include('Service wallets');
    const empty = await world({ origin: location.origin, wallets: 0 });
    for (const { vault, frame } of [w, empty]) {
      await vault.link('https://shop.example', ['of-the-service']);
      void new OwnPage(frame).run();
    }
    for (const { text } of [w, empty])
      await until(() => text().includes('They are where you signed in: shop.example.'), 'where they are');
  });

  it('names the wallet of each entry, and opens the one that was pressed where two have one id', async () => {
    const w = await open(2);
    const wallets = await w.vault.wallets();
    const history = await w.vault.history();
    // One transaction paid both.
    for (const [i, { id }] of wallets.entries())
      await history.addReceived(id, {
        items: [
          {
            id: '0xboth',
            hash: '0xboth',
            from: RECIPIENT,
            amount: { raw: BigInt(i + 1) * 10n ** 18n, decimals: 18, symbol: 'ETH' },
            at: w.clock.date() - 60_000,
          },
        ],
        cursor: 1,
      });
    await w.press('Activity');
    const entries = await until(() => {
      const buttons = deepAll<HTMLElement>(w.shell, '#panel li button');
      return buttons.length === 2 && buttons;
    }, 'both');
    for (const [i, { alias }] of wallets.entries()) {
      const row = entries.find(({ textContent }) => textContent!.includes(`+${i + 1} ETH`))!;
      expect(row.textContent).to.include(alias);
    }
    entries.find(({ textContent }) => textContent!.includes('+2 ETH'))!.click();
    await w.title('Received 2 ETH');
    expect(w.text()).to.include(wallets[1]!.alias).and.not.include(wallets[0]!.alias);
  });

  it('lists the activity of all wallets, which is by You', async () => {
    const w = await open(2);
    const [, second] = await w.vault.wallets();
    await w.press('All wallets');
    (await until(() => deepAll<HTMLElement>(w.shell, '[role=option]')[2], 'the second wallet')).click();
    await w.find(`Copy address of ${second!.alias}`);
    await w.press('Send');
    await until(() => w.text().includes('available'), 'the balance');
    type(await w.find<HTMLInputElement>('Recipient'), RECIPIENT);
    type(await w.find<HTMLInputElement>('Amount'), '0.2');
    await w.press('Continue');
    await w.approval();
    await w.approve();
    await w.title('Sent');
    await w.press('Done');
    await w.title('Your wallet');
    deepAll<HTMLElement>(w.shell, '.chosen > button')[0]!.click();
    (await until(() => deepAll<HTMLElement>(w.shell, '[role=option]')[0], 'all of them')).click();
    await w.press('Activity');
    (await until(() => deepAll<HTMLElement>(w.shell, '#panel li button')[0], 'what was sent')).click();
    await until(() => w.text().includes('Asked by'), 'the transaction');
    expect(w.text().replace(/\s+/g, ' ')).to.match(/Asked by\s*You\b/);
    expect((await w.vault.activity.list(second!.id))[0]!.origin).to.equal(location.origin);
  });

  it('holds the wallet’s turn only while it may ask for the PIN', async () => {
    const held = new Set<string>();
    const locks = {
      request: async (name: string, _options: unknown, work: (lock: unknown) => Promise<void>) => {
        held.add(name);
        await work({});
        held.delete(name);
      },
    } as unknown as LockManager;
    const w = await open(1, { turn: new Turn(location.origin, locks) });
    await w.press('Manage wallets');
    await w.title('Ethereum wallets');
    expect([...held]).to.deep.equal(['carabiner:turn']);
    expect(w.text()).to.not.include('may see and use');
    await w.press('Back');
    await w.title('Your wallet');
    await until(() => !held.size, 'the end of its turn');
    await w.press('Receive');
    await w.title('Receive ETH');
    expect([...held]).to.deep.equal([]);
  });

  it('says so where the browser keeps nothing, and goes on when it does', async () => {
    const w = await world({ wallets: 1, origin: location.origin });
    const { vault } = w.frame;
    w.frame.vault = async () => {
      throw new ConnectError('storage.unavailable', 'Storage is denied.', {});
    };
    void new OwnPage(w.frame).run();
    await w.title('Your wallet cannot be stored');
    w.frame.vault = async () => {
      throw new Error('offline');
    };
    await w.press('Try again');
    await w.title('That did not work');
    w.frame.vault = vault;
    await w.press('Try again');
    await w.title('Your wallet');
  });
});
