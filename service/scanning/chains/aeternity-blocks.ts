/**
 * Blocks of Aeternity. Transactions are in micro blocks, and what is in them is fixed by the key block that follows: here a block is a key
 * block with the micro blocks before it. https://docs.aeternity.com/openapi/
 */
import type { Node } from '../../../src/chains/terms.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { RestError, restOf } from '../../../src/chains/nodes/rest.ts';
import { type Block, type BlockReader, fromOthers, once, placesIn, type Transfer } from './block-reader.ts';
import { type Fields, fields } from './node-answers.ts';

const HASH = /^[km]h_[1-9A-HJ-NP-Za-km-z]{30,60}$/;
const TRANSACTION = /^th_[1-9A-HJ-NP-Za-km-z]{30,60}$/;
const ACCOUNT = /^ak_[1-9A-HJ-NP-Za-km-z]{30,60}$/;

function text(value: unknown, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw nonsense('a hash or an address');
}

/** Undefined if the node does not have it, or no longer has it. */
async function read(node: Node, path: string): Promise<Fields | undefined> {
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

async function readKeyBlock(node: Node, at: number | 'latest'): Promise<KeyBlock | undefined> {
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

const readTransfers: BlockReader['readTransfers'] = async (node, number) => {
  const block = await readKeyBlock(node, number);
  if (!block) return undefined;
  const spends = block.before === block.parent ? [] : await readSpends(node, block);
  const placeOf = placesIn();
  return spends && { block, transfers: once(spends).map((spend) => ({ ...spend, place: placeOf(spend) })) };
};

/** Of the micro blocks before a key block. */
async function readSpends(
  node: Node,
  { number, before }: KeyBlock,
): Promise<Omit<Transfer, 'place'>[] | undefined> {
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

function spendIn({ hash, tx }: Fields): Omit<Transfer, 'place'> | undefined {
  const { type, sender_id: sender, recipient_id: recipient, amount: value } = fields(tx);
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
        token: undefined,
        amount,
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
