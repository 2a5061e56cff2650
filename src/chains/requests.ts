/**
 * Requests as a page writes them, by `type`, from the schemas by which the chains parse them. Types only: no
 * chain code is loaded for them.
 */
import type { AeternityInput, AeternitySignInput } from './aeternity/payload.ts';
import type { EvmInput, EvmSignInput } from './evm/payload.ts';
import type { TronInput, TronSignInput } from './tron/payload.ts';
import type { UtxoInput, UtxoSignInput } from './utxo/payload.ts';
import type { VechainInput, VechainSignInput } from './vechain/payload.ts';

/** What GoChain's native requests do not have. */
type OfEthereum = 'network' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'accessList';

/** The part of a shape shared by several chains that one `type` has. */
type Typed<T, Type, Without = never> = {
  [K in keyof T as Exclude<K, Without>]: K extends 'type' ? Type : T[K];
};
type WithType<T, Type> = T extends { type: infer Own } ? (Type extends Own ? T : never) : never;
type EvmCoin = WithType<EvmInput, 'ETH_TRANSACTION'>;
type EvmToken = WithType<EvmInput, 'ETHEREUM_ERC20_TRANSACTION'>;
type UtxoCoin = WithType<UtxoInput, 'BTC_TRANSACTION'>;

type Input = EvmInput | VechainInput | UtxoInput | TronInput | AeternityInput;

/** `network` may also be the id of one in `networks.json`; absent, it is the wallet's default. */
type OnNetwork<T> = T extends { network?: infer Own }
  ? Omit<T, 'network'> & { network?: Own | string }
  : T & { network?: string | undefined };

type Body = Extract<Input, { secretType: unknown }>;

/** What a native transaction is built from. `value` is in coins or tokens: `'0.25'`. */
export type BuildBody = OnNetwork<Body>;

/** Native transactions. Amounts are in smallest units. */
export type NativeTransaction = OnNetwork<
  | Typed<EvmCoin, 'ETH_TRANSACTION'>
  | Typed<EvmToken, 'ETHEREUM_ERC20_TRANSACTION'>
  | Typed<EvmCoin, 'GO_TRANSACTION', OfEthereum>
  | Typed<EvmToken, 'GOCHAIN_GO20_TRANSACTION', OfEthereum>
  | Exclude<VechainInput, Body>
  | Typed<UtxoCoin, 'BTC_TRANSACTION', 'feePerKiloByte'>
  | Typed<UtxoCoin, 'LTC_TRANSACTION', 'feePerByte'>
  | Exclude<TronInput, Body>
  | Exclude<AeternityInput, Body>
>;

export type TransactionRequest = NativeTransaction | BuildBody;

/** Signatures of data, and of messages. */
export type SignatureRequest =
  | EvmSignInput
  | VechainSignInput
  | UtxoSignInput
  | TronSignInput
  | AeternitySignInput;
