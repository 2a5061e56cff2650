/** The local VeChain's HTTP API: paths, shapes and refusals of thor (api/doc/thor.yaml). */
import type { IncomingMessage } from 'node:http';
import { goJson, GoJsonError, type GoStruct, goUint, wrongBytes } from './go-json.ts';
import {
  type LedgerBlock,
  type LedgerTransaction,
  Refusal,
  type VechainLedger,
  wrongHex,
} from './vechain-ledger.ts';
import type { Clause, Output } from './vechain-machine.ts';

const MAX_BODY = 200 * 1024;

/** A JSON body, or an error as plain text. */
export type Answer = { json: unknown } | { status: number; text: string };

/** `posted` is called when a transaction is accepted. */
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

/** Paths of thor's router. A wrong method is 405 if no later path of the same kind could match, else 404. */
const NO_PAGE: Answer = { status: 404, text: '404 page not found' };
const WRONG_METHOD: Answer = { status: 405, text: '' };
const GONE: Answer = { status: 410, text: 'This endpoint is no longer supported.' };

async function route(
  ledger: VechainLedger,
  method: string,
  { pathname, searchParams: query }: URL,
  body: string,
  posted: () => void,
): Promise<Answer> {
  const [area, id, ...rest] = pathname.slice(1).split('/');
  if (id === '' || rest.includes('')) return NO_PAGE;
  const only = (wanted: string, serve: () => Answer | Promise<Answer>): Answer | Promise<Answer> =>
    method === wanted ? serve() : WRONG_METHOD;
  const path = [area, id === undefined ? undefined : ':', ...rest]
    .filter((part) => part !== undefined)
    .join('/');
  switch (path) {
    case 'transactions':
      return method === 'POST' ? send(ledger, body, posted) : NO_PAGE;
    case 'transactions/:':
      return method === 'GET' ? transaction(ledger, id!, undefined, query) : NO_PAGE;
    case 'transactions/:/receipt':
      return only('GET', () => transaction(ledger, id!, rest[0], query));
    case 'accounts':
      return method === 'POST' ? GONE : NO_PAGE;
    case 'accounts/:':
      if (method === 'POST') return id === '*' ? simulate(ledger, body, query) : GONE;
      return only('GET', () => account(ledger, id!, undefined, query));
    case 'accounts/:/code':
      return method === 'GET' ? account(ledger, id!, 'code', query) : NO_PAGE;
    case 'blocks/:':
      return only('GET', () => block(ledger, id!, query));
    case 'fees/:':
      if (id !== 'history' && id !== 'priority') return NO_PAGE;
      return only('GET', () => fees(ledger, id, query));
    case 'logs/:':
      if (id !== 'event' && id !== 'transfer') return NO_PAGE;
      return only('POST', () => ({ json: logs(ledger, id, body) }));
    case 'node/:/peers':
      return id === 'network' ? only('GET', () => ({ json: null })) : NO_PAGE;
    case 'node/:':
    case 'node/:/status':
      return id === 'txpool' ? only('GET', () => ({ status: 503, text: 'txpool API is disabled' })) : NO_PAGE;
    default:
      if (area === 'accounts' && rest[0] === 'storage' && rest.length === 2)
        return method === 'GET' ? storage(ledger, id!, rest[1]!, query) : NO_PAGE;
      return NO_PAGE;
  }
}

const RAW_TX: GoStruct = { name: 'RawTx', fields: { raw: 'string' } };

