/**
 * Blocks of Tron: coins and TRC-10 tokens are in their transactions, TRC-20 tokens in the logs of these.
 * https://tronprotocol.github.io/documentation-en/api/http/
 */
import type { Node } from '../../../src/chains/terms.ts';
import { bytesOf, hexOf } from '../../../src/base/bytes.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { addressBytes, addressOf } from '../../../src/chains/tron/address.ts';
import { isAssetId } from '../../../src/chains/tron/fields.ts';
import { type Block, type BlockReader, fromOthers, once, placesIn, type Transfer } from './block-reader.ts';
import { type Fields, fields, movedIn } from './node-answers.ts';

const HASH = /^[0-9a-f]{64}$/;
/** 21 bytes. */
const ACCOUNT = /^41[0-9a-f]{40}$/;
/** An account as in contracts: without its first byte. */
const PREFIX = '41';

export function hash(value: unknown): string {
  if (typeof value === 'string' && HASH.test(value)) return value;
  throw nonsense('a hash');
}

function account(value: unknown): string {
  if (typeof value === 'string' && ACCOUNT.test(value)) return value;
  throw nonsense('an address');
}

export function list(value: unknown): Fields[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(fields);
  throw nonsense('a list');
}

/** Nodes leave out what is 0. Large numbers come as text: see `parseExact`. */
export function uint(value: unknown = 0): bigint {
  const isWhole = typeof value === 'string' ? /^\d{1,19}$/.test(value) : Number.isSafeInteger(value);
  if (isWhole && Number(value) >= 0) return BigInt(value as string | number);
  throw nonsense('a number');
}

function blockOf(block: Fields): Block {
  const header = fields(fields(block['block_header'])['raw_data']);
  return {
    number: Number(uint(header['number'])),
    hash: hash(block['blockID']),
    parent: hash(header['parentHash']),
    time: Number(uint(header['timestamp'])),
  };
}

async function read(node: Node, at: number | 'latest', detail: boolean): Promise<Fields | undefined> {
  const body = at === 'latest' ? {} : { id_or_num: String(at) };
  const block = fields(await restOf(node).post('/wallet/getblock', { ...body, detail }));
  if (block['blockID'] === undefined) return undefined;
  if (at !== 'latest' && blockOf(block).number !== at) throw nonsense('the block that was asked for');
  return block;
}

export async function readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined> {
  const block = await read(node, at, false);
  return block && blockOf(block);
}

/** Whether enough witnesses have built on the block: it is never replaced any more. */
export async function isSolid(node: Node, number: number, hash: string): Promise<boolean> {
  const body = { id_or_num: String(number), detail: false };
  const { blockID } = fields(await restOf(node).post('/walletsolidity/getblock', body));
  return blockID === hash;
}

export type Moved = Omit<Transfer, 'hash' | 'place'>;

/** What a transfer by one of the system's own contract types moves. */
export function movedBy({ type, parameter }: Fields): Moved | undefined {
  if (type !== 'TransferContract' && type !== 'TransferAssetContract') return undefined;
  const { owner_address, to_address, amount, asset_name } = fields(fields(parameter)['value']);
  return {
    sender: account(owner_address),
    recipient: account(to_address),
    token: type === 'TransferContract' ? undefined : idOf(asset_name),
    amount: uint(amount),
  };
}

/** The id of a TRC-10 token: its digits, as hex. */
function idOf(name: unknown): string {
  return Buffer.from(String(name), 'hex').toString();
}

/** The transfer of a TRC-20 token that a log reports, as `movedIn` of contracts. */
export function movedInLog({ address, topics, data }: Fields): Moved | undefined {
  const prefixed = (value: unknown): string => `0x${String(value)}`;
  if (!Array.isArray(topics)) return undefined;
  const moved = movedIn({
    address: prefixed(address),
    topics: topics.map(prefixed),
    data: prefixed(data ?? ''),
  });
  if (!moved) return undefined;
  const own = (of: string): string => PREFIX + of.slice(2);
  return {
    sender: own(moved.sender),
    recipient: own(moved.recipient),
    token: own(moved.token),
    amount: moved.amount,
  };
}

export interface CarriedOut {
  hash: string;
  /** What the transaction does; nodes take only one contract in each. */
  contract: Fields;
  /** In order; none of other types than `TriggerSmartContract`. */
  logs: readonly Fields[];
}

/** The transactions of a block that succeeded. Undefined when the node does not have all of it. */
export async function readCarriedOut(
  node: Node,
  number: number,
): Promise<{ block: Block; transactions: CarriedOut[] } | undefined> {
  const answer = await read(node, number, true);
  if (!answer) return undefined;
  const transactions = once(
    list(answer['transactions'])
      .filter(({ ret }) => list(ret)[0]?.['contractRet'] === 'SUCCESS')
      .map(({ txID, raw_data }) => ({
        hash: hash(txID),
        contract: list(fields(raw_data)['contract'])[0] ?? {},
      })),
  );
  const calls = transactions.filter(({ contract }) => contract['type'] === 'TriggerSmartContract');
  const logs = calls.length > 0 ? await readLogs(node, number) : new Map<string, Fields[]>();
  // The node that answers has another block of this number, or less of it.
  if (calls.some(({ hash }) => !logs.has(hash))) return undefined;
  return {
    block: blockOf(answer),
    transactions: transactions.map((each) => ({ ...each, logs: logs.get(each.hash) ?? [] })),
  };
}

const readTransfers: BlockReader['readTransfers'] = async (node, number) => {
  const contents = await readCarriedOut(node, number);
  if (!contents) return undefined;
  const { block, transactions } = contents;
  const placeOf = placesIn();
  const transfers = transactions.flatMap(({ hash, contract, logs }) =>
    [movedBy(contract), ...logs.map(movedInLog)].flatMap((moved) =>
      moved && moved.amount > 0n ? [{ hash, ...moved, place: placeOf({ hash, ...moved }) }] : [],
    ),
  );
  return { block, transfers };
};

/** Of every transaction of a block. */
async function readLogs(node: Node, number: number): Promise<Map<string, Fields[]>> {
  const answer = await restOf(node).post('/wallet/gettransactioninfobyblocknum', { num: number });
  if (!Array.isArray(answer)) throw nonsense('the results of a block');
  return new Map(answer.map(fields).map(({ id, log }) => [hash(id), list(log)]));
}

export const tronBlocks: BlockReader = {
  everyMs: 5_000,
  clockMs: 60_000,
  keyOf: (address) => (isAssetId(address) ? address : hexOf(addressBytes(address)).slice(2)),
  addressOf: (key) => (isAssetId(key) ? key : addressOf(bytesOf(`0x${key}`))),
  readBlock,
  readTransfers,
  carriedOut: fromOthers,
};
