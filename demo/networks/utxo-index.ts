/** Indexes a node's chain by transaction, script and output, in memory. */
import { Transaction } from 'bitcoinjs-lib';
import type { Block } from './esplora-json.ts';
import type { UtxoNode } from './utxo-node.ts';

export interface Entry {
  transaction: Transaction;
  /** Undefined while unconfirmed. */
  block: Block | undefined;
}

/** btcd calls them `rawtx`, as old Bitcoin nodes did. */
interface ReadBlock {
  tx?: { hex: string }[];
  rawtx?: { hex: string }[];
  time: number;
}

/** As Litecoin marks what has to do with its extension blocks: in place of inputs, with a flag. */
const EXTENSION = /^.{8}0008/;

/**
 * Without the flag of extension blocks, and their empty data before the lock time. Undefined for what is within the extension block alone: no
 * block shows it.
 */
function read(hex: string): Transaction | undefined {
  try {
    return Transaction.fromHex(
      EXTENSION.test(hex) ? hex.slice(0, 8) + hex.slice(12, -10) + hex.slice(-8) : hex,
    );
  } catch (error) {
    if (EXTENSION.test(hex)) return undefined;
    throw error;
  }
}

export class UtxoIndex {
  /** Transactions by id. */
  readonly entries = new Map<string, Entry>();
  /** Block hashes by height. */
  readonly blocks: string[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly node: UtxoNode) {}

  /** Reads what is new. Concurrent calls are serialised. */
  sync(): Promise<void> {
    const read = (): Promise<void> => this.#read();
    const turn = this.#last.then(read, read);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  outputsOf(script: string) {
    return [...this.entries].flatMap(([txid, { transaction, block }]) =>
      transaction.outs.flatMap((out, vout) =>
        Buffer.from(out.script).toString('hex') === script
          ? [{ txid, vout, value: Number(out.value), block }]
          : [],
      ),
    );
  }

  /** The transaction that spends an output, by `id:number` of the output. */
  spenders(): Map<string, Entry> {
    const found = new Map<string, Entry>();
    for (const entry of this.entries.values())
      for (const { hash, index } of entry.transaction.ins)
        found.set(`${Buffer.from(hash).reverse().toString('hex')}:${index}`, entry);
    return found;
  }

  async #read(): Promise<void> {
    const { node, entries, blocks } = this;
    // A transaction mined meanwhile is found in its block.
    const waiting = new Set(await node.rpc<string[]>('getrawmempool'));
    const height = await node.rpc<number>('getblockcount');
    await this.#forgetReplaced(height);
    while (blocks.length <= height) {
      const hash = await node.rpc<string>('getblockhash', blocks.length);
      const { time, rawtx, tx = rawtx! } = await node.rpc<ReadBlock>('getblock', hash, 2);
      const block = { hash, height: blocks.length, time };
      for (const { hex } of tx) {
        const transaction = read(hex)!;
        entries.set(transaction.getId(), { transaction, block });
      }
      blocks.push(hash);
    }
    for (const [txid, { block }] of entries) if (!block && !waiting.has(txid)) entries.delete(txid);
    for (const txid of waiting) {
      if (entries.has(txid)) continue;
      const transaction = read(await node.rpc<string>('getrawtransaction', txid));
      if (transaction) entries.set(txid, { transaction, block: undefined });
    }
  }

  /** After a reorganisation. */
  async #forgetReplaced(height: number): Promise<void> {
    const { node, entries, blocks } = this;
    for (let last = blocks.length - 1; last >= 0; last--) {
      if (last <= height && (await node.rpc<string>('getblockhash', last)) === blocks[last]) return;
      for (const [txid, { block }] of entries) if (block?.hash === blocks[last]) entries.delete(txid);
      blocks.pop();
    }
  }
}
