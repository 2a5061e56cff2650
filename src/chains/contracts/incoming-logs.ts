/** Transfers of tokens to an address, by the logs of their contracts. */
import type { Amount } from '../coin.ts';
import { isDust } from '../nodes/incoming.ts';
import type { Token } from '../network.ts';
import { checksum } from './evm-address.ts';
import { listedToken } from './listed-token.ts';
import { shortName } from './token-facts.ts';

/** `Transfer(address,address,uint256)`. With a fourth topic it is a numbered token. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const WORD = /^0x[0-9a-f]{64}$/i;

/** An address as a topic. */
export const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

export interface TokenTransfer {
  from: string;
  amount: Amount;
  dust?: boolean;
}

/** Undefined if it is not such a log, for numbered tokens, and for transfers to oneself. */
export function transferOf(log: unknown, owner: string, tokens: readonly Token[]): TokenTransfer | undefined {
  const { address, topics, data } = (log ?? {}) as Record<string, unknown>;
  if (!/^0x[0-9a-f]{40}$/i.test(String(address)) || !Array.isArray(topics) || topics.length !== 3)
    return undefined;
  const [topic, sender, receiver] = topics.map(String);
  if (topic !== TRANSFER || receiver!.toLowerCase() !== topicOf(owner)) return undefined;
  if (!WORD.test(sender!) || !WORD.test(String(data))) return undefined;
  const from = checksum(`0x${sender!.slice(-40)}`);
  if (from.toLowerCase() === owner.toLowerCase()) return undefined;
  const contract = checksum(String(address));
  const listed = listedToken(tokens, contract);
  const amount: Amount = {
    raw: BigInt(String(data)),
    // A contract may call itself anything: an unlisted one is named by its address.
    decimals: listed?.decimals ?? null,
    symbol: listed?.symbol ?? shortName(contract),
    token: contract,
  };
  return { from, amount, ...(isDust(amount) && { dust: true }) };
}
