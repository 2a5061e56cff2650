/** The page's calls to the shop's own server, for wallets that the shop holds at the wallet service. */
import type { NativeBalance, Wallet } from '../../src/api/wallet.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { post } from './settings.ts';

type Fields = Record<string, unknown>;

/** Throws the service's error, with its `code`. */
async function call<T>(name: string, input: { params?: Fields; query?: Fields; body?: Fields }): Promise<T> {
  return (await post(`/back-end/${name}`, input)) as T;
}

export interface NewWallet {
  secretType: SecretType;
  pincode: string;
  alias: string;
}

export interface Payment {
  walletId: string;
  secretType: SecretType;
  to: string;
  value: string;
}

/** A native request. */
export type Native = Fields & { type: string };

export const shop = {
  wallets: (secretType: SecretType) => call<Wallet[]>('listWallets', { query: { secretType } }),
  create: (wallet: NewWallet) =>
    call<Wallet & { recoveryCode?: string }>('createWallet', {
      body: { walletType: 'WHITE_LABEL', ...wallet },
    }),
  balance: (id: string) => call<NativeBalance>('readBalance', { params: { id } }),
  build: (payment: Payment) => call<Native>('buildTransaction', { body: { type: 'TRANSFER', ...payment } }),
  execute: (native: Native, pincode: string) =>
    call<{ transactionHash: string }>('executeTransaction', { body: { ...native, pincode } }),
  sign: (request: Fields & { walletId: string; pincode: string }) =>
    call<Fields>('createSignature', { body: request }),
};
