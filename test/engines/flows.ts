/** What people do with the wallet, in any engine: the same steps, found by the same names. */
import assert from 'node:assert/strict';
import { Contract, parseEther, verifyMessage, Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { CARD_YEAR, type HostEvent, PIN } from '../e2e/harness.ts';
import type { Engine, Tab } from './engine.ts';
import { type Market, RECEIVER, type Shopping } from './market.ts';
import { Screen } from './screen.ts';

export type Site = 'own' | 'other';

/** Runs in the wallet: whether a PIN is typed into a view that is not busy. */
function awaitsPress(): boolean {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll<HTMLElement & { busy?: boolean; pinStarted?: boolean }>(
      '*',
    )) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.pinStarted && !element.busy) return true;
    }
  return false;
}

export class Person {
  readonly #market: Market;
  readonly #origin: string;
  readonly page: Screen;
  /** Whether the wallet opens in a dialog here, else in a window. */
  readonly #inDialog: boolean;

  private constructor(market: Market, tab: Tab, origin: string, inDialog: boolean) {
    this.#market = market;
    this.#origin = origin;
    this.page = new Screen(tab);
    this.#inDialog = inDialog;
  }

  /** On a page of the wallet's own site, or of another. */
  static async visit(market: Market, engine: Engine, site: Site): Promise<Person> {
    const origin = site === 'own' ? market.hosts.sameSite : market.hosts.crossSite;
    const tab = await engine.visit(origin);
    const person = new Person(market, tab, origin, site === 'own' && engine.seesCover);
    await person.#ready();
    return person;
  }

  /** Texts of the page and of the wallet's windows, for whoever wonders what went wrong. */
  async texts(): Promise<string[]> {
    const all: string[] = [];
    for (const tab of [this.page.tab, ...(await this.page.tab.others())])
      all.push(await new Screen(tab).text());
    return all;
  }

  async open(url: string): Promise<void> {
    await this.page.tab.goto(url);
  }

