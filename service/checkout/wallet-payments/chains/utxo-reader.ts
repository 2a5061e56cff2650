/**
 * Payments on Bitcoin and Litecoin: outputs to sessions' addresses, each known by its transaction and its place there. Blocks are read as
 * bytes that their hash authenticates; what waits in a node's memory pool is the node's word alone.
 */
import type { Node } from '../../../../src/chains/terms.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { NodeDown, NodeFailure, nonsense } from '../../../../src/chains/nodes/http.ts';
import { RestError, restOf } from '../../../../src/chains/nodes/rest.ts';
import { record, required, satoshi } from '../../../../src/chains/utxo/node.ts';
import type { UtxoProfile } from '../../../../src/chains/utxo/profile.ts';
import { dustLimit } from '../../../../src/chains/utxo/script.ts';
import type { Block, Transfer } from '../../../scanning/chains/block-reader.ts';
import { blockReaderOf } from '../../../scanning/chains/block-readers.ts';
import type { ChainReader, ChainTransfer, ExpectedTransfer, TransactionState } from './chain-reader.ts';

const HASH = /^[0-9a-f]{64}$/;

/** An output that no block has yet. */
export interface WaitingOutput {
  hash: string;
  logIndex: number;
  amount: bigint;
}

/** An address and its script, `0x…`. */
export interface Recipient {
  address: string;
  script: string;
}

export interface WaitingOutputs {
  outputs: WaitingOutput[];
  /** False where more may wait than the node tells: what is missing may still wait. */
  isWhole: boolean;
}

export interface OutputReader extends ChainReader {
  /** Milliseconds between two rounds. */
  everyMs: number;
  /** By how many milliseconds the time in a block may be wrong. */
  clockMs: number;
  /** The smallest amount that nodes relay to a script, `0x…`. */
  leastAmount(script: string): bigint;
  /** All outputs of a block, each to a script as `0x…`, but those of its coinbase. Undefined when the node does not have the block. */
  blockOutputs(node: Node, number: number): Promise<{ block: Block; outputs: Transfer[] } | undefined>;
  /** Outputs of a block to the script of this address as transfers, but those that are too small for nodes to relay. */
  transfersOf(node: Node, block: Block, outputs: readonly Transfer[], to: Recipient): ChainTransfer[];
  /** What waits for a block and pays the script; undefined if the node answers nothing usable about this address, but does not fail. */
  waitingOutputs(node: Node, address: string, script: string): Promise<WaitingOutputs | undefined>;
  /** Numbers of the newest blocks that have payments to the address, as the node says. */
  blocksWith(node: Node, address: string): Promise<number[]>;
}

/** Often enough that a customer sees what they sent. */
const EVERY_MS = 10_000;

/** Waiting transactions of an address that Esplora tells at most, the newest. */
const MAX_TOLD = 50;

/** A transaction as Esplora tells it. */
interface ToldTransaction {
  hash: string;
  /** Undefined while no block has it. */
  block: number | undefined;
  outputs: { script: string; amount: bigint }[];
}

function toldIn(answer: unknown): ToldTransaction {
  const { txid, status, vout } = record(answer);
  const { confirmed, block_height } = record(status);
  if (!HASH.test(String(txid)) || typeof confirmed !== 'boolean' || !Array.isArray(vout))
    throw new Error('not a transaction');
  const outputs = vout.map((output) => {
    const { scriptpubkey, value } = record(output);
    return { script: `0x${String(scriptpubkey)}`, amount: satoshi(value) };
  });
  return { hash: String(txid), block: confirmed ? Number(satoshi(block_height)) : undefined, outputs };
}

function readList(node: Node, path: string): Promise<ToldTransaction[]> {
  return required(
    restOf(node).get(path, (answer) => {
      if (!Array.isArray(answer)) throw new Error('not a list');
      return answer.map(toldIn);
    }),
  );
}

/** Undefined when the node does not have it. */
async function readTold(node: Node, hash: string): Promise<ToldTransaction | undefined> {
  try {
    const told = await restOf(node).get(`/tx/${hash}`, toldIn);
    if (told.hash !== hash) throw nonsense('the transaction that was asked for');
    return told;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return undefined;
    throw error;
  }
}

