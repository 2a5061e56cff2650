/** Which chain a request is for, by its `type` (spec 4.4). Data only: host pages load it at once. */
import type { SecretType } from './secret-type.ts';

/** Native transactions. */
export const NATIVE_TYPES: Readonly<Record<string, SecretType>> = {
  ETH_TRANSACTION: 'ETHEREUM',
  ETHEREUM_ERC20_TRANSACTION: 'ETHEREUM',
  GO_TRANSACTION: 'GOCHAIN',
  GOCHAIN_GO20_TRANSACTION: 'GOCHAIN',
  VET_TRANSACTION: 'VECHAIN',
  VTHO_TRANSACTION: 'VECHAIN',
  VECHAIN_VIP180_TRANSACTION: 'VECHAIN',
  BTC_TRANSACTION: 'BITCOIN',
  LTC_TRANSACTION: 'LITECOIN',
  TRX_TRANSACTION: 'TRON',
  TRC10_TRANSACTION: 'TRON',
  TRON_CONTRACT_EXECUTION: 'TRON',
  AE_TRANSACTION: 'AETERNITY',
};

export const SIGNATURE_TYPES: Readonly<Record<string, SecretType>> = {
  ETHEREUM_TRANSACTION: 'ETHEREUM',
  ETHEREUM_RAW: 'ETHEREUM',
  ETHEREUM_TYPED_DATA: 'ETHEREUM',
  GOCHAIN_TRANSACTION: 'GOCHAIN',
  GOCHAIN_RAW: 'GOCHAIN',
  GOCHAIN_TYPED_DATA: 'GOCHAIN',
  VECHAIN_TRANSACTION: 'VECHAIN',
};

/** The chain of a native transaction or a signature; undefined for build bodies and unknown types. */
export function secretTypeOf(type: string): SecretType | undefined {
  for (const table of [NATIVE_TYPES, SIGNATURE_TYPES]) if (Object.hasOwn(table, type)) return table[type];
  return undefined;
}
