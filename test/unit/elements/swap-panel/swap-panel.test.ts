import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../../../../src/base/errors.ts';
import { ether, MAIN, SAVINGS, TOKEN, TRAVEL, TWO_NETWORKS, VAULT } from '../fake-connect.ts';
import { all, control, focused, maybe, nameOf, outcome, settle, text, textOf, type, until } from '../page.ts';
import {
  enter,
  market,
  OTHER,
  panel,
  press,
  quoted,
  ratesOf,
  requestsOf,
  review,
  TRC20,
  TRON_WALLET,
  tronMarket,
} from '../swap-page.ts';

const HASHES = [`0x${'5e'.repeat(32)}`, `0x${'91'.repeat(32)}`];
const results = (count: number) => HASHES.slice(0, count).map((transactionHash) => ({ transactionHash }));
const value = (element: Element, name: string) => (control(element, name) as HTMLInputElement).value;

function errorOf(element: Element, name: string): string {
  const field = control(element, name);
  const note = (element.shadowRoot as ShadowRoot).getElementById(field.getAttribute('aria-describedby')!);
  return field.getAttribute('aria-invalid') === 'true' ? textOf(note) : '';
}

async function reviewed(approvals: bigint[] = [], properties = {}) {
  const connect = market();
  connect.requests = (body) => requestsOf(body, approvals);
  const shown = await panel({ fromToken: TOKEN, toToken: '', amount: '500', ...properties }, connect);
  await quoted(shown.element);
  await review(shown.element);
  return shown;
}

async function started(approvals: bigint[] = []) {
  const shown = await reviewed(approvals);
  await press(shown.element, 'Swap');
  return shown;
}

type Started = Awaited<ReturnType<typeof started>>;

function progress({ connect }: Started, stage: 'broadcast' | 'confirmed' | 'failed', index: number): void {
  const { options } = connect.last;
  const requestId = options.requestId!;
  options.onProgress?.({ requestId, stage, transactionHash: HASHES[index] });
}

