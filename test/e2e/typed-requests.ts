/** Signature requests of a page: a permit of the test token, and a sign-in. */
import { CHAIN_ID } from '../../demo/networks/anvil.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { World } from './harness.ts';

/** One hour after the tests began. */
const SOON = Math.floor(Date.now() / 1000) + 3600;

/** ERC-2612: 5 DUSD, for a contract. */
export function permitOf({ ethereum }: World, { address }: Pick<Wallet, 'address'>, change: object = {}) {
  const uint = (name: string) => ({ name, type: 'uint256' });
  return {
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        uint('value'),
        uint('nonce'),
        uint('deadline'),
      ],
    },
    primaryType: 'Permit',
    domain: {
      name: 'Demo Dollar',
      version: '1',
      chainId: CHAIN_ID,
      verifyingContract: ethereum.contracts.DUSD,
    },
    message: {
      owner: address,
      // Any contract: a spender with code.
      spender: ethereum.contracts.DUSD,
      value: String(5n * 10n ** 18n),
      nonce: 0,
      deadline: SOON,
      ...change,
    },
  };
}

export interface SignIn {
  domain?: string;
  address?: string;
  uri?: string;
  chainId?: number;
  more?: string;
}

/** An EIP-4361 message of the page's own origin, with `changes`. */
export function signInOf(origin: string, wallet: Pick<Wallet, 'address'>, change: SignIn = {}): string {
  const { host } = new URL(origin);
  const {
    domain = host,
    address = wallet.address,
    uri = `${origin}/login`,
    chainId = CHAIN_ID,
    more = '',
  } = change;
  return `${domain} wants you to sign in with your Ethereum account:
${address}

I accept the terms of the shop.

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: 4f19c2a8
Issued At: 2026-11-21T10:04:00Z${more}`;
}
