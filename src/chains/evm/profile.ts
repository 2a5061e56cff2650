import type { Coin } from '../coin.ts';

/** What differs between EVM chains. Data only. */
export interface EvmProfile {
  secretType: 'ETHEREUM' | 'GOCHAIN';
  coin: Coin;
  slip44: number;
  /** Names of the native requests. */
  coinRequest: 'ETH_TRANSACTION' | 'GO_TRANSACTION';
  tokenRequest: 'ETHEREUM_ERC20_TRANSACTION' | 'GOCHAIN_GO20_TRANSACTION';
  /** Names of the signatures: of a transaction when it has no prefix, and of any bytes. */
  transactionSignature: 'ETHEREUM_TRANSACTION' | 'GOCHAIN_TRANSACTION';
  rawSignature: 'ETHEREUM_RAW' | 'GOCHAIN_RAW';
  /** Of typed data (EIP-712). */
  typedSignature: 'ETHEREUM_TYPED_DATA' | 'GOCHAIN_TYPED_DATA';
  /** The name of its fungible token standard in balances. */
  tokenStandard: 'ERC20' | 'GO20';
  /** Only type 0 transactions: no envelopes (EIP-2718), no base fee (EIP-1559). */
  legacy: boolean;
  /** Wei per gas below which no node accepts a transaction; 0n if blocks decide. */
  minGasPrice: bigint;
  /** Maximum bytes of a signed transaction that nodes accept. */
  maxSize: number;
  /** Wei of fee above which the user must tick, where `networks.json` sets nothing. */
  feeCeiling: bigint;
  /** Whether a request may name its own node. */
  customNetwork: boolean;
}
