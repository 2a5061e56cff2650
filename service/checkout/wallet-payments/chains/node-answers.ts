/** Parses answers of nodes: malformed ones are `node.unreachable`. */
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { bytes } from '../../../../src/chains/evm/node.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';

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

/** The transfer in a log to one of the addresses. Zero is no transfer: anybody can make a token report one. */
export function movedBy(
  log: Fields,
  token: string,
  addresses: readonly string[],
): { sender: string; to: string; amount: bigint } | undefined {
  const { topics, address } = log;
  if (!Array.isArray(topics) || topics.length !== 3) return undefined;
  if (String(address).toLowerCase() !== token.toLowerCase() || id(topics[0]) !== TRANSFER) return undefined;
  const [from, recipient] = [id(topics[1]), id(topics[2])];
  const to = addresses.find((each) => word(each) === recipient);
  const data = bytes(log['data']);
  if (to === undefined || data.length !== 66 || BigInt(data) === 0n) return undefined;
  return { sender: checksum(`0x${from.slice(26)}`), to: checksum(to), amount: BigInt(data) };
}
