/** What the examples of the reference have in common. None of it is real: no key belongs to these addresses. */

/** What the reference and `carabiner/service` need of a call, besides its route. */
export interface RouteNote {
  /** Its method of `carabiner/service`, as `resource.method`. Null: no server calls it, or the client itself does. */
  sdk: string | null;
  /** The codes that it answers, besides those that any call may answer. */
  errors: readonly string[];
  /** Values of the path's parameters. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  answer: unknown;
}

export type RouteNotes = Readonly<Record<string, RouteNote>>;

export const WALLET = '5f0c6b1e-9c1f-4c39-8a52-0d4d7a1f2b11';
export const CLIENT = 'b7d0a3c2-52a1-4a37-9a0f-6f1f4a7b9c20';
export const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
export const LATER = '0x2d0a9ee1c5b3f1c4d7f86f0f7f4a2b3c9f1e8d7c6b5a49382716050403020100';
export const TILL = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
export const SHOP = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';
export const DOLLAR = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const SESSION_ID = `cs_test_${'A'.repeat(43)}`;
/** Part of the payment page's URL. */
export const PAGE = 'A'.repeat(43);
export const SHOP_SITE = 'https://shop.example';
export const PIN = '739154';
export const OTHER_PIN = '840265';
export const RECOVERY_CODE = '0000-0000-0000-0000-0000-0000-0000-0000';
export const AT = '2026-01-31T09:05:12.345Z';
export const SOON = '2026-01-31T09:10:12.345Z';
/** `AT` in milliseconds. */
export const AT_MS = 1_769_850_312_345;
/** Base64url of as many bytes, all zero. */
export const bytes = (count: number): string => 'A'.repeat(Math.ceil((count * 4) / 3));

/** The errors of every call that opens what is stored of a PIN or a key. */
export const STORED_SECRET = [
  'wallet.secret.not-found',
  'wallet.secret.internal-error',
  'wallet.decrypt.internal-error',
] as const;

/** The errors of every call that uses a key by the PIN. */
export const OPENING = [
  'request.invalid',
  'request.conflict',
  'wallet.forbidden',
  'device.proof.invalid',
  'device.unknown',
  'passkey.required',
  'passkey.invalid',
  'pincode.wrong',
  'pincode.locked',
  ...STORED_SECRET,
] as const;

/** The errors of every call that signs. */
export const SIGNING = [
  ...OPENING,
  'wallet.archived',
  'policy.refused',
  'chain.not-supported',
  'node.unreachable',
] as const;

/** The errors of every call that signs a transaction and sends it. */
export const SENDING = [...SIGNING, 'transaction.insufficient-funds', 'transaction.refused'] as const;

/** The errors of every call that pays a session, or ends it unpaid. */
export const PAYING = [
  'request.invalid',
  'checkout.session.unknown',
  'checkout.session.complete',
  'checkout.session.expired',
  'checkout.payment.pending',
] as const;

/** The errors of every call that needs the proof of a user's device. */
export const PROVEN = ['request.invalid', 'device.proof.invalid', 'device.unknown'] as const;

export const WALLET_SAMPLE = {
  id: WALLET,
  address: TILL,
  walletType: 'WHITE_LABEL',
  secretType: 'ETHEREUM',
  createdAt: [2026, 1, 31, 9, 5, 12, 345_000_000],
  archived: false,
  alias: 'Till',
  description: '',
  primary: true,
  hasCustomPin: true,
  status: 'ACTIVE',
  identifier: 'till-1',
};

export const BALANCE = {
  available: true,
  secretType: 'ETHEREUM',
  balance: 1.5,
  gasBalance: 1.5,
  symbol: 'ETH',
  gasSymbol: 'ETH',
  rawBalance: '1500000000000000000',
  rawGasBalance: '1500000000000000000',
  decimals: 18,
};

export const TOKEN_BALANCE = {
  tokenAddress: DOLLAR,
  rawBalance: '12500000000000000000',
  balance: 12.5,
  decimals: 18,
  symbol: 'DUSD',
  logo: 'https://tokens.example/dusd.png',
  type: 'ERC20',
  transferable: true,
};

/** As the chain's wallets take it, without the PIN. */
export const ETH_TRANSACTION = { type: 'ETH_TRANSACTION', to: SHOP, value: '250000000000000000' };

export const PASSKEY_ANSWER = {
  nonce: bytes(16),
  at: AT_MS,
  credentialId: bytes(16),
  clientDataJSON: bytes(64),
  authenticatorData: bytes(37),
  signature: bytes(70),
  secret: bytes(32),
};

/** An amount of the coin. */
export const eth = (value: string, raw: string) => ({ value, raw, decimals: 18, symbol: 'ETH' });

/** An entry of the history. */
export const ENTRY = {
  transactionHash: HASH,
  secretType: 'ETHEREUM',
  network: 'ethereum',
  direction: 'out',
  status: 'confirmed',
  mined: null,
  createdAt: '2026-01-31T09:05:12.345Z',
  kind: 'transfer',
  from: TILL,
  to: SHOP,
  amount: eth('0.25', '250000000000000000'),
  fee: { maximum: eth('0.000063', '63000000000000'), paid: eth('0.000042', '42000000000000') },
  nonce: 7,
};