async function send(ledger: VechainLedger, text: string, posted: () => void): Promise<Answer> {
  const body = parseBody(text, '*api.RawTx', RAW_TX);
  if (!body) throw new Refusal(400, 'body');
  const entry = await ledger.post((body['raw'] as string | undefined) ?? '');
  posted();
  return { json: { id: entry.id } };
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

function parseBody(text: string, type: string, struct: GoStruct): Record<string, unknown> | null {
  try {
    return goJson(text, type, struct);
  } catch (error) {
    throw error instanceof GoJsonError ? new Refusal(400, `body: ${error.message}`) : error;
  }
}

function bytesIn(what: string, text: string, length: number): string {
  const wrong = wrongBytes(text, length);
  if (wrong) throw new Refusal(400, `${what}: ${wrong}`);
  return `0x${text.slice(-length * 2).toLowerCase()}`;
}

const addressIn = (text: string): string => bytesIn('address', text, 20);

/** `best`, a number or an id. Undefined if there is no such block. */
function revision(ledger: VechainLedger, text: string | null, what = 'revision'): LedgerBlock | undefined {
  if (!text || text === 'best') return ledger.best;
  // A chain of one node never finalizes a block.
  if (text === 'justified' || text === 'finalized') return ledger.blocks[0];
  if (text === 'next') throw new Refusal(400, `${what}: invalid revision: next is not allowed`);
  if (text.length === 66 || text.length === 64) {
    const id = bytesIn(what, text, 32);
    if (/^0x0*$/.test(id)) throw new Refusal(500, 'invalid revision');
    return ledger.blocks.find((each) => each.id === id);
  }
  const number = goUint(text);
  if (typeof number === 'string') throw new Refusal(400, `${what}: ${number}`);
  if (number >> 32n) throw new Refusal(400, `${what}: block number out of max uint32`);
  return ledger.blocks[Number(number)];
}

/** Like `revision`; a missing block is a bad request. */
function existing(ledger: VechainLedger, text: string | null, what = 'revision'): LedgerBlock {
  const found = revision(ledger, text, what);
  if (found) return found;
  throw new Refusal(400, `${what}: ${text!.length < 64 ? '' : 'leveldb: '}not found`);
}

function flagIn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? '';
  if (!['true', 'false', ''].includes(text)) throw new Refusal(400, `${name}: should be boolean`);
  return text === 'true';
}

async function account(
  ledger: VechainLedger,
  id: string,
  detail: string | undefined,
  query: URLSearchParams,
): Promise<Answer> {
  const address = addressIn(id);
  existing(ledger, query.get('revision'));
  const { balance, energy, code } = await ledger.account(address);
  if (detail === 'code') return { json: { code } };
  return { json: { balance: hex(balance), energy: hex(energy), hasCode: code !== '0x' } };
}

async function storage(
  ledger: VechainLedger,
  id: string,
  place: string,
  query: URLSearchParams,
): Promise<Answer> {
  const address = addressIn(id);
  const key = bytesIn('key', place, 32);
  existing(ledger, query.get('revision'));
  return { json: { value: await ledger.storage(address, key) } };
}

const CLAUSE: GoStruct = { name: 'Clause', fields: { to: 'address', value: 'amount', data: 'string' } };
const BATCH: GoStruct = {
  name: 'BatchCallData',
  fields: {
    clauses: { each: CLAUSE, type: 'api.Clauses' },
    gas: 'uint64',
    gasPrice: 'amount',
    provedWork: 'amount',
    caller: 'address',
    gasPayer: 'address',
    expiration: 'uint32',
    blockRef: 'string',
  },
};
const CALL_GAS = 50_000_000n;

async function simulate(ledger: VechainLedger, text: string, query: URLSearchParams): Promise<Answer> {
  const body = parseBody(text, 'api.BatchCallData', BATCH) ?? {};
  const given = (body['clauses'] as (Record<string, string | null> | null)[] | undefined) ?? [];
  given.forEach((clause, i) => {
    if (clause === null) throw new Refusal(400, `clauses[${i}]: null not allowed`);
  });
  if (query.get('revision') !== 'next') existing(ledger, query.get('revision'));
  const gas = BigInt((body['gas'] as number | null | undefined) ?? 0);
  if (gas > CALL_GAS) throw new Refusal(403, 'gas: exceeds limit');
  const blockRef = (body['blockRef'] as string | null | undefined) ?? '';
  if (blockRef) {
    const wrong = wrongHex(blockRef) ?? (blockRef.length === 18 ? undefined : 'invalid length');
    if (wrong) throw new Refusal(400, `blockRef: ${wrong}`);
  }
  const clauses = given.map((clause, i): Clause => {
    const { to, value, data } = clause!;
    const wrong = data ? wrongHex(data) : undefined;
    if (wrong) throw new Refusal(400, `data[${i}]: ${wrong}`);
    return {
      to: to == null ? null : addressIn(to),
      value: BigInt(!value || /^0x$/i.test(value) ? 0 : value),
      data: data || '0x',
    };
  });
  const caller = body['caller'] == null ? `0x${'0'.repeat(40)}` : addressIn(String(body['caller']));
  const outputs: Output[] = await ledger.simulate(caller, clauses, gas || undefined);
  return { json: outputs };
}

