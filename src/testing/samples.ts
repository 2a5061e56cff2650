/** Wallets, hashes and signatures in the form that each chain has. */
import type { NativeBalance, Wallet } from '../api/wallet.ts';
import { parseUnits } from '../base/amount.ts';
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
