/**
 * Blocks of VeChain, which list what each of their transactions moved: coins and tokens, including moves by contracts.
 * https://github.com/vechain/thor/blob/master/api/doc/thor.yaml
 */
import type { Node } from '../../../src/chains/terms.ts';
import { checksum } from '../../../src/chains/contracts/evm-address.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { count, quantity } from '../../../src/chains/vechain/node.ts';
import { type Block, type BlockReader, fromOthers, once, placesIn, type Transfer } from './block-reader.ts';
import { account, type Fields, fields, id, movedIn } from './node-answers.ts';

function blockOf(block: Fields): Block {
  return {
    number: Number(count(block['number'])),
    hash: id(block['id']),
    parent: id(block['parentID']),
    time: Number(count(block['timestamp'])) * 1000,
  };
}

async function read(node: Node, at: number | 'latest', query = ''): Promise<Fields | undefined> {
  const answer = await restOf(node).get(`/blocks/${at === 'latest' ? 'best' : at}${query}`);
  if (answer === null) return undefined;
  const block = fields(answer);
  if (at !== 'latest' && block['number'] !== at) throw nonsense('the block that was asked for');
  return block;
}

export async function readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined> {
  const block = await read(node, at);
  return block && blockOf(block);
}

/** What a transaction did, in order. */
export interface Effects {
  /** Of coins. */
  transfers: Fields[];
  /** Logs of contracts. */
  events: Fields[];
}

/** Of its clauses together. */
export function effectsOf(outputs: unknown): Effects {
  const all = (part: keyof Effects): Fields[] =>
    listOf(outputs).flatMap((output) => listOf(fields(output)[part]).map(fields));
  return { transfers: all('transfers'), events: all('events') };
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw nonsense('what a transaction did');
}

/** The accounts are in lower case. */
export function coinIn({ sender, recipient, amount }: Fields) {
  return { sender: account(sender), recipient: account(recipient), amount: quantity(amount) };
}

/** A block with those of its transactions that were not reverted. Undefined when the node does not have it. */
export async function readCarriedOut(
  node: Node,
  number: number,
): Promise<{ block: Block; transactions: { hash: string; effects: Effects }[] } | undefined> {
  const answer = await read(node, number, '?expanded=true');
  if (!answer) return undefined;
  const { transactions } = answer;
  if (!Array.isArray(transactions)) throw nonsense('the transactions of a block');
  return {
    block: blockOf(answer),
    transactions: once(
      transactions
        .map(fields)
        .filter(({ reverted }) => reverted === false)
        .map((transaction) => ({ hash: id(transaction['id']), effects: effectsOf(transaction['outputs']) })),
    ),
  };
}

const readTransfers: BlockReader['readTransfers'] = async (node, number) => {
  const contents = await readCarriedOut(node, number);
  if (!contents) return undefined;
  const placeOf = placesIn();
  const transfers = contents.transactions.flatMap(({ hash, effects }): Transfer[] => {
    const coins = effects.transfers.map((transfer) => ({ ...coinIn(transfer), token: undefined }));
    const tokens = effects.events.flatMap((event) => movedIn(event) ?? []);
    return [...coins, ...tokens]
      .filter(({ amount }) => amount > 0n)
      .map((moved) => ({ hash, ...moved, place: placeOf({ hash, ...moved }) }));
  });
  return { block: contents.block, transfers };
};

export const vechainBlocks: BlockReader = {
  everyMs: 5_000,
  clockMs: 60_000,
  keyOf: (address) => address.toLowerCase(),
  addressOf: checksum,
  readBlock,
  readTransfers,
  carriedOut: fromOthers,
};