function block(ledger: VechainLedger, id: string, query: URLSearchParams): Answer {
  const expanded = [flagIn(query, 'raw'), flagIn(query, 'expanded')];
  if (expanded.every(Boolean))
    throw new Refusal(400, 'raw&expanded: Raw and Expanded are mutually exclusive');
  const found = revision(ledger, id);
  if (!found) return { json: null };
  const { baseFee, ...header } = found;
  return {
    json: {
      ...header,
      size: 361,
      gasLimit: Number(ledger.gasLimit),
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
      ...(ledger.galactica && { baseFeePerGas: hex(baseFee) }),
      ...(expanded[1] && {
        transactions: found.transactions.map((each) => expandedJson(ledger.transactions.get(each)!)),
      }),
    },
  };
}

/** A transaction with its receipt, both without `meta`. */
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
  const found = ledger.transactions.get(bytesIn('id', id, 32));
  const head = query.get('head');
  const last = head ? ledger.blocks.find((each) => each.id === bytesIn('head', head, 32)) : ledger.best;
  if (!last) throw new Refusal(400, 'head: leveldb: not found');
  // As seen from that block.
  const entry = found?.block && found.block.number > last.number ? undefined : found;
  if (detail === 'receipt') return { json: entry?.block ? receiptJson(entry) : null };
  const raw = flagIn(query, 'raw');
  const pending = flagIn(query, 'pending');
  if (!entry || (!entry.block && !pending)) return { json: null };
  if (!raw) return { json: transactionJson(entry) };
  const { encoded } = entry.transaction;
  const meta = entry.block ? metaOf(entry.block) : null;
  return { json: { raw: `0x${Buffer.from(encoded).toString('hex')}`, meta } };
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
    gasPayer: entry.receipt!.gasPayer,
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

const BACK = 1000;

function fees(ledger: VechainLedger, what: 'priority' | 'history', query: URLSearchParams): Answer {
  const { nextBaseFee, galactica } = ledger;
  if (what === 'priority')
    return {
      json: { maxPriorityFeePerGas: hex((galactica && nextBaseFee > FLOOR ? nextBaseFee : FLOOR) / 20n) },
    };
  const blockCount = query.get('blockCount') ?? '';
  if (!/^\d+$/.test(blockCount) || BigInt(blockCount) >> 32n) {
    const why = /^\d+$/.test(blockCount) ? 'value out of range' : 'invalid syntax';
    const words = `strconv.ParseUint: parsing "${blockCount}": ${why}`;
    throw new Refusal(400, `invalid blockCount, it should represent an integer: ${words}`);
  }
  if (Number(blockCount) === 0) throw new Refusal(400, 'invalid blockCount, it should not be 0');
  const newest = query.get('newestBlock');
  const coming = { baseFee: nextBaseFee, gasUsed: 0, number: ledger.best.number + 1 };
  const last = newest === 'next' ? coming : existing(ledger, newest, 'newestBlock');
  const least = Math.max(0, ledger.best.number - BACK + 1);
  if (last.number < least)
    throw new Refusal(400, 'invalid newestBlock, it is below the minimum allowed block');
  const percentiles = percentilesIn(query.get('rewardPercentiles') ?? '');
  const count = Math.min(Number(blockCount), last.number - least + 1);
  const all = [...ledger.blocks, coming].slice(last.number - count + 1, last.number + 1);
  return {
    json: {
      oldestBlock: ledger.blocks[last.number - count + 1]?.id ?? `0x${'00'.repeat(32)}`,
      baseFeePerGas: all.map(({ baseFee }) => hex(galactica ? baseFee : 0n)),
      gasUsedRatio: all.map(({ gasUsed }) => gasUsed / Number(ledger.gasLimit)),
      // No transaction here pays a priority fee.
      ...(percentiles && { reward: all.map(() => percentiles.map(() => '0x0')) }),
    },
  };
}

function percentilesIn(text: string): number[] | undefined {
  if (!text) return undefined;
  const values = text.split(',');
  if (values.length > 100) throw new Refusal(400, 'there can be at most 100 rewardPercentiles');
  return values.map((value) => {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value))
      throw new Refusal(
        400,
        `invalid rewardPercentiles value: strconv.ParseFloat: parsing "${value}": invalid syntax`,
      );
    if (Number(value) < 0 || Number(value) > 100)
      throw new Refusal(400, 'rewardPercentiles values must be between 0 and 100');
    return Number(value);
  });
}

