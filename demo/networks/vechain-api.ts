/** What the local VeChain answers over HTTP: paths, shapes and refusals as thor has them (api/doc/thor.yaml). */
import type { IncomingMessage } from 'node:http';
import {
  type LedgerBlock,
  type LedgerTransaction,
  numberIn,
  payerOf,
  Refusal,
  type VechainLedger,
} from './vechain-ledger.ts';
import type { Clause, Output } from './vechain-machine.ts';

const MAX_BODY = 200 * 1024;

/** JSON that is sent, or what a bad request is told as plain text. */
export type Answer = { json: unknown } | { status: number; text: string };

/** `posted` is called when a transaction was taken. */
export async function answer(
  ledger: VechainLedger,
  request: IncomingMessage,
  posted: () => void,
): Promise<Answer> {
  try {
    const body = await bodyOf(request);
    return await route(ledger, request.method!, new URL(request.url!, 'http://node'), body, posted);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, text: error.message };
    return { status: 500, text: (error as Error).message };
  }
}

async function route(
  ledger: VechainLedger,
  method: string,
  { pathname, searchParams: query }: URL,
  body: string,
  posted: () => void,
): Promise<Answer> {
  const [area, id = '', detail] = pathname.slice(1).split('/');
  if (method === 'POST' && area === 'transactions' && !id) {
    const { raw } = parseBody(body, ['raw']);
    if (typeof raw !== 'string') throw new Refusal(400, 'raw: empty hex string');
    const entry = await ledger.post(raw);
    posted();
    return { json: { id: entry.id } };
  }
  if (method === 'POST' && area === 'accounts' && id === '*') return simulate(ledger, body, query);
  if (method === 'GET' && area === 'accounts') return account(ledger, id, detail, query);
  if (method === 'GET' && area === 'blocks') return block(ledger, id, query);
  if (method === 'GET' && area === 'transactions') return transaction(ledger, id, detail, query);
  if (method === 'GET' && area === 'fees') return fees(ledger, id, query);
  return { status: 404, text: '404 page not found' };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MAX_BODY) throw new Refusal(400, 'body: http: request body too large');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
}

/** Unknown fields are refused. */
function parseBody(text: string, fields: readonly string[]): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `body: ${(error as Error).message}`);
  }
  return checked(body, fields);
}

function checked(body: unknown, fields: readonly string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, `body: json: cannot unmarshal into an object`);
  for (const field of Object.keys(body))
    if (!fields.includes(field)) throw new Refusal(400, `body: json: unknown field "${field}"`);
  return body as Record<string, unknown>;
}

function addressIn(text: string): string {
  if (!/^(0x)?[0-9a-f]{40}$/i.test(text)) throw new Refusal(400, 'address: invalid length');
  return `0x${text.slice(-40).toLowerCase()}`;
}

/** `best`, a number or an id. */
function revision(ledger: VechainLedger, text: string | null): LedgerBlock | undefined {
  if (text === null || ['', 'best', 'justified', 'finalized'].includes(text)) return ledger.best;
  if (text === 'next') throw new Refusal(400, 'revision: invalid revision: next is not allowed');
  if (/^0x[0-9a-f]{64}$/i.test(text)) return ledger.blocks.find(({ id }) => id === text.toLowerCase());
  if (/^(0x[0-9a-f]+|\d+)$/i.test(text)) return ledger.blocks[Number(text)];
  throw new Refusal(400, 'revision: invalid syntax');
}

async function account(
  ledger: VechainLedger,
  id: string,
  detail: string | undefined,
  query: URLSearchParams,
): Promise<Answer> {
  const address = addressIn(id);
  if (!revision(ledger, query.get('revision'))) throw new Refusal(400, 'revision: leveldb: not found');
  const { balance, energy, code } = await ledger.account(address);
  if (detail === 'code') return { json: { code } };
  return { json: { balance: hex(balance), energy: hex(energy), hasCode: code !== '0x' } };
}

const CALL_FIELDS = [
  'caller',
  'gas',
  'gasPrice',
  'gasPayer',
  'provedWork',
  'expiration',
  'blockRef',
  'clauses',
];

async function simulate(ledger: VechainLedger, text: string, query: URLSearchParams): Promise<Answer> {
  const asked = query.get('revision');
  if (asked !== 'next' && !revision(ledger, asked)) throw new Refusal(400, 'revision: leveldb: not found');
  const body = parseBody(text, CALL_FIELDS);
  const gas = BigInt((body['gas'] as number | undefined) ?? 0);
  if (gas > 50_000_000n) throw new Refusal(403, 'gas: exceeds limit');
  const clauses = ((body['clauses'] as unknown[]) ?? []).map((clause, i): Clause => {
    if (clause === null) throw new Refusal(400, `clauses[${i}]: null not allowed`);
    const { to, value, data } = checked(clause, ['to', 'value', 'data']);
    if (data !== undefined && !/^0x([0-9a-f]{2})*$/i.test(String(data)))
      throw new Refusal(400, `data[${i}]: invalid hex`);
    return {
      to: to == null ? null : addressIn(String(to)),
      value: BigInt((value as string | undefined) ?? 0),
      data: (data as string | undefined) ?? '0x',
    };
  });
  const caller = body['caller'] === undefined ? `0x${'0'.repeat(40)}` : addressIn(String(body['caller']));
  const outputs: Output[] = await ledger.simulate(caller, clauses, gas || undefined);
  return { json: outputs };
}

