import { expect } from '@open-wc/testing';
import { RequestInvalidError } from '../../../src/base/errors.ts';
import type { AssetPrices } from '../../../src/prices/prices.ts';
import { writeAmountsIn } from '../../../src/ui/amount-text.ts';
import { ether, FakeConnect, MAIN, TOKEN, VAULT } from './fake-connect.ts';
import { all, control, focused, loaded, settle, show, text, textOf, type, until } from './page.ts';
import { enter, market, panel, press, ratesOf } from './swap-page.ts';

const MINUTE = 60_000;

function list(currency: string, at = Date.now(), price = 2450): AssetPrices {
  return {
    currency,
    prices: [
      { tokenAddress: '', symbol: 'ETH', price, at },
      { tokenAddress: TOKEN, symbol: 'USDX', price: 1, at },
    ],
  };
}

function priced(connect = new FakeConnect()): FakeConnect {
  connect.balances = { main: ether('1284000000000000000') };
  connect.priceLists = { '': list('USD'), EUR: list('EUR', Date.now(), 2000) };
  return connect;
}

const values = (element: Element) => all(element, '.worth').map(textOf);

describe('what amounts are worth, on a page', () => {
  beforeEach(() => writeAmountsIn('en-US'));
  afterEach(() => writeAmountsIn());

  it('is below each balance of manage-wallets', async () => {
    const { element } = await show('manage-wallets', { chain: 'ETHEREUM' }, [MAIN], priced());
    await loaded(element);
    await until(element, () => values(element).length > 0);
    expect(text(element)).to.include('1.284 ETH$3,145.80');
  });

  it('is beside the balance and the typed amount of a transfer, which is rounded up', async () => {
    const { element } = await show('transfer-dialog', { to: MAIN.address }, [MAIN], priced());
    element.show().catch(() => {});
    await loaded(element);
    await until(element, () => values(element).length === 1);
    expect(values(element)).to.deep.equal(['$3,145.80']);
    type(control(element, 'Amount'), '0.250001');
    await settle(element);
    expect(values(element)).to.deep.equal(['$3,145.80', '$612.51']);
    type(control(element, 'Amount'), 'x');
    await settle(element);
    expect(values(element)).to.deep.equal(['$3,145.80']);
    element.remove();
  });

  describe('of a transfer, typed in the currency', () => {
    async function form(connect = priced(), properties = {}, wallets = [MAIN]) {
      const { element } = await show(
        'transfer-dialog',
        { to: MAIN.address, ...properties },
        wallets,
        connect,
      );
      const answer = element.show();
      answer.catch(() => {});
      await loaded(element);
      await until(element, () => values(element).length > 0);
      await settle(element);
      const amount = () => control(element, 'Amount') as HTMLInputElement;
      /** By the beginning of its name: a figure may follow. */
      const press = async (name: string) => {
        all(element, 'button')
          .find((one) => textOf(one).startsWith(name))!
          .click();
        await settle(element);
      };
      const enter = async (value: string) => {
        type(amount(), value);
        await settle(element);
      };
      return { element, connect, answer, amount, press, enter };
    }

    it('sends the coins that it buys, and says at which price', async () => {
      const { element, connect, answer, amount, press, enter } = await form();
      await press('Enter dollars');
      expect(amount()).to.equal(focused());
      await enter('600');
      expect(text(element)).to.include('$').and.include('0.244897 ETH');
      expect(text(element)).to.match(
        /1 ETH is \u2066\$2,450\.00\u2069 at .*The amount in ETH is what is sent\./,
      );
      await expect(element).to.be.accessible();
      await press('Continue');
      expect(connect.last.params).to.include({ value: '0.244897' });
      connect.last.resolve({ transactionHash: '0x1' });
      await answer;
      element.remove();
    });

    it('takes over what was typed, both ways, and Max is coins', async () => {
      const { element, amount, press, enter } = await form();
      await enter('0.25');
      control(element, 'Enter dollars, $612.50');
      await press('Enter dollars');
      expect(amount().value).to.equal('612.5');
      await press('Enter ETH');
      expect(amount().value, 'not by way of the currency').to.equal('0.25');
      await press('Enter dollars');
      await press('Max');
      expect(text(element)).to.not.include('Enter ETH');
      expect(amount().value).to.match(/^1\.2/);
      element.remove();
    });

    it('is told what is no amount, as it was typed', async () => {
      const { element, press, enter } = await form();
      await press('Enter dollars');
      await enter('1.234,5,6');
      await press('Continue');
      expect(text(element)).to.include('Enter a number').and.include('0 ETH');
      element.remove();
    });

    it('stays at the price at which it was typed until the next digit', async () => {
      const { element, connect, press, enter } = await form();
      await press('Enter dollars');
      await enter('600');
      connect.priceLists[''] = list('USD', Date.now(), 3000);
      const { now } = Date;
      Date.now = () => now() + MINUTE;
      try {
        const asked = connect.pricesAsked.length;
        element.requestUpdate();
        await until(element, () => connect.pricesAsked.length > asked);
        await settle(element);
        expect(text(element)).to.include('0.244897 ETH').and.include('$2,450.00');
        await enter('6000');
        expect(text(element)).to.include('2 ETH').and.include('$3,000.00');
      } finally {
        Date.now = now;
        element.remove();
      }
    });

    it('is coins again for another token, and from another wallet', async () => {
      const connect = priced();
      connect.tokens = [
        {
          tokenAddress: TOKEN,
          rawBalance: '2500000',
          balance: 2.5,
          decimals: 6,
          symbol: 'USDX',
          logo: '',
          type: 'ERC20',
          transferable: true,
        },
      ];
      const { element, press } = await form(connect, {}, [MAIN, VAULT]);
      const choose = async (opener: string, index: number) => {
        control(element, opener).click();
        await until(element, () => all(element, '[role=option]').length > index);
        all<HTMLElement>(element, '[role=option]')[index]!.click();
        await settle(element);
      };
      await press('Enter dollars');
      await choose('Token: ETH', 1);
      expect(text(element)).to.not.include('Enter USDX');
      await press('Enter dollars');
      expect(text(element)).to.include('Enter USDX');
      await choose('From Main wallet 0x71C7…976F', 1);
      await until(element, () => text(element).includes('Enter dollars'));
      expect(text(element)).to.not.match(/Enter (ETH|USDX)/);
      element.remove();
    });

    it('is not offered for an amount of the page', async () => {
      const { element } = await form(priced(), { to: '', value: '0.25' });
      expect(values(element)).to.include('$612.50');
      expect(text(element)).to.not.include('Enter dollars');
      element.remove();
    });
  });

  it('is in the currency of the attribute, and changes with it', async () => {
    const connect = priced();
    const { element } = await show('manage-wallets', { chain: 'ETHEREUM', currency: 'eur' }, [MAIN], connect);
    await loaded(element);
    await until(element, () => values(element).length > 0);
    expect(values(element)).to.deep.equal(['€2,568.00']);
    element.removeAttribute('currency');
    element.currency = undefined;
    await until(element, () => values(element)[0] === '$3,145.80');
    expect(connect.pricesAsked).to.deep.equal(['EUR', undefined]);
  });

  it('is left out in a currency that the wallet does not have, and the console names the field, once', async () => {
    const { warn } = console;
    const warned: string[] = [];
    console.warn = (message: string) => void warned.push(message);
    try {
      const connect = priced();
      connect.prices = async () => {
        throw new RequestInvalidError([
          { path: 'currency', message: 'is not one that this wallet has prices in' },
        ]);
      };
      const { element } = await show(
        'manage-wallets',
        { chain: 'ETHEREUM', currency: 'XXX' },
        [MAIN],
        connect,
      );
      await loaded(element);
      await until(element, () => warned.length > 0);
      expect(warned).to.have.length(1);
      expect(warned[0]).to.include('<manage-wallets>').and.include('currency');
      expect(values(element)).to.deep.equal([]);
    } finally {
      console.warn = warn;
    }
  });

  it('says how old it is after five minutes, and is not there after an hour', async () => {
    const connect = priced();
    connect.priceLists[''] = list('USD', Date.now() - 12 * MINUTE);
    const { element } = await show('manage-wallets', { chain: 'ETHEREUM' }, [MAIN], connect);
    await loaded(element);
    await until(element, () => values(element).length > 0);
    expect(values(element)).to.deep.equal(['$3,145.80 · 12 min old']);
    const { now } = Date;
    Date.now = () => now() + 49 * MINUTE;
    try {
      element.requestUpdate();
      await settle(element);
      expect(values(element)).to.deep.equal([]);
      expect(text(element)).to.include('1.284 ETH');
    } finally {
      Date.now = now;
    }
  });

  it('is nowhere without a source, and without a price of this token', async () => {
    const connect = priced();
    connect.priceLists = {};
    const { element } = await show('manage-wallets', { chain: 'ETHEREUM' }, [MAIN], connect);
    await loaded(element);
    await until(element, () => connect.pricesAsked.length > 0);
    await settle(element);
    expect(values(element)).to.deep.equal([]);
  });

  it('is beside both amounts of a swap, its fee and what another exchange gives less', async () => {
    const connect = priced(market());
    connect.rates = (query) => {
      const rates = ratesOf(query);
      for (const rate of rates.exchangeRates)
        rate.networkFee = { symbol: 'ETH', decimals: 18, amount: 0.0004, rawAmount: '419010000000000' };
      return rates;
    };
    const { element } = await panel({ fromToken: TOKEN, toToken: '' }, connect);
    await enter(element, 'Sell', '500');
    await until(element, () => values(element).length >= 3);
    expect(values(element)[0]).to.equal('$500.00');
    // 0.24925 ETH.
    expect(values(element)[1]).to.equal('$610.66');
    const rows = all(element, '.rate').map(textOf);
    expect(rows[0]).to.include('NorthwayBestFee 0.000420 ETH').and.include('$610.66');
    expect(rows[1])
      .to.include('OpenbookFee 0.000420 ETH')
      .and.match(/−\$1\.23$/);
    expect(text(element)).to.include('Compared by what you get, less the network fee.');
    expect(text(element)).to.match(/Network feeabout 0\.000420 ETH.*\$1\.03/);
  });

  it('says in words that another exchange gives hardly less, with no sign before them', async () => {
    const connect = priced(market());
    connect.rates = (query) => ratesOf(query, [3000, 3001]);
    const { element } = await panel({ fromToken: TOKEN, toToken: '' }, connect);
    await enter(element, 'Sell', '500');
    await until(element, () => values(element).length >= 2);
    expect(textOf(all(element, '.rate')[1]!)).to.match(/less than \$0\.01 less$/);
  });

  it('is beside both amounts of the review, and beside what really came out', async () => {
    const connect = priced(market());
    const { element } = await panel({ fromToken: TOKEN, toToken: '' }, connect);
    await enter(element, 'Sell', '500');
    await until(element, () => values(element).length >= 2);
    await press(element, 'Review');
    await until(element, () => text(element).includes('Review swap'));
    expect(all(element, '.delta b').map(textOf)).to.deep.equal(['500 USDX$500.00', '0.24925 ETH$610.66']);
    await press(element, 'Swap');
    connect.outcome = { rawInputAmount: '500000000', rawOutputAmount: '249310000000000000' };
    const { options, resolve } = connect.last;
    const transactionHash = `0x${'5'.repeat(64)}`;
    const tell = (stage: 'broadcast' | 'confirmed') =>
      options.onProgress?.({ requestId: options.requestId!, stage, transactionHash });
    tell('broadcast');
    resolve([{ transactionHash }]);
    tell('confirmed');
    await until(element, () => text(element).includes('You got 0.24931 ETH$610.80'));
  });

  it('says that offers are compared without the fee, where nobody knows what it is worth', async () => {
    const connect = market();
    connect.rates = (query) => {
      const rates = ratesOf(query);
      for (const rate of rates.exchangeRates)
        rate.networkFee = { symbol: 'VTHO', decimals: 18, amount: 1, rawAmount: '1000000000000000000' };
      return rates;
    };
    const { element } = await panel({ fromToken: TOKEN, toToken: '' }, connect);
    await enter(element, 'Sell', '500');
    expect(text(element)).to.include('Compared without the network fee: its worth in ETH is not known.');
    expect(text(element)).to.include('Fee 1.00 VTHO').and.not.include('$');
  });
});
