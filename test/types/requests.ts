/** What the types of the public API accept and reject. Compiled by `npm run typecheck`; only the tables run. */
import type {
  BuildBody,
  Connect,
  NativeTransaction,
  SignParams,
  TransactionRequest,
} from '../../src/index.ts';

export function calls(connect: Connect): void {
  const walletId = 'w';
  const to = '0x1111111111111111111111111111111111111111';

  void connect.execute({
    type: 'ETH_TRANSACTION',
    walletId,
    to,
    value: 1n,
    gasPrice: '2000000000',
    nonce: 3,
  });
  void connect.execute({ type: 'ETH_TRANSACTION', walletId, value: 0, data: '0x6000' });
  void connect.execute({
    type: 'ETH_TRANSACTION',
    walletId,
    to,
    value: 1,
    maxFeePerGas: 1,
    accessList: [{ address: to, storageKeys: [] }],
  });
  void connect.execute({ type: 'GO_TRANSACTION', walletId, to, value: '1' });
  // @ts-expect-error GoChain has one price
  void connect.execute({ type: 'GO_TRANSACTION', walletId, to, value: '1', maxFeePerGas: 1 });
  void connect.execute({ type: 'VET_TRANSACTION', walletId, clauses: [{ to, amount: 1, data: null }] });
  void connect.execute({ type: 'BTC_TRANSACTION', walletId, to, value: 10_000, feePerByte: 12.5 });
  void connect.execute({
    type: 'TRANSFER',
    secretType: 'TRON',
    walletId,
    to,
    value: '0.25',
    data: 'Order 4711',
  });
  void connect.build({ type: 'TRANSFER', secretType: 'ETHEREUM', walletId, to, value: '0.25' });
  void connect.build({
    type: 'NFT_TRANSFER',
    secretType: 'GOCHAIN',
    walletId,
    to,
    tokenAddress: to,
    tokenId: 7,
  });
  void connect
    .build({ type: 'TOKEN_TRANSFER', secretType: 'VECHAIN', walletId, to, value: 1, tokenAddress: to })
    .then((native) => connect.executeAll([native]));
  void connect.sign({ type: 'VECHAIN_TRANSACTION', walletId, data: '0x00', prefix: true });
  void connect.sign({
    type: 'ETHEREUM_TYPED_DATA',
    walletId,
    data: { types: {}, primaryType: 'Mail', domain: {}, message: {} },
  });

  void connect
    .sign({ type: 'ETHEREUM_RAW', walletId, data: '0x00' })
    .then(({ result }) => result.r satisfies string);
  void connect
    .sign({ type: 'BITCOIN_MESSAGE', walletId, data: '0x00', format: 'bip137' })
    .then(({ result }) => result.signature satisfies string);
  void connect
    .sign({ type: 'VECHAIN_CERTIFICATE', walletId, data: '0x00', purpose: 'agreement' })
    .then(({ result }) => result.annex.domain satisfies string);

  // @ts-expect-error no such type
  void connect.execute({ type: 'NOPE' });
  // @ts-expect-error no such type
  void connect.execute({ type: 'NOPE', walletId, to, value: 1 });
  // @ts-expect-error value is missing
  void connect.execute({ type: 'ETH_TRANSACTION', walletId, to });
  // @ts-expect-error no field of this type
  void connect.execute({ type: 'ETH_TRANSACTION', walletId, to, value: 1, feePerByte: 2 });
  // @ts-expect-error an amount is no boolean
  void connect.execute({ type: 'ETH_TRANSACTION', walletId, to, value: true });
  const node = { name: 'n', nodeUrl: 'n' };
  void connect.execute({ type: 'ETH_TRANSACTION', walletId, to, value: 1, network: node });
  // @ts-expect-error GoChain takes no node of the page's own
  void connect.execute({ type: 'GO_TRANSACTION', walletId, to, value: 1, network: node });
  void connect.execute({ type: 'GO_TRANSACTION', walletId, to, value: 1, network: 'gochain-testnet' });
  void connect.build({ type: 'TRANSFER', secretType: 'TRON', walletId, to, value: 1, network: 'tron-nile' });
  void connect.sign({ type: 'ETHEREUM_RAW', walletId, data: '0x00', network: 'base' });
  // @ts-expect-error of Litecoin
  void connect.execute({ type: 'BTC_TRANSACTION', walletId, to, value: 1, feePerKiloByte: 2 });
  // @ts-expect-error a clause of a token names it
  void connect.execute({ type: 'VECHAIN_VIP180_TRANSACTION', walletId, clauses: [{ to, amount: 1 }] });
  // @ts-expect-error Bitcoin has no tokens
  void connect.build({
    type: 'TOKEN_TRANSFER',
    secretType: 'BITCOIN',
    walletId,
    to,
    value: 1,
    tokenAddress: to,
  });
  // @ts-expect-error only what `execute` takes is built
  void connect.build({ type: 'ETH_TRANSACTION', walletId, to, value: 1 });
  // @ts-expect-error no such type
  void connect.sign({ type: 'BITCOIN_RAW', walletId, data: '0x00' });
  // @ts-expect-error a message of Bitcoin has no r
  void connect.sign({ type: 'BITCOIN_MESSAGE', walletId, data: '0x00' }).then(({ result }) => result.r);
  // @ts-expect-error a message is always marked
  void connect.sign({ type: 'TRON_MESSAGE', walletId, data: '0x00', prefix: false });
  // @ts-expect-error who asks is for the wallet to say
  void connect.sign({ type: 'VECHAIN_CERTIFICATE', walletId, data: '0x00', purpose: 'agreement', annex: {} });
  // @ts-expect-error a certificate has a purpose
  void connect.sign({ type: 'VECHAIN_CERTIFICATE', walletId, data: '0x00' });
  // @ts-expect-error raw bytes are hex
  void connect.sign({ type: 'ETHEREUM_RAW', walletId, data: { types: {} } });
}

