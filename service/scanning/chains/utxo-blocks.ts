/**
 * Blocks of Bitcoin and Litecoin, as a node keeps them: one request brings all of it.
 * https://github.com/Blockstream/esplora/blob/master/API.md#blocks
 */
import { hash as digest } from 'node:crypto';
import type { Node } from '../../../src/chains/terms.ts';
import { concat, hexOf } from '../../../src/base/bytes.ts';
import { nonsense, unreachable } from '../../../src/chains/nodes/http.ts';
import { RestError, restOf } from '../../../src/chains/nodes/rest.ts';
import {
  ByteReader,
  type ReadInput,
  readParts,
  witnessKey,
} from '../../../src/chains/utxo/read-transaction.ts';
import { transactionId } from '../../../src/chains/utxo/envelope.ts';
import type { UtxoProfile } from '../../../src/chains/utxo/profile.ts';
import { hash160, keyHashOf } from '../../../src/chains/utxo/script.ts';
import { p2pkhAddress, p2wpkhAddress, readDestination } from '../../../src/chains/utxo/address.ts';
import { Turns } from '../../concurrency/turns.ts';
import type { Block, BlockReader, Transfer } from './block-reader.ts';
import { fields } from './node-answers.ts';

/** No block is larger (BIP-141). Litecoin's may have an extension block in addition. */
const LARGEST = 8_000_000;
const RAW_MS = 15_000;
const HEADER_BYTES = 80;
const HASH = /^[0-9a-f]{64}$/;
/** Litecoin: data of its extension blocks comes before the lock time. */
const MWEB_FLAG = 8;

/** Undefined where the node has nothing at the path. */
async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return undefined;
    throw error;
  }
}

async function readHash(node: Node, at: number | 'latest'): Promise<string | undefined> {
  const path = at === 'latest' ? '/blocks/tip/hash' : `/block-height/${at}`;
  const hash = (await found(restOf(node).getText(path)))?.trim();
  if (hash !== undefined && !HASH.test(hash)) throw nonsense('the hash of a block');
  return hash;
}

async function readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined> {
  const hash = await readHash(node, at);
  const answer = hash && (await found(restOf(node).get(`/block/${hash}`)));
  if (!answer) return undefined;
  const { id, height, previousblockhash: parent = '0'.repeat(64), timestamp } = fields(answer);
  const isRight =
    id === hash &&
    HASH.test(String(parent)) &&
    Number.isSafeInteger(height) &&
    Number.isSafeInteger(timestamp);
  if (!isRight || (at !== 'latest' && height !== at)) throw nonsense('the block that was asked for');
  return { number: height as number, hash, parent: parent as string, time: (timestamp as number) * 1000 };
}

async function readTransfers(node: Node, number: number): ReturnType<BlockReader['readTransfers']> {
  const hash = await readHash(node, number);
  const contents = hash && (await readAuthentic(node, hash));
  if (!contents) return undefined;
  const { header, transfers } = contents;
  return { block: { number, hash, parent: parentIn(header), time: timeIn(header) }, transfers };
}

interface Contents {
  header: Uint8Array;
  transfers: Transfer[];
}

/**
 * The hash authenticates the header, and that the transactions: so they may come from any of the nodes. Undefined if none has the block.
 */
async function readAuthentic(node: Node, hash: string): Promise<Contents | undefined> {
  const { fetch: send = fetch, timeout = RAW_MS } = restOf(node).http;
  const failures: unknown[] = [];
  for (const url of node.network.nodes)
    try {
      const at = `${url.replace(/\/$/, '')}/block/${hash}/raw`;
      const response = await send(at, { signal: AbortSignal.timeout(timeout), redirect: 'error' });
      if (response.ok) return await contentsOf(await bounded(response), hash);
      await response.body?.cancel();
      if (response.status !== 404) failures.push(new Error(`answered HTTP ${response.status}`));
    } catch (error) {
      failures.push(error);
    }
  if (failures.length === 0) return undefined;
  throw unreachable(node.network, node.host, failures);
}

/** Throws unless the bytes are the block, whole and unaltered. */
async function contentsOf(bytes: Uint8Array, hash: string): Promise<Contents> {
  const header = bytes.subarray(0, HEADER_BYTES);
  if (transactionId(header) !== hash) throw nonsense('the block that was asked for');
  const transfers: Transfer[] = [];
  const ids: Buffer[] = [];
  const turns = new Turns();
  for (const part of transactionsIn(bytes)) {
    ids.push(part.id);
    transfers.push(...part.transfers);
    if (ids.length % IN_A_ROW === 0) await turns.next();
  }
  if (!(await rootOf(ids)).equals(header.subarray(36, 68))) throw nonsense("the block's own transactions");
  return { header, transfers };
}