function waitingIn({ hash, block, outputs }: ToldTransaction, to: string): WaitingOutput[] {
  if (block !== undefined) return [];
  return outputs.flatMap(({ script, amount }, logIndex) =>
    script === to && amount > 0n ? [{ hash, logIndex, amount }] : [],
  );
}

/** The node answers, but nothing that can be read: more than is read of an answer, for one. */
function isUnusable(error: unknown): boolean {
  const { cause } = error as Error;
  return error instanceof ConnectError && cause instanceof NodeFailure && !(cause instanceof NodeDown);
}

async function readWaiting(
  node: Node,
  address: string,
  script: string,
  least: bigint,
): Promise<WaitingOutputs | undefined> {
  try {
    const told = await readList(node, `/address/${address}/txs/mempool`);
    const outputs = told.flatMap((transaction) => waitingIn(transaction, script));
    return { outputs: outputs.filter(({ amount }) => amount >= least), isWhole: told.length < MAX_TOLD };
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}

function indexOf({ place }: Transfer): number {
  return Number(place.slice(place.indexOf(':') + 1));
}

export function utxoReader(params: UtxoProfile): OutputReader {
  const blocks = blockReaderOf(params.secretType);
  const { readBlock, keyOf, addressOf } = blocks;

  const transferOf = (node: Node, block: Block, output: Transfer, address: string): ChainTransfer => ({
    hash: output.hash,
    logIndex: indexOf(output),
    block: block.number,
    blockHash: block.hash,
    sender: output.sender === undefined ? '' : addressOf(output.sender, node.network),
    to: address,
    amount: output.amount,
  });

  const blockOutputs: OutputReader['blockOutputs'] = async (node, number) => {
    const contents = await blocks.readTransfers(node, number);
    return contents && { block: contents.block, outputs: contents.transfers };
  };

  const blockTransfers: ChainReader['blockTransfers'] = async (node, number, _token, addresses) => {
    const contents = await blockOutputs(node, number);
    if (!contents) return undefined;
    const { block, outputs } = contents;
    const byScript = new Map(addresses.map((address) => [keyOf(address), address]));
    const transfers = outputs.flatMap((output) => {
      const address = byScript.get(output.recipient);
      return address === undefined ? [] : [transferOf(node, block, output, address)];
    });
    return { block, transfers };
  };

  const locate: ChainReader['locate'] = async (node, { hash, logIndex, seenIn }, { address, amount }) => {
    // The block was read whole, so the transfer is where its block is.
    if (seenIn && (await readBlock(node, seenIn.block))?.hash === seenIn.blockHash)
      return { ...seenIn, logIndex };
    const number = (await readTold(node, hash))?.block;
    const contents = number === undefined ? undefined : await blockTransfers(node, number, '', [address]);
    const same = contents?.transfers.find((one) => one.hash === hash && one.logIndex === logIndex);
    return same?.amount === amount
      ? { block: number!, blockHash: contents!.block.hash, logIndex }
      : undefined;
  };

  return {
    everyMs: EVERY_MS,
    clockMs: blocks.clockMs,
    leastAmount: (script) => dustLimit(params, script),
    readBlock,
    blockTransfers,
    blockOutputs,
    transfersOf(node, block, outputs, { address, script }) {
      const least = dustLimit(params, script);
      return outputs
        .filter(({ recipient, amount }) => recipient === script && amount >= least)
        .map((output) => transferOf(node, block, output, address));
    },
    locate,
    async transactionState(node, hash, { address }: ExpectedTransfer): Promise<TransactionState> {
      const told = await readTold(node, hash);
      if (!told) return { state: 'unknown' };
      const script = keyOf(address);
      const sends = told.outputs.some((output) => output.script === script && output.amount > 0n);
      if (told.block !== undefined) return { state: 'mined', block: told.block, sends };
      // What is missing may come with another one.
      return { state: sends ? 'waiting' : 'other' };
    },
    waitingOutputs: (node, address, script) => readWaiting(node, address, script, dustLimit(params, script)),
    async blocksWith(node, address) {
      const script = keyOf(address);
      const told = await readList(node, `/address/${address}/txs/chain`);
      const numbers = told.flatMap(({ block, outputs }) =>
        block !== undefined && outputs.some((output) => output.script === script) ? [block] : [],
      );
      return [...new Set(numbers)];
    },
  };
}