describe('swap-panel', () => {
  beforeEach(() => sessionStorage.clear());

  it('is a button until a wallet is linked, and then the panel', async () => {
    const { element, connect } = await panel({}, market(), []);
    expect(!!maybe(element, 'Swap')).to.equal(true);
    connect.setWallets([MAIN]);
    await until(element, () => !!maybe(element, 'Sell'));
    expect(text(element)).to.include('Enter an amount to see rates.');
  });

  it('offers to connect when it is pressed before', async () => {
    const { element } = await panel({ fromSecretType: 'ETHEREUM' }, market(), [SAVINGS]);
    await until(element, () => text(element).includes('No wallet is linked to this site'));
    expect(all(element, 'link-wallets')).to.have.length(1);
  });

  it('shows the rates of what is entered, best first and chosen', async () => {
    const { element, connect } = await panel();
    control(element, 'Sell').focus();
    await enter(element, 'Sell', '0,5');
    expect(connect.queries.at(-1)).to.deep.equal({
      walletId: 'main',
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      fromToken: '',
      toToken: TOKEN,
      amount: '0.5',
      orderType: 'SELL',
    });
    expect(value(element, 'Buy')).to.equal('997');
    expect((control(element, 'Northway, 997 USDX') as HTMLInputElement).checked).to.equal(true);
    expect(text(element)).to.include('NorthwayBest');
    expect(text(element)).to.include('You get at least992.015 USDX');
    expect(text(element)).to.include('1 ETH = 1,994 USDX');
    expect(text(element)).to.include('2 rates. Best: Northway, 997 USDX');
    expect(text(element)).to.include('Up to date');
    control(element, 'Openbook, 995 USDX').click();
    await settle(element);
    expect(value(element, 'Buy')).to.equal('995');
  });

  it('announces no rates to somebody who has not come to the panel', async () => {
    const { element } = await panel({ amount: '0.5' });
    await quoted(element);
    expect(text(element)).to.include('NorthwayBest').and.not.include('2 rates.');
    control(element, 'Sell').focus();
    await enter(element, 'Sell', '0,6');
    expect(text(element)).to.include('2 rates. Best: Northway');
  });

  it('has its heading at the level of the page’s outline', async () => {
    const { element } = await panel();
    const level = () => all(element, 'h2').map((each) => each.getAttribute('aria-level'));
    expect(level()).to.deep.equal([null]);
    element.setAttribute('heading-level', '4');
    await settle(element);
    expect(level()).to.deep.equal(['4']);
    await enter(element, 'Sell', '0,5');
    await review(element);
    expect(level()).to.deep.equal(['4']);
  });

  it('debounces typing into one request, and asks again on refresh', async () => {
    const { element, connect } = await panel();
    for (const typed of ['0', '0.', '0.2', '0.25']) type(control(element, 'Sell'), typed);
    await quoted(element);
    expect(connect.queries.map(({ amount }) => amount)).to.deep.equal(['0.25']);
    await press(element, 'Refresh rates');
    expect(connect.queries).to.have.length(2);
  });

  it('buys an exact amount if that is typed', async () => {
    const { element, connect } = await panel();
    await enter(element, 'Buy', '997');
    expect(connect.queries.at(-1)?.orderType).to.equal('BUY');
    expect(value(element, 'Sell')).to.equal('0.500001');
    expect(text(element)).to.include('You pay at most0.502501 ETH');
    await review(element);
    const { inputAmount, ...body } = connect.bodies.at(-1)!;
    expect(inputAmount).to.match(/^0\.50000000000000000\d$/);
    expect(body).to.deep.equal({
      walletId: 'main',
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      fromToken: '',
      toToken: TOKEN,
      outputAmount: '997',
      orderType: 'BUY',
      exchange: 'Northway',
      slippage: '0.5',
    });
    await until(element, () => text(element).includes('You get997 USDX'));
  });

  it('swaps on the network that the page has set, and says if there is none', async () => {
    const connect = market();
    connect.chainNetworks = TWO_NETWORKS;
    connect.balances['main base'] = ether('3000000000000000000');
    const { element, events } = await panel({ network: 'base' }, connect);
    await enter(element, 'Sell', '0.5');
    expect(connect.queries.at(-1)).to.include({ network: 'base', amount: '0.5' });
    expect(text(element)).to.include('3 available');
    await review(element);
    expect(connect.bodies.at(-1)).to.include({ network: 'base' });
    for (const read of ['swapPairs', 'balance', 'tokenBalances', 'prices'])
      expect(connect.readsElsewhere).to.include(`${read} main base`);
    await press(element, 'Swap');
    connect.outcome = { rawInputAmount: '1', rawOutputAmount: '1' };
    connect.statuses = { [HASHES[0]!]: 'confirmed' };
    connect.last.resolve(results(1));
    await until(element, () => connect.readsElsewhere.includes('transactionUrl main base'));
    expect(connect.readsElsewhere).to.include('swapOutcome main base');
    expect(events).to.deep.equal(['request', 'result']);
    const bad = await panel({ network: 'nowhere' }, Object.assign(market(), { chainNetworks: TWO_NETWORKS }));
    // What is drawn of an error is loaded after its event.
    await until(bad.element, () => /Could not swap.*Its owner can find the reason/.test(text(bad.element)));
    expect(text(bad.element)).to.not.include('could not be reached');
    expect(bad.events).to.include('error');
  });

  it('reverses the swap, and the amount stays with its token', async () => {
    const { element, connect } = await panel();
    await enter(element, 'Sell', '0.5');
    await press(element, 'Swap direction');
    await quoted(element);
    expect(!!maybe(element, 'Sell token: USDX') && !!maybe(element, 'Buy token: ETH')).to.equal(true);
    expect(connect.queries.at(-1)).to.include({
      orderType: 'BUY',
      amount: '0.5',
      fromToken: TOKEN,
      toToken: '',
    });
    expect(value(element, 'Buy')).to.equal('0.5');
  });

  it('finds tokens by name or address, by keyboard alone', async () => {
    const { element } = await panel();
    const focus = (name: string) => until(element, () => nameOf(focused()!) === name);
    control(element, 'Buy token: USDX').focus();
    await sendKeys({ press: 'Enter' });
    await focus('Search tokens');
    await sendKeys({ type: 'dai' });
    await until(element, () => all(element, '[role=option]').map(textOf).join() === 'DDAIX Ethereum0');
    await sendKeys({ press: 'Enter' });
    await focus('Buy token: DAIX');
    await sendKeys({ press: 'Enter' });
    await focus('Search tokens');
    await sendKeys({ type: 'nothing' });
    await until(element, () => text(element).includes('No token with this name'));
    await sendKeys({ press: 'Escape' });
    await focus('Buy token: DAIX');
  });

  it('changes both tokens when one is chosen for the other', async () => {
    const { element } = await panel();
    await press(element, 'Sell token: ETH');
    type(control(element, 'Search tokens'), 'USDX');
    await settle(element);
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(!!maybe(element, 'Sell token: USDX') && !!maybe(element, 'Buy token: ETH')).to.equal(true);
  });

  it('takes an unlisted token by its address', async () => {
    const connect = market();
    const address = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
    const { element } = await panel({}, connect);
    await press(element, 'Buy token: USDX');
    type(control(element, 'Search tokens'), address);
    await settle(element);
    expect(textOf(all(element, '[role=option]')[0]!)).to.include('Unlisted token 0x8f3C…A063');
    connect.tokenBalance = async () => ({ ...connect.tokens[0]!, tokenAddress: address, symbol: 'PEPE' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(!!maybe(element, 'Buy token: PEPE')).to.equal(true);
  });

  it('starts where the page says', async () => {
    const { element, connect } = await panel({
      fromToken: TOKEN,
      toToken: OTHER,
      amount: '10',
      orderType: 'BUY',
    });
    await quoted(element);
    expect(connect.queries.at(-1)).to.include({
      fromToken: TOKEN,
      toToken: OTHER,
      amount: '10',
      orderType: 'BUY',
    });
    element.amount = '20';
    await settle(element);
    await quoted(element);
    expect(connect.queries.at(-1)?.amount).to.equal('20');
  });

  it('leaves the fees when it fills in the maximum', async () => {
    const { element } = await panel();
    await press(element, 'Max');
    expect(value(element, 'Sell')).to.equal('1.274');
    expect(text(element)).to.include('Max leaves 0.01 ETH for the fees.');
  });

  it('leaves what the network asks for now, in its own coin', async () => {
    const connect = market();
    connect.chainNetworks = TWO_NETWORKS;
    const raw = 50n * 10n ** 18n;
    connect.balances['main base'] = { ...connect.balances['main']!, symbol: 'POL', rawBalance: String(raw) };
    const read: unknown[] = [];
    // A transfer costs up to 0.00315 POL: at 150 gwei, 63 times what fits the chain's own coin.
    connect.maxSpendable = async (id, to, options) => (read.push([id, to, options]), '49.99685');
    const { element } = await panel({ network: 'base' }, connect);
    await until(element, () => read.length > 0);
    await press(element, 'Max');
    expect(text(element)).to.include('Max leaves 0.063 POL for the fees.');
    expect(value(element, 'Sell')).to.equal('49.937');
    expect(read).to.deep.equal([['main', undefined, { network: 'base' }]]);
  });

  const BAD: Record<string, string> = {
    '': 'Enter an amount.',
    '1e3': 'Enter a number, for example 0.25.',
    '1,000': '1000 or 1.000?',
    '0': 'Enter an amount above 0.',
    '0.0000000000000000001': 'ETH has at most 18 digits after the point.',
    '2': 'You have 1.284 ETH.',
  };
  for (const [amount, error] of Object.entries(BAD))
    it(`says at its field what is wrong with “${amount}”`, async () => {
      const { element, connect } = await panel();
      await enter(element, 'Sell', amount);
      await review(element);
      expect(errorOf(element, 'Sell')).to.equal(error);
      expect(nameOf(focused()!)).to.equal('Sell');
      expect(connect.bodies).to.have.length(0);
    });

  it('says when an amount costs too much to buy', async () => {
    const { element } = await panel();
    await enter(element, 'Buy', '5000');
    expect(errorOf(element, 'Sell')).to.equal('You have 1.284 ETH.');
  });

  it('takes a custom slippage limit, within reason', async () => {
    const { element, connect } = await panel();
    await enter(element, 'Sell', '0.5');
    all<HTMLInputElement>(element, 'input[name=slippage]')[3]!.click();
    await settle(element);
    const own = 'Custom slippage limit in percent';
    for (const [typed, error] of [
      ['60', 'Enter a percentage from 0.01 to 50.'],
      ['0', 'Enter a percentage from 0.01 to 50.'],
      ['abc', 'Enter a percentage from 0.01 to 50.'],
      ['10', ''],
    ] as const) {
      type(control(element, own), typed);
      await settle(element);
      expect(errorOf(element, own)).to.equal(error);
    }
    expect(text(element)).to.include('A high limit lets others profit from your swap.');
    expect(text(element)).to.include('You get at least897.3 USDX');
    await review(element);
    expect(connect.bodies.at(-1)?.slippage).to.equal('10');
  });

  for (const [impact, said] of [
    [0.5, undefined],
    [4.2, 'Your swap moves the price by 4.2%'],
    [12, 'The size of your swap costs you 12%'],
  ] as const)
    it(`warns of a price impact of ${impact} %${said ? '' : ' not at all'}`, async () => {
      const connect = market();
      connect.rates = (query) => ratesOf(query, [3000], impact);
      const { element } = await panel({}, connect);
      await enter(element, 'Sell', '0.5');
      expect(all(element, '.alert').map((each) => textOf(each.querySelector('b')))).to.deep.equal(
        said ? [said] : [],
      );
    });

  it('says why there is no rate, and that the network is down', async () => {
    const connect = market();
    connect.rates = () => ({ exchangeRates: [], bestRate: null });
    const { element } = await panel({}, connect);
    await enter(element, 'Sell', '0.5');
    expect(text(element)).to.include('No exchange can do this swap');
    connect.rates = () => {
      throw new ConnectError('node.unreachable', 'Down.');
    };
    await press(element, 'Refresh rates');
    expect(text(element)).to.include('The network did not answer. Trying again.');
    connect.rates = (query) => ratesOf(query);
    await press(element, 'Refresh rates');
    expect(text(element).includes('did not answer')).to.equal(false);
    expect(!!maybe(element, 'Northway, 997 USDX')).to.equal(true);
  });

  it('says when nothing can be swapped', async () => {
    const connect = market();
    connect.pairs = [];
    const { element } = await panel({}, connect, [TRAVEL]);
    expect(text(element)).to.include('Nothing can be swapped on VeChain here.');
    connect.swapPairs = () => Promise.reject(new ConnectError('node.unreachable', 'Down.'));
    const down = await panel({}, connect, [MAIN]);
    expect(text(down.element)).to.include('The exchanges could not be reached');
  });

  it('says which coin pays the fee, and where it is shown', async () => {
    const { element } = await reviewed();
    expect(text(element)).to.include('Network feeIn ETH, shown at approval');
  });

  it('waits for the rate when Review is pressed before there is one', async () => {
    const connect = market();
    const answers: (() => void)[] = [];
    const { swapRates } = connect;
    connect.swapRates = (query) => new Promise((resolve) => answers.push(() => resolve(swapRates(query))));
    const { element } = await panel({}, connect);
    type(control(element, 'Sell'), '0.5');
    await settle(element);
    await press(element, 'Review');
    expect(control(element, 'Review').getAttribute('aria-disabled')).to.equal('true');
    expect(all(element, '[part~=button] .spin').length).to.equal(1);
    await until(element, () => answers.length === 1);
    answers[0]!();
    await until(element, () => text(element).includes('Review swap'));
    expect(connect.bodies).to.have.length(1);
  });

  it('waits for the pairs, and asks again if the network was down', async () => {
    const connect = market();
    const pairs = connect.pairs;
    connect.swapPairs = () => Promise.reject(new ConnectError('node.unreachable', 'Down.'));
    const { element } = await panel({ amount: '0.5' }, connect);
    expect(text(element)).to.include('The exchanges could not be reached');
    await review(element);
    expect(text(element)).to.include('There is no rate for this swap.');
    expect(control(element, 'Review').getAttribute('aria-disabled')).to.equal(null);
    connect.swapPairs = async () => pairs;
    await review(element);
    await until(element, () => text(element).includes('Review swap'));
  });

  it('says that there is no rate to review, and reviews nothing that was not asked for', async () => {
    const connect = market();
    connect.rates = () => ({ exchangeRates: [], bestRate: null });
    const { element } = await panel({}, connect);
    await enter(element, 'Sell', '0.5');
    await press(element, 'Review');
    await until(element, () => text(element).includes('There is no rate for this swap.'));
    expect(connect.queries).to.have.length(2);
    expect(text(element)).to.include('No exchange can do this swap');
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    connect.swapRates = async (query) => {
      await answered;
      return ratesOf(query);
    };
    type(control(element, 'Sell'), '0.6');
    await settle(element);
    await press(element, 'Review');
    answer();
    await enter(element, 'Sell', '0.7');
    expect(value(element, 'Buy')).to.equal('1395.8');
    expect(connect.bodies).to.have.length(0);
  });

  it('chooses the wallet that pays and the one that receives', async () => {
    const { element, connect } = await panel({}, market(), [MAIN, VAULT, TRAVEL]);
    await enter(element, 'Sell', '0.5');
    await press(element, 'Receive in Main wallet 0x71C7…976F');
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    await review(element);
    expect(connect.bodies.at(-1)).to.include({ walletId: 'main', destinationWalletId: 'vault' });
    expect(text(element)).to.include('Receive inVault');
  });

  it('reviews what the wallet will ask for', async () => {
    for (const [approvals, said] of [
      [[], 'You approve the swap in your wallet: 500 USDX for at least 0.248003… ETH by Northway.'],
      [[500_000_000n], 'first a limit of 500 USDX for Northway, then the swap.'],
      [[0n, 500_000_000n], 'the old limit of Northway is set to 0, then to 500 USDX, then comes the swap.'],
    ] as const) {
      const { element } = await reviewed([...approvals]);
      expect(text(element)).to.include(said);
      expect(text(element)).to.include('You sell500 USDX');
      expect(nameOf(focused()!)).to.equal('Review swap');
    }
  });

  it('reviews a swap on Tron, with its approvals', async () => {
    for (const [approvals, said] of [
      [[], 'You approve the swap in your wallet: 500 USDX for at least 1,990 TRX by SunSwap V2.'],
      [[500_000_000n], 'first a limit of 500 USDX for SunSwap V2, then the swap.'],
      [[0n, 500_000_000n], 'the old limit of SunSwap V2 is set to 0, then to 500 USDX, then comes the swap.'],
    ] as const) {
      const connect = tronMarket(approvals);
      const fields = { fromToken: TRC20, toToken: '', amount: '500' };
      const { element } = await panel(fields, connect, [TRON_WALLET]);
      await quoted(element);
      await review(element);
      expect(connect.bodies.at(-1)).to.include({
        walletId: 'tron',
        fromSecretType: 'TRON',
        toSecretType: 'TRON',
        fromToken: TRC20,
        toToken: '',
        exchange: 'SunSwap V2',
      });
      expect(text(element)).to.include(said);
    }
  });

  it('opens the wallet within the press of Swap, once', async () => {
    const { element, connect, events } = await reviewed();
    const answer = outcome(element.swap());
    control(element, 'Swap').click();
    expect(connect.asked.map(({ action }) => action)).to.deep.equal(['executeAll']);
    await settle(element);
    expect(maybe(element, 'Swap')).to.equal(undefined);
    connect.last.resolve(results(1));
    expect(await answer).to.equal('resolved');
    await settle(element);
    expect(events).to.deep.equal(['request', 'result']);
    expect(connect.asked).to.have.length(1);
  });

  it('follows each step to its end', async () => {
    const shown = await started([500_000_000n]);
    const { element, connect } = shown;
    expect(text(element)).to.include('Approve 500 USDXWaiting for your approval');
    expect(text(element)).to.include('Step 1 of 2. Approve 500 USDX: waiting for your approval');
    progress(shown, 'broadcast', 0);
    await settle(element);
    expect(text(element)).to.include('Approve 500 USDXWaiting for confirmation');
    progress(shown, 'confirmed', 0);
    progress(shown, 'broadcast', 1);
    connect.last.resolve(results(2));
    await settle(element);
    expect(text(element)).to.match(/Approve 500 USDXConfirmed in \d+ s/);
    expect(text(element)).to.include('You can leave this page. The swap goes on.');
    expect(all(element, 'button').filter((each) => nameOf(each) === 'Copy transaction hash')).to.have.length(
      2,
    );
    progress(shown, 'confirmed', 1);
    await settle(element);
    expect(text(element)).to.include('You got at least 0.248003… ETH');
    expect(text(element)).to.include('for 500 USDX from Main wallet, by Northway');
    const link = all<HTMLAnchorElement>(element, 'a')[0]!;
    expect([link.ariaLabel, link.href].join(' ')).to.equal(
      `View on explorer https://explorer.example/tx/${HASHES[1]}`,
    );
    await press(element, 'New swap');
    expect(value(element, 'Sell')).to.equal('');
    expect(sessionStorage.length).to.equal(0);
  });

  it('ends with what really went in and came out, by the network', async () => {
    const shown = await started();
    const { element, connect } = shown;
    connect.outcome = { rawInputAmount: '499000000', rawOutputAmount: '249310000000000000' };
    progress(shown, 'broadcast', 0);
    connect.last.resolve(results(1));
    progress(shown, 'confirmed', 0);
    await until(element, () => text(element).includes('You got 0.24931 ETH'));
    expect(text(element)).to.include('for 499 USDX from Main wallet, by Northway');
  });

  it('keeps a balance that the node does not answer any more', async () => {
    const { element, connect } = await panel({}, market());
    connect.balances['main'] = ether('1284000000000000000');
    await enter(element, 'Sell', '0.5');
    await until(element, () => text(element).includes('1.284 available'));
    connect.balances['main'] = { ...ether('0'), available: false };
    await press(element, 'Refresh rates');
    await quoted(element);
    expect(text(element)).to.include('1.284 available');
  });

  it('asks the network itself when the wallet was closed', async () => {
    const { element, connect } = await started();
    connect.last.resolve(results(1));
    connect.statuses[HASHES[0]!] = 'failed';
    await until(element, () => text(element).includes('Failed: the exchange refused it'));
    await press(element, 'Try again');
    expect(value(element, 'Sell')).to.equal('500');
  });

  it('goes back to the review when nothing was approved', async () => {
    const { element, connect, events } = await started();
    connect.last.reject(new UserRejectedError());
    await settle(element);
    expect(text(element)).to.include('You rejected the request');
    expect(events).to.deep.equal(['request', 'cancel']);
    await press(element, 'Swap');
    expect(connect.asked).to.have.length(2);
    expect(connect.asked[0]!.options.requestId === connect.asked[1]!.options.requestId).to.equal(false);
  });

  it('keeps what was sent before it stopped', async () => {
    const { element, connect, events } = await started([500_000_000n]);
    connect.last.reject(new ConnectError('user.rejected', 'No.', { completed: results(1) }));
    await settle(element);
    expect(text(element)).to.include('Approve 500 USDXConfirmed');
    expect(text(element)).to.include('You stopped it here. It was not sent.');
    expect(events).to.deep.equal(['request', 'cancel']);
    await press(element, 'Cancel');
    expect(value(element, 'Sell')).to.equal('');
  });

  it('shows an error, and starts over', async () => {
    const { element, connect, events } = await started();
    connect.last.reject(new ConnectError('transaction.refused', 'Words of a node.'));
    await settle(element);
    expect(text(element)).to.include('The network refused the transaction.');
    expect(text(element)).not.to.include('Words of a node.');
    expect(events).to.deep.equal(['request', 'error']);
    await press(element, 'Try again');
    expect(value(element, 'Sell')).to.equal('500');
  });

  it('lets the page refuse', async () => {
    const { element, connect, events } = await reviewed();
    element.addEventListener('connect-request', (event) => event.preventDefault(), { once: true });
    await press(element, 'Swap');
    expect(connect.asked).to.have.length(0);
    expect(events).to.deep.equal(['request', 'cancel']);
  });

  it('rejects the promise when it is removed', async () => {
    const { element, events } = await panel();
    const answer = outcome(element.swap());
    await settle(element);
    const heard = new Promise((hear) => document.addEventListener('connect-cancel', hear, { once: true }));
    element.remove();
    expect(await answer).to.equal('user.rejected');
    // Nobody listens to the element itself any more.
    await heard;
    expect(events).to.deep.equal([]);
  });

  /** The user comes back to the page after a while. */
  async function later(element: Parameters<typeof settle>[0]) {
    const { now } = Date;
    Date.now = () => now() + 20_000;
    document.dispatchEvent(new Event('visibilitychange'));
    Date.now = now;
    await settle(element);
  }

  it('says how far the price moved, and goes on with the new one', async () => {
    const { element, connect } = await reviewed();
    connect.rates = (query) => ratesOf(query, [4000, 5000]);
    await later(element);
    expect(text(element).includes('The price moved')).to.equal(false);
    connect.rates = (query) => ratesOf(query, [11_000, 12_000]);
    await later(element);
    expect(text(element)).to.include('The new rate is 0.8% lower than the one you reviewed.');
    await press(element, 'Swap');
    expect(connect.asked).to.have.length(0);
    await press(element, 'Use the new rate');
    expect(text(element).includes('The price moved')).to.equal(false);
    expect(connect.bodies.at(-1)?.outputAmount).to.equal('0.24725');
    await press(element, 'Swap');
    expect(connect.asked).to.have.length(1);
  });

  it('says that there is no rate left for what was reviewed', async () => {
    const { element, connect } = await reviewed();
    connect.rates = () => ({ exchangeRates: [], bestRate: null });
    await later(element);
    expect(text(element)).to.include('Northway no longer has a rate for this swap.');
    await press(element, 'Cancel');
    expect(text(element)).to.include('No exchange can do this swap');
  });

  it('says at its field that the balance is too low by now, and names other refusals', async () => {
    const { element, connect } = await reviewed();
    await press(element, 'Back');
    const refusals: [ConnectError, string][] = [
      [new ConnectError('swap.no-exchange-found', 'x'), 'No exchange can do this swap'],
      [new ConnectError('node.unreachable', 'x'), 'The network did not answer. Try again in a moment.'],
      [new ConnectError('swap.northway.get-price.failed', 'x', { reason: 'moved' }), 'Getting new rates.'],
      [new ConnectError('swap.northway.allowance-error', 'x'), 'The exchange cannot take this token.'],
      [
        new ConnectError('swap.northway.get-price.failed', 'x', { reason: 'liquidity' }),
        'Try a smaller amount or another token.',
      ],
      [new ConnectError('request.invalid', 'x'), 'Try again, or choose another exchange.'],
      [
        new ConnectError('transaction.insufficient-funds', 'The wallet has less.'),
        'Not enough funds in this wallet.',
      ],
    ];
    for (const [error, said] of refusals) {
      connect.requests = () => {
        throw error;
      };
      await review(element);
      await until(element, () => text(element).includes(said));
    }
    expect(errorOf(element, 'Sell')).to.equal('Not enough funds in this wallet.');
    expect(value(element, 'Sell')).to.equal('500');
  });
});

describe('swap-panel after a reload', () => {
  beforeEach(() => sessionStorage.clear());

  /** A new panel, as after a reload. */
  async function reloaded(before: Started, answers: Started['connect']['answers'] = []) {
    const connect = market();
    connect.answers = answers;
    const kept = sessionStorage.getItem('carabiner:swap')!;
    before.element.remove();
    // A request that this page still waits for is not lost; a reloaded page would not know it.
    before.connect.last.reject(new FrameUnreachableError('gone', { requestId: 'x' }));
    await settle(before.element);
    sessionStorage.setItem('carabiner:swap', kept);
    const shown = await panel({}, connect);
    await settle(shown.element);
    return shown;
  }

  const idOf = ({ connect }: Started) => connect.last.options.requestId!;

  it('shows the swap whose answer the page is owed, to its end', async () => {
    const before = await started([500_000_000n]);
    progress(before, 'broadcast', 0);
    await settle(before.element);
    const { element, connect, events } = await reloaded(before, [
      { requestId: idOf(before), action: 'executeAll', state: 'done', result: results(2) },
    ]);
    await until(element, () => events.length > 0);
    expect(events).to.deep.equal(['result']);
    expect(text(element)).to.include('Approve 500 USDXConfirmed');
    connect.statuses[HASHES[1]!] = 'confirmed';
    await until(element, () => text(element).includes('You got at least 0.248003… ETH'));
  });

  it('offers to look it up when the outcome is unknown', async () => {
    const before = await started([500_000_000n]);
    const { element, connect } = await reloaded(before, [
      { requestId: idOf(before), action: 'executeAll', state: 'unknown' },
    ]);
    await press(element, 'Check in wallet');
    expect(connect.last.action).to.equal('resume');
    connect.last.reject(
      new ConnectError('frame.unreachable', 'The wallet closed before all were sent.', {
        completed: results(1),
      }),
    );
    await settle(element);
    expect(text(element)).to.include('Approve 500 USDXConfirmed');
    expect(text(element)).to.include('The wallet was closed before it was sent.');
    expect(!!maybe(element, 'Try again')).to.equal(true);
  });

  it('is back at the form when nothing was approved', async () => {
    const before = await started();
    const { element } = await reloaded(before);
    expect(text(element)).to.include('Your last swap was not approved');
    expect(value(element, 'Sell')).to.equal('500');
  });

  it('starts over once the user has seen the end of a swap', async () => {
    const before = await started();
    before.connect.last.resolve(results(1));
    await settle(before.element);
    expect(sessionStorage.length).to.equal(1);
    progress(before, 'confirmed', 0);
    await settle(before.element);
    expect(text(before.element)).to.include('You got at least 0.248003… ETH');
    // As when the page is left.
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    try {
      document.dispatchEvent(new Event('visibilitychange'));
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
    expect(sessionStorage.length).to.equal(0);
    before.element.remove();
    const { element } = await panel({}, market());
    expect(value(element, 'Sell')).to.equal('');
    expect(text(element).includes('You got')).to.equal(false);
  });

  it('shows an end that the user has not seen', async () => {
    const before = await started();
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    try {
      before.connect.last.resolve(results(1));
      await settle(before.element);
      progress(before, 'confirmed', 0);
      await settle(before.element);
      before.element.remove();
      const { element } = await panel({}, market());
      await until(element, () => text(element).includes('You got at least 0.248003… ETH'));
      Reflect.deleteProperty(document, 'hidden');
      document.dispatchEvent(new Event('visibilitychange'));
      expect(sessionStorage.length).to.equal(0);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('reports a swap that arrives without a note', async () => {
    const connect = market();
    const { element, events } = await panel({}, connect);
    connect.arrive({ requestId: 'note-less-1', action: 'executeAll', state: 'done', result: results(1) });
    await settle(element);
    expect(events).to.deep.equal(['result']);
    expect(text(element)).to.include('Your last swap is on its way');
  });
});