const FLOOR = 10n ** 13n;
const MAX_LOGS = 1000;
const OPTIONS: GoStruct = {
  name: 'Options',
  fields: { offset: 'uint64', limit: 'uint64', includeIndexes: 'bool' },
};
const RANGE: GoStruct = { name: 'Range', fields: { unit: 'string', from: 'uint64', to: 'uint64' } };
const TOPICS = ['topic0', 'topic1', 'topic2', 'topic3', 'topic4'] as const;
const CRITERIA = {
  event: {
    name: 'EventCriteria',
    fields: { address: 'address', ...Object.fromEntries(TOPICS.map((name) => [name, 'bytes32' as const])) },
  },
  transfer: {
    name: 'TransferCriteria',
    fields: { txOrigin: 'address', sender: 'address', recipient: 'address' },
  },
} as const satisfies Record<string, GoStruct>;

interface LogFilter {
  criteriaSet?: (Record<string, string> | null)[] | null;
  range?: { unit?: string; from?: number; to?: number } | null;
  options?: { offset?: number; limit?: number } | null;
  order?: string;
}

/** Events or transfers of VET that match the criteria. */
function logs(ledger: VechainLedger, what: 'event' | 'transfer', text: string): unknown[] {
  const name = what === 'event' ? 'EventFilter' : 'TransferFilter';
  const filter = (parseBody(text, `api.${name}`, {
    name,
    fields: {
      criteriaSet: { each: CRITERIA[what], type: `[]*api.${CRITERIA[what].name}` },
      range: RANGE,
      options: OPTIONS,
      order: 'string',
    },
  }) ?? {}) as LogFilter;
  const { unit = '', from = 0, to = Infinity } = filter.range ?? {};
  const { offset = 0, limit } = filter.options ?? {};
  if ((limit ?? 0) > MAX_LOGS)
    throw new Refusal(403, `options.limit exceeds the maximum allowed value of ${MAX_LOGS}`);
  if (!['', 'block', 'time'].includes(unit))
    throw new Refusal(400, `filter.Range.Unit must be either 'block' or 'time', got '${unit}'`);
  if (from > to) throw new Refusal(400, 'filter.Range.To must be greater than or equal to filter.Range.From');
  const criteria = (filter.criteriaSet ?? []).map((each, i) => {
    if (each === null) throw new Refusal(400, `criteriaSet[${i}]: null not allowed`);
    return each;
  });
  const inRange = ({ number, timestamp }: LedgerBlock): boolean => {
    const at = unit === 'time' ? timestamp : number;
    return at >= from && at <= to;
  };
  const found = ledger.blocks
    .filter(inRange)
    .flatMap(({ transactions }) => transactions.map((id) => ledger.transactions.get(id)!))
    .flatMap((entry) =>
      entry.receipt!.outputs.flatMap((output, clauseIndex) => {
        const meta = {
          ...metaOf(entry.block!),
          txID: entry.id,
          txOrigin: entry.origin,
          clauseIndex,
        };
        const all: Log[] = (what === 'event' ? output.events : output.transfers).map((one) => ({
          ...one,
          meta,
        }));
        return all;
      }),
    )
    .filter(
      (log) =>
        criteria.length === 0 ||
        criteria.some((each) =>
          Object.entries(each).every(([key, value]) => !value || fieldOf(log, key) === value.toLowerCase()),
        ),
    );
  if (filter.order === 'desc') found.reverse();
  const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
  if (page.length > MAX_LOGS)
    throw new Refusal(
      403,
      `the number of filtered logs exceeds the maximum allowed value of ${MAX_LOGS}, please use pagination`,
    );
  return page;
}

type Log = { meta: { txOrigin: string } } & (Output['events'][number] | Output['transfers'][number]);

function fieldOf(log: Log, key: string): string | undefined {
  if (key === 'txOrigin') return log.meta.txOrigin;
  if ('topics' in log)
    return key === 'address' ? log.address : log.topics[TOPICS.indexOf(key as (typeof TOPICS)[number])];
  return key === 'sender' ? log.sender : log.recipient;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
