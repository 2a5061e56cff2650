/** Parses answers of nodes: malformed ones are `node.unreachable`. */
import { bytes } from '../../../src/chains/evm/node.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';

export type Fields = Record<string, unknown>;

export function fields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw nonsense('an object');
}

/** 32 bytes, lower case. */
export function id(value: unknown): string {
  const text = bytes(value);
  if (text.length !== 66) throw nonsense('a hash');
  return text;
}

export function account(value: unknown): string {
  const text = bytes(value);
  if (text.length !== 42) throw nonsense('an address');
  return text;
}

/** An address as a topic of a log. */
export function word(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** `Transfer(address,address,uint256)` of ERC-20 and VIP-180. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export interface Moved {
  /** Lower case, all three. */
  token: string;
  sender: string;
  recipient: string;
  amount: bigint;
}

/**
 * The transfer that a log reports. Undefined for other logs, for those of non-fungible tokens, and for transfers of zero: anybody can make a
 * token report one.
 */
export function movedIn({ address, topics, data: given }: Fields): Moved | undefined {
  if (!Array.isArray(topics) || topics.length !== 3 || id(topics[0]) !== TRANSFER) return undefined;
  const [from, to] = [id(topics[1]), id(topics[2])];
  const data = bytes(given);
  // An address has zeros before it.
  if (data.length !== 66 || BigInt(data) === 0n || !/^0x0{24}/.test(from) || !/^0x0{24}/.test(to))
    return undefined;
  return {
    token: account(address),
    sender: `0x${from.slice(26)}`,
    recipient: `0x${to.slice(26)}`,
    amount: BigInt(data),
  };
}
