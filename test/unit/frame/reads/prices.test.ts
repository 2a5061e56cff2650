import { expect } from '@open-wc/testing';
import { loadChain, loadPayloads } from '../../../../src/chains/index.ts';
import type { Networks } from '../../../../src/chains/network.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import { readParams } from '../../../../src/channel/read-schema.ts';
import type { ConnectError } from '../../../../src/base/errors.ts';
import type { NodeReader } from '../../../../src/frame/frame.ts';
import { read } from '../../../../src/frame/reads/reads.ts';
import type { AssetPrices } from '../../../../src/prices/prices.ts';
import { NETWORK } from '../../chains/fake-node.ts';
import { TestClock } from '../../clock.ts';

const SOURCE = 'https://prices.invalid/v1';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const real = window.fetch;

describe('prices for a page', () => {
  const clock = new TestClock();
  let asked: { currency: string | null; init: RequestInit | undefined }[];

  beforeEach(() => {
    asked = [];
    // The user's own, which no page may learn.
    localStorage.setItem('carabiner:currency', 'JPY');
    window.fetch = async (input, init) => {
      const currency = new URL(String(input)).searchParams.get('currency');
      asked.push({ currency, init });
      const at = Math.floor(clock.date() / 1000);
      const prices = { [NETWORK.id]: { price: 2450, at }, [`${NETWORK.id}/${USDC}`]: { price: 1, at } };
      return Response.json({ currency, prices });
    };
  });
  afterEach(() => {
    window.fetch = real;
    localStorage.removeItem('carabiner:currency');
  });

  function ask(
    params: object,
    fiat: unknown = { source: 'http', url: SOURCE, currencies: ['EUR', 'USD', 'JPY'] },
  ) {
    const token = { address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };
    const networks = {
      networks: [{ ...NETWORK, tokens: [token] }],
      reported: [],
      ...(fiat !== null && { fiat }),
    } as unknown as Networks;
    const frame = { networks, clock, chain: loadChain, payloads: loadPayloads } as unknown as NodeReader;
    return (more: object = params) =>
      new Promise<AssetPrices | null>((resolve, reject) => {
        const request = { action: 'prices', params: { secretType: 'ETHEREUM', ...more }, resolve, reject };
        void read(frame, request as unknown as HostRequest);
      });
  }

  it('are those of the coin and the listed tokens, in the currency that it asks for', async () => {
    expect(await ask({ currency: 'EUR' })()).to.deep.equal({
      currency: 'EUR',
      prices: [
        { tokenAddress: '', symbol: 'ETH', price: 2450, at: Math.floor(clock.date() / 1000) * 1000 },
        { tokenAddress: USDC, symbol: 'USDC', price: 1, at: Math.floor(clock.date() / 1000) * 1000 },
      ],
    });
  });

  it('are in the currency of its language where it names none, never in the one that the user chose', async () => {
    const answers = [await ask({ language: 'de-AT' })(), await ask({ language: 'en-US' })()];
    expect(answers.map((answer) => answer?.currency)).to.deep.equal(['EUR', 'USD']);
    expect(asked.map(({ currency }) => currency)).to.deep.equal(['EUR', 'USD']);
  });

  it('are kept nowhere that the wallet reads, and come from no cache whose speed tells the user’s currency', async () => {
    await ask({ currency: 'USD' })();
    expect(asked[0]!.init?.cache).to.equal('no-store');
    expect(localStorage.getItem('carabiner:currency')).to.equal('JPY');
    expect(localStorage.getItem('carabiner:prices')).to.equal(null);
  });

  it('are asked for once a minute, whatever the number of its elements', async () => {
    const prices = ask({ currency: 'USD' });
    await Promise.all([prices(), prices()]);
    await prices();
    expect(asked).to.have.length(1);
    await prices({ currency: 'EUR' });
    expect(asked).to.have.length(2);
  });

  it('are refused at the field in a currency that is none, or that the source does not have', async () => {
    for (const currency of ['usd', 'dollars', 'CHF']) {
      const error = await ask({ currency })().then(
        () => undefined,
        (e: ConnectError & { issues?: { path: string }[] }) => e,
      );
      expect(error?.code, currency).to.equal('request.invalid');
      expect(error?.message, currency).to.include('currency');
    }
    expect(asked).to.have.length(0);
    expect(() => readParams('prices', { secretType: 'ETHEREUM', currency: 'EURO' })).to.throw('currency');
  });

  it('are null without a source, or with one that networks.json describes wrongly', async () => {
    expect(await ask({}, null)()).to.equal(null);
    expect(await ask({}, { source: 'oracle' })()).to.equal(null);
    expect(asked).to.have.length(0);
  });
});
