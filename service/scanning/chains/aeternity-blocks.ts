/**
 * Blocks of Aeternity. Transactions are in micro blocks, and what is in them is fixed by the key block that follows: here a block is a key
 * block with the micro blocks before it. https://docs.aeternity.com/openapi/
 */
import type { Node } from '../../../src/chains/terms.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { RestError, restOf } from '../../../src/chains/nodes/rest.ts';
import { type Block, type BlockReader, fromOthers, once, placesIn } from './block-reader.ts';
import { type Fields, fields } from './node-answers.ts';

const HASH = /^[km]h_[1-9A-HJ-NP-Za-km-z]{30,60}$/;
const TRANSACTION = /^th_[1-9A-HJ-NP-Za-km-z]{30,60}$/;
const ACCOUNT = /^ak_[1-9A-HJ-NP-Za-km-z]{30,60}$/;

function text(value: unknown, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw nonsense('a hash or an address');
}

/** Undefined if the node does not have it, or no longer has it. */
export async function read(node: Node, path: string): Promise<Fields | undefined> {
  try {
    return fields(await restOf(node).get(`/v3/${path}`));
  } catch (error) {
    if (error instanceof RestError && [404, 410].includes(error.status)) return undefined;
    throw error;
  }
}

interface KeyBlock extends Block {
  /** The last micro block before it; without one its parent. */
  before: string;
}

export async function readKeyBlock(node: Node, at: number | 'latest'): Promise<KeyBlock | undefined> {
  const answer = await read(node, at === 'latest' ? 'key-blocks/current' : `key-blocks/height/${at}`);
  if (!answer) return undefined;
  const { hash, height, prev_hash: before, prev_key_hash: parent, time } = answer;
  if (!Number.isSafeInteger(height) || !Number.isSafeInteger(time)) throw nonsense('a key block');
  if (at !== 'latest' && height !== at) throw nonsense('the block that was asked for');
  return {
    number: height as number,
    hash: text(hash, HASH),
    parent: text(parent, HASH),
    before: text(before, HASH),
    time: time as number,
  };
}

/** A transfer of coins, each in a transaction of its own. */
export interface Spend {
  hash: string;
  sender: string;
  recipient: string;
  amount: bigint;
  /** As nodes encode it: `ba_…`. */
  payload: unknown;
}

/** What is in the micro blocks before a key block. Undefined when the node does not have all of it. */
export async function readSealed(
  node: Node,
  number: number,
): Promise<{ block: Block; spends: Spend[] } | undefined> {
  const block = await readKeyBlock(node, number);
  if (!block) return undefined;
  const spends = block.before === block.parent ? [] : await readSpends(node, block);
  return spends && { block, spends: once(spends) };
}

const readTransfers: BlockReader['readTransfers'] = async (node, number) => {
  const contents = await readSealed(node, number);
  if (!contents) return undefined;
  const placeOf = placesIn();
  const transfers = contents.spends.map(({ payload: _payload, ...spend }) => ({
    ...spend,
    token: undefined,
    place: placeOf({ ...spend, token: undefined }),
  }));
  return { block: contents.block, transfers };
};

async function readSpends(node: Node, { number, before }: KeyBlock): Promise<Spend[] | undefined> {
  const generation = await read(node, `generations/height/${number - 1}`);
  const micro = generation?.['micro_blocks'];
  // The chain was reorganised in the meantime, or this node is behind the previous one.
  if (!Array.isArray(micro) || !micro.includes(before)) return undefined;
  const contents = await Promise.all(
    micro.map((hash) => read(node, `micro-blocks/hash/${text(hash, HASH)}/transactions`)),
  );
  if (contents.includes(undefined)) return undefined;
  return contents.flatMap((content) => {
    const transactions = content!['transactions'];
    if (!Array.isArray(transactions)) throw nonsense('the transactions of a block');
    return transactions.flatMap((transaction) => spendIn(fields(transaction)) ?? []);
  });
}

/** Undefined for other transactions, and for spends of nothing. */
export function spendIn({ hash, tx }: Fields): Spend | undefined {
  const { type, sender_id: sender, recipient_id: recipient, amount: value, payload } = fields(tx);
  // A name, an oracle or a contract may be paid, too.
  if (type !== 'SpendTx' || typeof recipient !== 'string' || !ACCOUNT.test(recipient)) return undefined;
  if (!/^\d{1,78}$/.test(String(value))) throw nonsense('an amount');
  const amount = BigInt(value as string | number);
  return amount === 0n
    ? undefined
    : {
        hash: text(hash, TRANSACTION),
        sender: text(sender, ACCOUNT),
        recipient,
        amount,
        payload,
      };
}

export const aeternityBlocks: BlockReader = {
  everyMs: 15_000,
  clockMs: 60_000,
  keyOf: (address) => address,
  addressOf: (key) => key,
  readBlock: readKeyBlock,
  readTransfers,
  carriedOut: fromOthers,
};
