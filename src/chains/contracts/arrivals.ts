/** What arrived where, by a transaction's logs. */
import type { Arrival } from '../terms.ts';

/** `Transfer(address,address,uint256)`. With a fourth topic, it moves a single item (ERC-721), not an amount. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const WORD = /^0x[0-9a-f]{64}$/i;

/** Logs are a node's claims: malformed ones are left out. */
export function arrivals(logs: unknown): Arrival[] {
  if (!Array.isArray(logs)) return [];
  return logs.flatMap((log: unknown) => {
    const { address, topics, data } = (log ?? {}) as Record<string, unknown>;
    if (typeof address !== 'string' || !Array.isArray(topics) || topics.length !== 3) return [];
    const [topic, from, to] = topics as unknown[];
    if (topic !== TRANSFER || ![from, to, data].every((word) => WORD.test(String(word)))) return [];
    return [
      {
        token: address.toLowerCase(),
        from: addressIn(from),
        to: addressIn(to),
        raw: BigInt(String(data)),
      },
    ];
  });
}

const addressIn = (word: unknown): string => `0x${String(word).slice(-40)}`.toLowerCase();