/** Each type has its own fields. */
export function feeOf(request: TransactionRequest) {
  if (request.type === 'LTC_TRANSACTION') return request.feePerKiloByte;
  if (request.type === 'AE_TRANSACTION') return request.fee;
  // @ts-expect-error it has none
  return request.fee;
}

export const NATIVE: Record<NativeTransaction['type'], true> = {
  ETH_TRANSACTION: true,
  ETHEREUM_ERC20_TRANSACTION: true,
  GO_TRANSACTION: true,
  GOCHAIN_GO20_TRANSACTION: true,
  VET_TRANSACTION: true,
  VTHO_TRANSACTION: true,
  VECHAIN_VIP180_TRANSACTION: true,
  BTC_TRANSACTION: true,
  LTC_TRANSACTION: true,
  TRX_TRANSACTION: true,
  TRC10_TRANSACTION: true,
  TRON_CONTRACT_EXECUTION: true,
  AE_TRANSACTION: true,
};

export const BODIES: Record<BuildBody['type'], true> = {
  TRANSFER: true,
  GAS_TRANSFER: true,
  TOKEN_TRANSFER: true,
  NFT_TRANSFER: true,
  CONTRACT_EXECUTION: true,
};

export const SIGNATURES: Record<SignParams['type'], true> = {
  ETHEREUM_TRANSACTION: true,
  ETHEREUM_RAW: true,
  ETHEREUM_TYPED_DATA: true,
  GOCHAIN_TRANSACTION: true,
  GOCHAIN_RAW: true,
  GOCHAIN_TYPED_DATA: true,
  VECHAIN_TRANSACTION: true,
  VECHAIN_CERTIFICATE: true,
  BITCOIN_MESSAGE: true,
  LITECOIN_MESSAGE: true,
  TRON_MESSAGE: true,
  AETERNITY_MESSAGE: true,
};