/** Hashes before others may have their turn. */
const IN_A_ROW = 50;

function doubled(bytes: Uint8Array): Buffer {
  return digest('sha256', digest('sha256', bytes, 'buffer'), 'buffer');
}

/** The Merkle root, which the header has at byte 36. */
async function rootOf(ids: readonly Buffer[]): Promise<Buffer> {
  const turns = new Turns();
  let row = ids;
  while (row.length > 1) {
    const next: Buffer[] = [];
    for (let i = 0; i < row.length; i += 2) {
      next.push(doubled(Buffer.concat([row[i]!, row[i + 1] ?? row[i]!])));
      if (next.length % IN_A_ROW === 0) await turns.next();
    }
    row = next;
  }
  return row[0] ?? Buffer.alloc(32);
}

async function bounded(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop closes the connection.
    if (size > LARGEST) throw new Error(`answered more than ${LARGEST} bytes`);
    parts.push(part);
  }
  return concat(...parts);
}

/** Hash of the previous block: bytes 4 to 36, in reverse order. */
function parentIn(header: Uint8Array): string {
  return hexOf(header.slice(4, 36).reverse()).slice(2);
}

/** Seconds at byte 68. */
function timeIn({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return new DataView(buffer, byteOffset, byteLength).getUint32(68, true) * 1000;
}

/** A transfer whose senders are computed on demand: hashing the keys of a whole block takes a tenth of a second. */
class OutputTransfer implements Transfer {
  readonly token = undefined;

  constructor(
    private readonly transaction: SpentIn,
    readonly place: string,
    readonly recipient: string,
    readonly amount: bigint,
  ) {}

  get hash(): string {
    return this.transaction.hash;
  }

  get sender(): string | undefined {
    const [sender, ...others] = this.#senders;
    return others.length === 0 ? sender : undefined;
  }

  /** Outputs to a sender are change. */
  get isChange(): boolean {
    return this.#senders.has(this.recipient);
  }

  get #senders(): Set<string | undefined> {
    return (this.transaction.senders ??= new Set(this.transaction.inputs.map(scriptOf)));
  }
}

interface SpentIn {
  inputs: readonly ReadInput[];
  hash: string;
  senders?: Set<string | undefined>;
}

interface ReadTransaction {
  /** As the Merkle tree has it. */
  id: Buffer;
  transfers: Transfer[];
}

function* transactionsIn(bytes: Uint8Array): Generator<ReadTransaction, void, undefined> {
  const reader = new ByteReader(bytes);
  reader.take(HEADER_BYTES);
  const count = reader.varInt();
  for (let i = 0; i < count; i++) {
    const version = bytes.subarray(reader.at, reader.at + 4);
    const { flags, inputs, outputs, body } = readParts(reader);
    // In a block only the transaction that leads out of the extension block has the flag, and it has no extension data.
    if (flags & MWEB_FLAG && reader.take(1)[0] !== 0) throw new Error('an extension transaction');
    const lockTime = reader.take(4);
    const id = doubled(concat(version, body, lockTime));
    const transaction = { inputs, hash: Buffer.from(id).reverse().toString('hex') };
    yield {
      id,
      transfers: outputs.flatMap(({ value, script }, output) =>
        // The first one is the coinbase, whose coins nobody can spend for a hundred blocks.
        i > 0 && value > 0n
          ? [new OutputTransfer(transaction, `output:${output}`, hexOf(script), value)]
          : [],
      ),
    };
  }
}

/** The address of the coin that an input spends, from the key that it reveals; undefined for other kinds of coins. */
function scriptOf(input: ReadInput): string | undefined {
  const { script } = input;
  const inWitness = script.length === 0 ? witnessKey(input) : undefined;
  if (inWitness) return `0x0014${hexOf(hash160(inWitness)).slice(2)}`;
  // P2PKH: a signature and a compressed key.
  const signature = script[0] ?? 0;
  const isKey = script[signature + 1] === 33 && script.length === signature + 35;
  if (!isKey) return undefined;
  return `0x76a914${hexOf(hash160(script.subarray(signature + 2))).slice(2)}88ac`;
}

export function utxoBlocks(params: UtxoProfile): BlockReader {
  return {
    everyMs: 20_000,
    // Miners may be two hours off.
    clockMs: 2 * 3_600_000,
    keyOf: (address) => readDestination(params, address).script,
    addressOf(key, { kind }) {
      const { segwit, hash } = keyHashOf(key)!;
      return (segwit ? p2wpkhAddress : p2pkhAddress)(params, hash, kind);
    },
    readBlock,
    readTransfers,
    carriedOut: async (_node, _block, transfers) =>
      transfers.filter((transfer) => !(transfer as OutputTransfer).isChange),
  };
}
