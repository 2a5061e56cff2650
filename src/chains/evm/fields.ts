/** Fields that only payloads of EVM chains have. */
import * as z from 'zod/mini';
import { CHAIN_NAMES, type SecretType } from '../secret-type.ts';
import { nodeUrl } from '../nodes/networks.ts';
import { parseSmallest } from '../requests/smallest.ts';
import { readHexAddress } from '../contracts/evm-address.ts';
import {
  type AmountLike,
  field,
  optional,
  readBytes,
  readSmallest,
  readText,
  readUint,
} from '../requests/fields.ts';

/** Prices are spoken of in gwei. */
const GAS_PRICE = { name: 'wei', coin: { symbol: 'gwei', decimals: 9 } };

/** Wei; `least` is what the network takes. */
export function readGasPrice(value: unknown, least: bigint): bigint {
  const price = readSmallest(value, GAS_PRICE);
  if (price === 0n) throw new Error('must be greater than 0 wei; leave it out for the current price');
  if (price < least) throw new Error(`must be at least ${least} wei; leave it out for the current price`);
  return price;
}

/** Wei per gas, where blocks have a base fee (EIP-1559). */
export const MaxPrice = optional<bigint, AmountLike>((value) => readGasPrice(value, 0n));
/** The part that goes to the block's builder: may be nothing. */
export const Tip = optional<bigint, AmountLike>((value) => readSmallest(value, GAS_PRICE));

/** Where they have none: names the chain. */
export const noPairOfPrices = (secretType: SecretType) =>
  optional<bigint, never>(() => {
    throw new Error(
      `is not known to ${CHAIN_NAMES[secretType]}, whose transactions have one price: use gasPrice`,
    );
  });
export const noAccessList = (secretType: SecretType) =>
  optional<undefined, never>(() => {
    throw new Error(`is not known to ${CHAIN_NAMES[secretType]}; leave it out`);
  });

const Slot = field((value) => {
  const slot = readBytes(value, 32);
  if (slot.length !== 66) throw new Error('must be a storage slot: 0x and 64 hex digits');
  return slot;
});

/** https://eips.ethereum.org/EIPS/eip-2930, as libraries write it. */
export const AccessListField = z.optional(
  z.nullable(
    z
      .array(
        z.strictObject({
          address: field((value) => readHexAddress(value, 'ETHEREUM')),
          storageKeys: z.array(Slot).check(z.maxLength(256, 'must have at most 256 slots')),
        }),
      )
      .check(z.maxLength(64, 'must have at most 64 addresses')),
  ),
);

/** A transaction is of type 0 or 2. */
export const ofOneType = z.check<{
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
  accessList?: readonly unknown[] | null | undefined;
}>(({ value, issues }) => {
  const say = (path: string, message: string) =>
    issues.push({ code: 'custom', path: [path], message, input: value });
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = value;
  const typeTwo =
    maxFeePerGas !== undefined
      ? 'maxFeePerGas'
      : maxPriorityFeePerGas !== undefined
        ? 'maxPriorityFeePerGas'
        : accessList
          ? 'accessList'
          : undefined;
  if (gasPrice !== undefined && typeTwo)
    say('gasPrice', `does not go with ${typeTwo}: leave one of them out`);
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas > maxFeePerGas)
    say('maxPriorityFeePerGas', 'must not be more than maxFeePerGas, of which it is a part');
});

export function readGas(value: unknown): bigint {
  const gas = parseSmallest(value);
  if (gas > 0n && gas < 21_000n) throw new Error('must be at least 21000, or 0 to have it computed');
  if (gas > 2n ** 53n) throw new Error('is more gas than any block holds');
  return gas;
}

export function readNonce(value: unknown): number {
  const nonce = parseSmallest(value);
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('is too large for a nonce');
  return Number(nonce);
}

export function readTokenId(value: unknown): string {
  if (value === '') throw new Error('is required');
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  return readUint(value, 1n << 256n, 'must fit in 256 bits').toString();
}

/** `network` of a native request: a node that the page names. */
export const NetworkField = z.optional(
  z.nullable(
    z.strictObject({
      name: field(readText(64)),
      nodeUrl: field((value) => {
        const text = readText(2048)(value);
        try {
          return nodeUrl(text).href;
        } catch (error) {
          const issue = (error as { issues?: { message: string }[] }).issues?.[0];
          throw new Error(issue?.message ?? 'must be a URL', { cause: error });
        }
      }),
      chainId: optional<number, AmountLike>((value) => {
        const id = parseSmallest(value);
        if (id === 0n || id > BigInt(Number.MAX_SAFE_INTEGER))
          throw new Error('must be a chain id: 1 or more');
        return Number(id);
      }),
    }),
  ),
);