  async #ready(): Promise<void> {
    await poll(() => this.page.tab.evaluate(() => window.hostReady || undefined), 'the elements on a page');
    // The button of `<manage-wallets>` moves to its final place when its view is loaded.
    await this.page.says(/No \w+ wallet yet|Main wallet/);
  }

  /** Does something that opens the wallet, and answers the wallet. */
  async #opening(act: () => Promise<void>): Promise<Screen> {
    await act();
    if (this.#inDialog) return this.page.inDialog();
    return poll(() => this.#openWindow(), 'the wallet’s window');
  }

  /** That shows a request: a page's connections have a window each. */
  async #openWindow(): Promise<Screen | undefined> {
    for (const tab of await this.page.tab.others()) {
      const wallet = new Screen(tab);
      const isDrawn = await wallet.has('heading', /^/).catch(() => false);
      if (isDrawn && !(await this.#isGone(wallet))) return wallet;
    }
    return undefined;
  }

  /** Until the wallet's dialog or window is closed, or its window waits for the site. */
  async #gone(wallet: Screen): Promise<void> {
    await poll(async () => ((await this.#isGone(wallet)) ? true : undefined), 'the end of a view');
  }

  async #isGone(wallet: Screen): Promise<boolean> {
    if (this.#inDialog) return !(await this.page.has('frame', /^/));
    if (await wallet.tab.isClosed()) return true;
    // It may close while it is asked.
    return wallet.has('heading', /^Waiting for |was closed$/).catch(() => false);
  }

  /** Presses what may close the window before the click is acknowledged. */
  async #leave(wallet: Screen, name: string | RegExp): Promise<void> {
    await wallet.sees('button', name);
    await wallet.press(name).catch(async (error: unknown) => {
      if (!(await this.#isGone(wallet))) throw error;
    });
    await this.#gone(wallet);
  }

  /** To the only wallet there is, which may be ticked already. */
  async #consent(wallet: Screen): Promise<void> {
    await wallet.sees('heading', /^Link your wallets to /);
    if (await wallet.has('unticked', /^Main wallet/)) await wallet.press(/^Main wallet/, 'unticked');
    await this.#leave(wallet, 'Link wallets');
  }

  async #approve(wallet: Screen): Promise<void> {
    await wallet.type('PIN', PIN);
    // A press while the view moves counts for nothing: then the PIN is still there, and a person presses again.
    do await wallet.press('Approve');
    while (await wallet.tab.evaluate(awaitsPress).catch(() => false));
  }

  #events(): Promise<HostEvent[]> {
    return this.page.tab.evaluate(() => window.events);
  }

  /** What the page got last from this action. */
  #result<T>(action: string): Promise<T> {
    return poll(async () => {
      const event = (await this.#events()).findLast(
        (one) => one.action === action && (one.type === 'result' || one.type === 'error'),
      );
      assert.notEqual(event?.type, 'error', JSON.stringify(event));
      return event?.result as T | undefined;
    }, `the result of ${action}`);
  }

  async make(): Promise<Wallet> {
    const wallet = await this.#opening(() => this.page.press('Manage wallets'));
    await wallet.press('Create wallet');
    await wallet.type('PIN', PIN);
    await wallet.press('Continue');
    await wallet.type('Confirm PIN', PIN);
    await wallet.press('Continue');
    // The back-up, and once more where the browser may evict storage.
    await wallet.press('Remind me later');
    await wallet.sees('heading', /^(Receive |Back up before you receive)/);
    if (await wallet.has('heading', 'Back up before you receive')) await wallet.press('Remind me later');
    await wallet.sees('heading', /^Receive /);
    await this.#leave(wallet, 'Done');
    const made = await this.#result<Wallet>('manageWallets');
    assert.match(made.address, /^0x[0-9a-fA-F]{40}$/);
    return made;
  }

  async link({ id }: Wallet): Promise<void> {
    await this.page.tab.evaluate(async (one) => {
      await window.connect.unlink(one);
    }, id);
    await this.page.press('Connect wallet');
    const wallet = await this.#opening(() => this.page.press('I have one'));
    await this.#consent(wallet);
    const linked = await this.#result<Wallet[]>('linkWallets');
    assert.deepEqual(
      linked.map((one) => one.id),
      [id],
    );
  }

  async transfer({ address }: Wallet): Promise<void> {
    const { chain, ethereum } = this.#market;
    await ethereum.give('ETH', address);
    const to = EthersWallet.createRandom().address;
    await this.page.press('Send');
    await this.page.type('Recipient', to);
    await this.page.type('Amount', '1.5');
    const wallet = await this.#opening(() => this.page.press('Continue'));
    await this.#approve(wallet);
    const { transactionHash } = await this.#result<TransactionResult>('transfer');
    await wallet.sees('heading', /^Sent/);
    assert.equal((await chain.getTransaction(transactionHash))?.to, to);
    assert.equal(await chain.getBalance(to), parseEther('1.5'));
    await this.#leave(wallet, /^(Done|Back to .+)$/);
  }

  /** The `Hello` of the page. */
  sign(wallet: Wallet): Promise<void> {
    return this.#signs(wallet, () => this.page.press('Sign'));
  }

  async #signs({ address, id }: Wallet, act: () => Promise<void>): Promise<void> {
    await this.page.tab.evaluate((given) => {
      document.querySelector('sign-request')!.setAttribute('wallet-id', given);
      // What is signed next is the only result.
      window.events.length = 0;
    }, id);
    const wallet = await this.#opening(act);
    await wallet.says('Hello');
    await this.#approve(wallet);
    const { result } = await this.#result<Extract<SignResult, { success: true }>>('sign');
    assert.equal(verifyMessage('Hello', result.signature), address);
    await this.#gone(wallet);
  }

  /** The page wants a dialog where the wallet cannot see what covers it. */
  async signFromDialog(wallet: Wallet): Promise<void> {
    await this.open(`${this.#origin}/`);
    await this.#ready();
    await this.page.tab.evaluate(() => {
      const element = document.querySelector('sign-request')!;
      const provider = document.createElement('connect-provider');
      provider.setAttribute('surface', 'iframe');
      element.replaceWith(provider);
      provider.append(element);
    });
    await this.#signs(wallet, async () => {
      await this.page.press('Sign');
      await (await this.page.inDialog()).press('Open in a window');
      // WebKit opens none for a click in a frame: then the page has a button of its own.
      const hasButton = await poll(async () => {
        if (await this.page.has('button', 'Open in a window')) return true;
        return (await this.#openWindow()) ? false : undefined;
      }, 'a window, or a button for it');
      if (hasButton) await this.page.press('Open in a window');
    });
  }

  async swap({ address }: Wallet): Promise<void> {
    const { chain, ethereum } = this.#market;
    const { address: token } = ethereum.network.tokens.find(({ symbol }) => symbol === 'DUSD')!;
    const dollars = new Contract(token, ['function balanceOf(address) view returns (uint256)'], chain);
    await this.open(`${this.#origin}/swap`);
    await this.#ready();
    for (const [side, symbol] of Object.entries({ Sell: 'ETH', Buy: 'DUSD' })) {
      await this.page.press(new RegExp(`^${side} token: `));
      await this.page.type('Search tokens', symbol, 'combobox');
      await this.page.press(new RegExp(`^\\W*\\w?${symbol}`), 'option');
      await this.page.sees('button', `${side} token: ${symbol}`);
    }
    await this.page.type('Sell', '1');
    await this.page.press(/^Uniswap V2, /, 'radio');
    await this.page.press('Review');
    await this.page.sees('heading', 'Review swap');
    const wallet = await this.#opening(() => this.page.press('Swap'));
    await wallet.says('Swap 1 ETH');
    await this.#approve(wallet);
    await wallet.sees('heading', /^Swapped/);
    await this.#leave(wallet, /^(Done|Back to .+)$/);
    await this.page.says(/You got \d/);
    const got = (await dollars.getFunction('balanceOf')(address)) as bigint;
    assert.ok(got > parseEther('1900'), `got ${got}`);
  }

  async payByCard({ shop }: Shopping): Promise<void> {
    const session = await shop.newSession();
    await this.open(session.url);
    await this.page.sees('heading', 'Pay with card');
    await this.page.type('E-mail', 'mira@mail.example');
    await this.page.type('Card number', '4242424242424242');
    await this.page.type('Expiry date', `12${CARD_YEAR}`);
    await this.page.type('Security code', '123');
    await this.page.type('Name on card', 'Mira Holm');
    await this.page.press('Pay $52.36');
    await shop.heard(session.id, 'payment.succeeded');
    await this.page.sees('heading', 'The shop');
  }

  async payByWallet({ shop }: Shopping): Promise<void> {
    const { chain } = this.#market;
    const session = await shop.newSession();
    await this.open(session.url);
    await this.page.press('Wallet', 'radio');
    await this.page.press('Connect wallet');
    const linking = await this.#opening(() => this.page.press('I have one'));
    await this.#consent(linking);
    const wallet = await this.#opening(() => this.page.press(/^Pay [\d.]+ ETH$/));
    await this.#approve(wallet);
    await wallet.sees('heading', /^Sent/);
    await this.#leave(wallet, /^(Done|Back to .+)$/);
    await chain.send('anvil_mine', ['0x1']);
    await shop.heard(session.id, 'payment.succeeded');
    assert.ok((await chain.getBalance(RECEIVER)) > 0n);
    await this.page.sees('heading', 'The shop');
  }
}
