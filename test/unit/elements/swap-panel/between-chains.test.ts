/** `<swap-panel>` where an exchange swaps between Ethereum and Bitcoin. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import { COLD, ether, MAIN, SAVINGS, TRAVEL, VAULT, wallet } from '../fake-connect.ts';
import { all, control, focused, maybe, nameOf, settle, text, textOf, type, until } from '../page.ts';
import { choose, crossMarket, enter, market, panel, press, quoted, review } from '../swap-page.ts';

const HASH = '5e'.repeat(32);
const RISK =
  'Validators of THORChain hold the coins until they pay out. It cannot be cancelled. If it fails, about 0.995 ETH comes back.';

const value = (element: Element, name: string) => (control(element, name) as HTMLInputElement).value;
const options = (element: Element) => all(element, '[role=option]').map(textOf);

async function across(wallets = [MAIN, SAVINGS], connect = crossMarket()) {
  const shown = await panel({}, connect, wallets);
  await choose(shown.element, 'Buy', 'bitcoin');
  return shown;
}

async function reviewed(connect = crossMarket()) {
  const shown = await across([MAIN, SAVINGS], connect);
  await enter(shown.element, 'Sell', '1');
  await review(shown.element);
  return shown;
}

describe('swap-panel, between chains', () => {
  beforeEach(() => sessionStorage.clear());

  it('lists the assets of all chains by name and chain, those that are held first', async () => {
    const { element } = await panel({}, crossMarket(), [MAIN, SAVINGS, COLD]);
    await press(element, 'Sell token: ETH');
    await until(element, () => options(element).length === 4);
    expect(options(element)).to.deep.equal([
      'ETH Ethereum1.284',
      'UUSDX Ethereum812.4',
      'BTC Bitcoin0.009',
      'DDAIX Ethereum0',
    ]);
    expect(all(element, '[role=option]').map((each) => each.ariaSelected)).to.deep.equal([
      'true',
      ...Array(3).fill('false'),
    ]);
    type(control(element, 'Search tokens'), 'btc bit');
    await settle(element);
    expect(options(element)).to.deep.equal(['BTC Bitcoin0.009']);
  });

  it('pays with the wallet that holds what is chosen, by keyboard alone', async () => {
    const { element, connect } = await panel({}, crossMarket(), [MAIN, SAVINGS, COLD]);
    control(element, 'Sell token: ETH').focus();
    await sendKeys({ press: 'Enter' });
    await until(element, () => nameOf(focused()!) === 'Search tokens' && options(element).length === 4);
    await sendKeys({ type: 'bitcoin' });
    await sendKeys({ press: 'Enter' });
    await until(element, () => !!maybe(element, 'Sell token: BTC'));
    await enter(element, 'Sell', '0.005');
    expect(connect.queries.at(-1)).to.deep.equal({
      walletId: 'cold',
      fromSecretType: 'BITCOIN',
      toSecretType: 'ETHEREUM',
      fromToken: '',
      toToken: connect.tokens[0]!.tokenAddress,
      amount: '0.005',
      orderType: 'SELL',
      slippage: '0.5',
    });
    expect(text(element)).to.include('Receive in Main wallet');
  });

  it('says what a swap costs, how long it takes and what can happen, before Review', async () => {
    const { element } = await across();
    await enter(element, 'Sell', '1');
    expect(value(element, 'Buy')).to.equal('0.03');
    for (const said of [
      'You get at least0.02985 BTC',
      'RouteTHORChain',
      'It takesabout 10 minutes',
      'Network feeIn ETH, shown at approval',
      'Exchange fee, included0.00003 BTC',
      'Payout fee, included0.00006 BTC',
      RISK,
    ])
      expect(text(element)).to.include(said);
    expect(all(element, '.receiver > .whole').map(textOf)).to.deep.equal([SAVINGS.address]);
  });

  it('promises the least that the exchange computes', async () => {
    const connect = crossMarket();
    const { rates } = connect;
    connect.rates = (query) => {
      const answer = rates(query);
      Object.assign(answer.bestRate?.crossChain ?? {}, { rawMinimumOutput: '2912345' });
      return answer;
    };
    const { element } = await reviewed(connect);
    expect(text(element)).to.include('You get at least0.0291234… BTC');
    expect(text(element)).to.include('1 ETH for at least 0.0291234… BTC by THORChain');
  });

  it('asks for the limit that the user has chosen', async () => {
    const { element, connect } = await across();
    await enter(element, 'Sell', '1');
    all<HTMLInputElement>(element, 'input[name=slippage]')[2]!.click();
    await settle(element);
    await quoted(element);
    expect(connect.queries.at(-1)?.slippage).to.equal('1');
    expect(text(element)).to.include('You get at least0.0297 BTC');
  });

  it('reviews it for the wallet that the user has chosen to receive', async () => {
    const { element, connect } = await across([MAIN, SAVINGS, COLD]);
    await enter(element, 'Sell', '1');
    await press(element, nameOf(all(element, '.picker button').at(-1)!));
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    await review(element);
    expect(connect.bodies.at(-1)).to.deep.equal({
      walletId: 'main',
      fromSecretType: 'ETHEREUM',
      toSecretType: 'BITCOIN',
      fromToken: '',
      toToken: '',
      inputAmount: '1',
      outputAmount: '0.03',
      orderType: 'SELL',
      exchange: 'THORChain',
      slippage: '0.5',
      destinationWalletId: 'cold',
    });
    expect(text(element)).to.include(RISK);
    expect(all(element, 'dd > .whole').map(textOf)).to.deep.equal([COLD.address]);
  });

  it('says what to do without a wallet of the other chain, and reviews nothing', async () => {
    const { element, connect } = await across([MAIN]);
    expect(text(element)).to.include('You need a Bitcoin wallet to receive it.');
    expect(all(element, 'link-wallets')).to.have.length(1);
    await enter(element, 'Sell', '1');
    await review(element);
    expect(connect.bodies).to.have.length(0);
    connect.setWallets([MAIN, SAVINGS]);
    await settle(element);
    await review(element);
    expect(connect.bodies.at(-1)).to.include({ destinationWalletId: 'savings' });
  });

  it('goes back to what is sold if the exchange buys no exact amount', async () => {
    const { element, connect } = await across();
    await enter(element, 'Sell', '1');
    control(element, 'Buy').focus();
    await enter(element, 'Buy', '0.05');
    await until(element, () => value(element, 'Buy') === '0.03');
    expect(connect.queries.map(({ orderType }) => orderType)).to.deep.equal(['SELL', 'BUY', 'SELL']);
    expect(value(element, 'Sell')).to.equal('1');
    expect(text(element)).to.include('THORChain takes an exact amount to sell only.');
    expect(nameOf(focused()!)).to.equal('Sell');
    expect((control(element, 'Buy') as HTMLInputElement).readOnly).to.equal(true);
    await choose(element, 'Buy', 'usdx');
    expect((control(element, 'Buy') as HTMLInputElement).readOnly).to.equal(false);
  });

  for (const [reason, said, isOpen] of [
    ['halted', 'The exchange does not trade on one of the two chains now. Try again later.', false],
    ['dust', 'The amount is too small for a swap between chains. Try a larger one.', true],
  ] as const)
    it(`says that it is not available now, and why in Details: ${reason}`, async () => {
      const connect = crossMarket();
      const noRate = {
        exchange: 'THORChain',
        code: 'swap.thorchain.unavailable',
        message: 'Swap at least 0.1 ETH.',
      };
      connect.rates = () => ({
        exchangeRates: [],
        bestRate: null,
        noRates: [{ ...noRate, details: { reason } }],
      });
      const { element } = await across([MAIN, SAVINGS], connect);
      await enter(element, 'Sell', '1');
      const [alert] = all(element, '.alert');
      expect(textOf(alert!)).to.equal(`Not available nowDetailsTHORChain: ${said}Swap at least 0.1 ETH.`);
      expect(alert!.querySelector('details')!.open).to.equal(isOpen);
      expect(text(element).includes('No exchange can do this swap')).to.equal(false);
    });

  it('says why it cannot be built', async () => {
    for (const [error, said] of [
      [
        new ConnectError('swap.thorchain.unavailable', 'No.', { reason: 'contract' }),
        'Not available nowOne of the two wallets has a contract, so the coins could be lost. Choose another wallet.',
      ],
      [
        new RequestInvalidError([{ path: 'destinationWalletId', message: 'must be a wallet on Bitcoin' }]),
        'This wallet is on another network. Choose another one to receive it.',
      ],
    ] as const) {
      const connect = crossMarket();
      connect.createSwap = () => Promise.reject(error);
      const { element } = await reviewed(connect);
      await until(element, () => text(element).includes(said));
    }
  });

  it('turns round with the two wallets', async () => {
    const { element, connect } = await across();
    await enter(element, 'Sell', '1');
    await press(element, 'Swap direction');
    await quoted(element);
    expect(connect.queries.at(-1)).to.include({
      walletId: 'savings',
      fromSecretType: 'BITCOIN',
      toSecretType: 'ETHEREUM',
      toToken: '',
      amount: '0.03',
      orderType: 'SELL',
    });
    expect(text(element)).to.include('You have 0.0025 BTC.');
    expect(text(element)).to.include('Receive in Main wallet');
  });

  it('counts 8 digits after the point, and fills in no more', async () => {
    const connect = crossMarket();
    connect.balances['main'] = ether('1284000000123456789');
    const { element } = await across([MAIN, SAVINGS], connect);
    await enter(element, 'Sell', '0.123456789');
    await review(element);
    expect(text(element)).to.include('Between chains, only 8 digits after the point count.');
    await press(element, 'Max');
    expect(value(element, 'Sell')).to.equal('1.274');
  });

  it('is sent, and claims nothing about what arrives', async () => {
    const { element, connect, events } = await reviewed();
    let reads = 0;
    connect.swapOutcome = async () => (reads++, null);
    await press(element, 'Swap');
    connect.statuses = { [HASH]: 'pending' };
    connect.last.resolve([{ transactionHash: HASH }]);
    await until(element, () => text(element).includes('Sent, on its way: about 10 minutes'));
    expect(text(element)).to.include('1 ETH from Main wallet, by THORChain, for about 0.03 BTC in Savings');
    expect(text(element)).to.include('Follow it in your wallet, under Activity.');
    await until(element, () => all(element, 'a').length === 1);
    connect.statuses = { [HASH]: 'confirmed' };
    const { options: asked } = connect.last;
    asked.onProgress?.({ requestId: asked.requestId!, stage: 'confirmed', transactionHash: HASH });
    await settle(element);
    expect(text(element)).to.match(/^(?!.*You got)/);
    expect(reads).to.equal(0);
    expect(events).to.deep.equal(['request', 'result']);
    await press(element, 'New swap');
    expect(value(element, 'Sell')).to.equal('');
  });

  it('says that a deposit failed on its own chain', async () => {
    const { element, connect } = await reviewed();
    await press(element, 'Swap');
    const { options: asked } = connect.last;
    asked.onProgress?.({ requestId: asked.requestId!, stage: 'broadcast', transactionHash: HASH });
    connect.last.resolve([{ transactionHash: HASH }]);
    await settle(element);
    asked.onProgress?.({ requestId: asked.requestId!, stage: 'failed', transactionHash: HASH });
    await settle(element);
    expect(text(element)).to.include('Send 1 ETH to THORChain');
    expect(text(element)).to.include('Only the fee was spent.');
  });

  it('starts on the chain that the page names, and stays there', async () => {
    const { element, connect } = await panel(
      { toSecretType: 'BITCOIN', amount: '1', destinationWalletId: 'cold' },
      crossMarket(),
      [MAIN, SAVINGS, COLD],
    );
    await quoted(element);
    expect(connect.queries.at(-1)).to.include({ toSecretType: 'BITCOIN', toToken: '' });
    expect(text(element)).to.include('Receive in Cold storage');
    await press(element, 'Buy token: BTC');
    expect(options(element)).to.deep.equal(['BTC Bitcoin0.009']);
  });

  it('is not offered from a wallet of another program, which may leave out what the coins are for', async () => {
    const other = wallet('other', 'Other', MAIN.address, { walletType: 'EXTERNAL' });
    const { element } = await panel({}, crossMarket(), [other, SAVINGS]);
    await press(element, 'Buy token: USDX');
    expect(options(element).join()).to.not.include('Bitcoin');
  });

  it('has no form where nothing can be swapped', async () => {
    const connect = market();
    connect.pairs = [];
    const aeternity = wallet('ae', 'Spare', 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', {
      secretType: 'AETERNITY',
    });
    for (const [only, chain] of [
      [SAVINGS, 'Bitcoin'],
      [aeternity, 'Aeternity'],
    ] as const) {
      const { element } = await panel({}, connect, [only]);
      await until(element, () => text(element).includes(`Nothing can be swapped on ${chain} here.`));
      expect(all(element, 'input')).to.have.length(0);
      expect(maybe(element, 'Review')).to.equal(undefined);
      expect(all(element, 'link-wallets')).to.have.length(1);
    }
  });

  it('offers what it did where no exchange is between chains', async () => {
    const { element } = await panel({}, market(), [MAIN, VAULT, TRAVEL]);
    await press(element, 'Buy token: USDX');
    expect(options(element)).to.deep.equal(['UUSDX Ethereum812.4', 'DDAIX Ethereum0']);
  });
});
