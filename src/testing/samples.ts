/** Wallets, hashes and signatures in the form that each chain has. */
import type { ExchangeRate, ExchangeRates, RatesQuery } from '../api/swap.ts';
import type { NativeBalance, Wallet } from '../api/wallet.ts';
import { parseUnits, toNumber } from '../base/amount.ts';
import type { Coin } from '../chains/coin.ts';
import type { AnySignature } from '../chains/terms.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';

/** Known from examples. Chains that are not listed have addresses like Ethereum's. */
const HEX_ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const ADDRESSES: Partial<Record<SecretType, string>> = {
  AETERNITY: 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
  BITCOIN: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  LITECOIN: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  TRON: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
};

let wallets = 0;

/** A wallet of the browser, on ETHEREUM unless `given` says otherwise. */
export function aWallet(given: Partial<Wallet> = {}): Wallet {
  const { secretType = 'ETHEREUM' } = given;
  wallets += 1;
  return {
    id: `wallet-${wallets}`,
    address: ADDRESSES[secretType] ?? HEX_ADDRESS,
    walletType: 'BROWSER',
    secretType,
    createdAt: [2026, 1, 1, 0, 0, 0, 0],
    archived: false,
    alias: `${CARDS[secretType].name} wallet`,
    description: '',
    primary: true,
    hasCustomPin: false,
    status: 'ACTIVE',
    ...given,
  };
}

/** A balance of `coins`, a decimal text, and of `gas` where another coin pays fees. */
export function aBalance(coins: string, secretType: SecretType = 'ETHEREUM', gas = '10'): NativeBalance {
  const { coin, gasCoin } = CARDS[secretType];
  const raw = parseUnits(coins, coin.decimals);
  const gasOf = gasCoin ?? coin;
  const rawGas = gasCoin ? parseUnits(gas, gasOf.decimals) : raw;
  return {
    available: true,
    secretType,
    balance: Number(coins),
    gasBalance: gasCoin ? Number(gas) : Number(coins),
    symbol: coin.symbol,
    gasSymbol: gasOf.symbol,
    rawBalance: String(raw),
    rawGasBalance: String(rawGas),
    decimals: coin.decimals,
  };
}

/** A token of 6 decimals, for queries that name one. */
const TOKEN: Coin = { symbol: 'USDC', decimals: 6 };

/**
 * What an exchange between chains answers: `output`, a decimal text, in 10 minutes, or that it only sells. Tokens are USDC.
 *
 * ```ts
 * fakeWallet({ swapRates: (asked) => crossChainRates(asked, '0.03') });
 * ```
 */
export function crossChainRates(asked: { query: object }, output: string): ExchangeRates {
  const query = asked.query as RatesQuery;
  const exchange = 'THORChain';
  if (query.orderType === 'BUY') {
    const reason = { code: 'swap.thorchain.sell-only', message: `${exchange} takes an exact input only.` };
    return { exchangeRates: [], bestRate: null, noRates: [{ exchange, ...reason }] };
  }
  const [from, to] = [
    assetOf(query.fromSecretType, query.fromToken),
    assetOf(query.toSecretType, query.toToken),
  ];
  const [rawInput, rawOutput] = [parseUnits(query.amount, from.decimals), parseUnits(output, to.decimals)];
  const money = (of: Coin, raw: bigint) => ({
    ...of,
    amount: toNumber(raw, of.decimals),
    rawAmount: String(raw),
  });
  const slippage = Number(query.slippage ?? 0.5);
  const kept = 1_000_000n - BigInt(Math.round(slippage * 10_000));
  const bestRate: ExchangeRate = {
    exchange,
    orderType: 'SELL',
    inputAmount: toNumber(rawInput, from.decimals),
    outputAmount: toNumber(rawOutput, to.decimals),
    slippage,
    fee: 0.1,
    priceImpact: 0.02,
    rawInputAmount: String(rawInput),
    rawOutputAmount: String(rawOutput),
    inputDecimals: from.decimals,
    outputDecimals: to.decimals,
    crossChain: {
      seconds: 600,
      liquidityFee: money(to, rawOutput / 1000n),
      outboundFee: money(to, rawOutput / 500n),
      rawMinimumOutput: String((rawOutput * kept) / 1_000_000n),
      refundFee: money(from, rawInput / 200n),
    },
  };
  return { exchangeRates: [bestRate], bestRate };
}

function assetOf(secretType: RatesQuery['fromSecretType'], token: string | null | undefined): Coin {
  return token || secretType === 'NEO' ? TOKEN : CARDS[secretType].coin;
}

/** The n-th hash of a test, in the chain's form. */
export function aHash(secretType: SecretType, n: number): string {
  const hex = n.toString(16).padStart(64, '0');
  const forms = [`0x${hex}`, hex, `th_${String(n).replaceAll('0', 'A').padStart(50, '2')}`];
  return forms.find((each) => CARDS[secretType].hash.test(each))!;
}

/** In the form of the request's type. Nobody has signed it: no check of it holds. */
export function aSignature(type: string, wallet: Wallet, now: number): AnySignature {
  const r = `0x${'11'.repeat(32)}`;
  const s = `0x${'22'.repeat(32)}`;
  const signature = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`;
  if (type === 'VECHAIN_CERTIFICATE')
    return {
      annex: {
        domain: globalThis.location?.host || 'localhost',
        timestamp: Math.floor(now / 1000),
        signer: wallet.address.toLowerCase(),
      },
      signature,
    };
  if (type === 'AETERNITY_MESSAGE') return { signature: signature.slice(0, 130) };
  if (type === 'TRON_MESSAGE') return { signature };
  if (type.endsWith('_MESSAGE')) return { signature: btoa('\u001f'.padEnd(65, '\u0011')) };
  return { r, s, v: '0x1b', signature };
}