function block(ledger: VechainLedger, id: string, query: URLSearchParams): Answer {
  for (const flag of ['raw', 'expanded'])
    if (!['true', 'false', '', null].includes(query.get(flag)))
      throw new Refusal(400, `${flag}: should be boolean`);
  const found = revision(ledger, id);
  if (!found) return { json: null };
  return {
    json: {
      ...found,
      size: 361,
      gasLimit: 40_000_000,
      beneficiary: `0x${'0'.repeat(40)}`,
      totalScore: found.number,
      txsRoot: `0x${'45'.repeat(32)}`,
      txsFeatures: 1,
      stateRoot: `0x${'93'.repeat(32)}`,
      receiptsRoot: `0x${'45'.repeat(32)}`,
      com: false,
      signer: `0x${'0'.repeat(40)}`,
      isTrunk: true,
      isFinalized: found.number === 0,
      ...(ledger.galactica && { baseFeePerGas: hex(ledger.baseFee) }),
      ...(query.get('expanded') === 'true' && {
        transactions: found.transactions.map((each) => expandedJson(ledger.transactions.get(each)!)),
      }),
    },
  };
}

/** A transaction with what became of it, each without where it is. */
function expandedJson(entry: LedgerTransaction): unknown {
  const { meta: _meta, ...sent } = transactionJson(entry);
  const { meta: _where, ...done } = receiptJson(entry);
  return { ...sent, ...done };
}

function transaction(
  ledger: VechainLedger,
  id: string,
  detail: string | undefined,
  query: URLSearchParams,
): Answer {
  if (!/^(0x)?[0-9a-f]{64}$/i.test(id)) throw new Refusal(400, 'id: invalid length');
  const entry = ledger.transactions.get(id.toLowerCase());
  if (detail === 'receipt') return { json: entry?.block ? receiptJson(entry) : null };
  if (!entry || (!entry.block && query.get('pending') !== 'true')) return { json: null };
  return { json: transactionJson(entry) };
}

function transactionJson(entry: LedgerTransaction) {
  const { body } = entry.transaction;
  return {
    id: entry.id,
    type: body.maxFeePerGas === undefined ? 0 : 81,
    chainTag: body.chainTag,
    blockRef: body.blockRef,
    expiration: body.expiration,
    clauses: entry.clauses.map(({ to, value, data }) => ({ to, value: hex(value), data })),
    gas: Number(entry.gas),
    ...(body.maxFeePerGas === undefined
      ? { gasPriceCoef: body.gasPriceCoef }
      : {
          maxFeePerGas: hex(BigInt(body.maxFeePerGas)),
          maxPriorityFeePerGas: hex(BigInt(body.maxPriorityFeePerGas!)),
        }),
    origin: entry.origin,
    delegator: entry.delegator,
    nonce: hex(BigInt(body.nonce)),
    dependsOn: body.dependsOn,
    size: entry.size,
    meta: entry.block ? metaOf(entry.block) : null,
  };
}

function receiptJson(entry: LedgerTransaction) {
  const { gasUsed, paid, reverted, outputs } = entry.receipt!;
  const dynamic = entry.transaction.body.maxFeePerGas !== undefined;
  return {
    ...(dynamic && { type: 81 }),
    gasUsed,
    gasPayer: payerOf(entry),
    paid: hex(paid),
    reward: '0x0',
    reverted,
    meta: { ...metaOf(entry.block!), txID: entry.id, txOrigin: entry.origin },
    outputs,
  };
}

function metaOf({ id, number, timestamp }: LedgerBlock) {
  return { blockID: id, blockNumber: number, blockTimestamp: timestamp };
}

function fees(ledger: VechainLedger, what: string, query: URLSearchParams): Answer {
  if (what === 'priority') return { json: { maxPriorityFeePerGas: hex(ledger.baseFee / 20n) } };
  if (what !== 'history') return { status: 404, text: '404 page not found' };
  const asked = query.get('blockCount') ?? '';
  if (!/^\d+$/.test(asked))
    throw new Refusal(400, `invalid blockCount, it should represent an integer: ${asked}`);
  if (Number(asked) === 0) throw new Refusal(400, 'invalid blockCount, it should not be 0');
  const newest = query.get('newestBlock');
  const last = newest === 'next' ? ledger.best : revision(ledger, newest);
  if (!last) throw new Refusal(400, 'newestBlock: leveldb: not found');
  const count = Math.min(Number(asked), last.number + 1);
  const oldest = ledger.blocks[numberIn(last.id) - count + 1]!;
  return {
    json: {
      oldestBlock: oldest.id,
      baseFeePerGas: Array.from({ length: count }, () => hex(ledger.galactica ? ledger.baseFee : 0n)),
      gasUsedRatio: Array.from({ length: count }, () => 0),
    },
  };
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
