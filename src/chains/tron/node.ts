/**
 * What this chain asks its nodes: java-tron's HTTP API. Quantities are validated here: a node is not trusted
 * to return numbers.
 * https://tronprotocol.github.io/documentation-en/api/http/
 */
import type { Node } from '../terms.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import { type HttpAnswer, NodeDown, NodeFailure, nonsense } from '../nodes/http.ts';
import type { Network } from '../network.ts';
import { couldNotAnswer, type NodeAnswer, Rest, type RestOptions, restOf } from '../nodes/rest.ts';
import { addressBytes } from './address.ts';

export type Answer = Record<string, unknown>;

/**
 * Addresses and texts as hex: asked for text (`visible`), a node writes user-chosen names and descriptions
 * into its JSON unescaped, with line breaks and backslashes.
 */
export const hexAddress = (address: string): string => hexOf(addressBytes(address)).slice(2);

/** A node proves its network by the id of the genesis block. */
export function clientOf(network: Network, options: RestOptions = {}): Rest {
  return new Rest(network, {
    ...options,
    identity: {
      path: '/wallet/getblock',
      body: { id_or_num: '0', detail: false },
      read: ({ text }) => /"blockID"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1],
    },
    refusal: (answer) => {
      const words = refusal(answer);
      // What went wrong in the node itself.
      if (words !== undefined && !/"class org\.tron\./.test(answer.text))
        throw new NodeFailure(`failed: ${words}`);
      return words;
    },
  });
}

/** Of TronGrid and others that stand before a node, whatever the status. */
const LIMITS = /lack of computing resources|frequency limit|allowed_rps|daily usage|\bquota\b|rate.?limit/i;

/** Nodes refuse with HTTP 200 and `{"Error":"class <exception> : <words>"}`; without a class it is not of a node. */
export function refusal({ status, text, retryAfter }: HttpAnswer): string | undefined {
  if (text.startsWith('this API is closed')) throw new NodeFailure('keeps no history');
  const words = /^\s*\{[^{}[\]]*"Error"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text)?.[1];
  if (words === undefined) return undefined;
  if (LIMITS.test(words)) throw new NodeDown('has no capacity left', { retryAfter });
  const own = /^class \S+ : (.*)$/s.exec(words)?.[1];
  if (status === 200 && own !== undefined) return own;
  throw new NodeFailure(`could not answer: ${words.slice(0, 200)}`);
}

type Read<T> = (value: Answer, answer: NodeAnswer) => T;

/** For required reads: the node's refusal is the error. */
export async function ask<T = Answer>(
  node: Node,
  path: string,
  body: unknown = {},
  read: Read<T> = (value) => value as T,
): Promise<T> {
  try {
    return await restOf(node).post(`/wallet/${path}`, body, (value, answer) => read(record(value), answer));
  } catch (error) {
    throw couldNotAnswer(error);
  }
}

/** Nothing is `{}`; what has other fields instead is no answer. */
export function nothingOr(answer: Answer, isFound: boolean, what: string): Answer {
  if (isFound || Object.keys(answer).length === 0) return answer;
  throw nonsense(what);
}

/** By id; `{}` where the node has none. `hosts` gets the node that answered. */
export function readTransaction(
  node: Node,
  path: 'gettransactioninfobyid' | 'gettransactionbyid' | 'gettransactionfrompending',
  id: string,
  hosts?: Set<string>,
): Promise<Answer> {
  return ask(node, path, { value: id }, (answer, { host }) => {
    hosts?.add(host);
    return nothingOr(answer, (answer['id'] ?? answer['txID']) === id, 'the transaction');
  });
}

/** The year 9999. */
const LATEST = 253_402_300_799_000;

export interface Block {
  /** 32 bytes of hex: the number in 8 of them, then the hash. */
  id: string;
  number: number;
  /** Milliseconds. */
  time: number;
}

export function readHead(node: Node, hosts?: Set<string>): Promise<Block> {
  return ask(node, 'getnowblock', {}, (block, { host }) => {
    hosts?.add(host);
    const id = block['blockID'];
    const header = record(record(block['block_header'])['raw_data']);
    if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id)) throw nonsense('a block');
    const time = Number(quantity(header['timestamp']));
    if (time > LATEST) throw nonsense('a time');
    return { id, number: Number(quantity(header['number'] ?? 0)), time };
  });
}

export interface Account {
  /** An address gets its account with the first TRX or TRC-10 token it receives. */
  exists: boolean;
  isContract: boolean;
  /** Sun. */
  balance: bigint;
  /** TRC-10 tokens by id. */
  assets: Record<string, bigint>;
  /** Whether the account's own key may still sign for it. */
  ownKey: boolean;
}

export function readAccount(node: Node, address: string): Promise<Account> {
  const hex = hexAddress(address);
  return ask(node, 'getaccount', { address: hex, visible: false }, (answer) =>
    accountIn(nothingOr(answer, answer['address'] === hex, 'the account'), hex),
  );
}

function accountIn(account: Answer, hex: string): Account {
  const permission = record(account['owner_permission'] ?? {});
  const keys = list(permission['keys']);
  const own = keys.find((key) => key['address'] === hex);
  return {
    exists: Object.keys(account).length > 0,
    isContract: account['type'] === 'Contract',
    balance: quantity(account['balance']),
    assets: Object.fromEntries(
      list(account['assetV2']).map(({ key, value }) => [String(key), quantity(value)]),
    ),
    ownKey: !keys.length || (!!own && quantity(own['weight']) >= quantity(permission['threshold'])),
  };
}

/** The account's remaining resources: bytes of bandwidth, units of energy. */
export interface Resources {
  free: bigint;
  staked: bigint;
  energy: bigint;
}

export async function readResources(node: Node, address: string): Promise<Resources> {
  const r = await ask(
    node,
    'getaccountresource',
    { address: hexAddress(address), visible: false },
    (answer) => nothingOr(answer, Object.keys(answer).some(isResource), 'resources'),
  );
  const left = (limit: string, used: string) => {
    const rest = quantity(r[limit]) - quantity(r[used]);
    return rest > 0n ? rest : 0n;
  };
  return {
    free: left('freeNetLimit', 'freeNetUsed'),
    staked: left('NetLimit', 'NetUsed'),
    energy: left('EnergyLimit', 'EnergyUsed'),
  };
}

function isResource(key: string): boolean {
  return /(Net|Energy)(Used|Limit|Weight)$/i.test(key);
}

/**
 * Parameters that the network votes on: prices and limits. One that is 0 has no value; `usual` is for nodes
 * that do not list it.
 */
export async function readParameters(node: Node): Promise<(name: string, usual?: bigint) => bigint> {
  const parameters = await ask(node, 'getchainparameters', {}, ({ chainParameter: answer }) => {
    if (!Array.isArray(answer)) throw nonsense('parameters');
    return list(answer);
  });
  return (name, usual) => {
    const parameter = parameters.find(({ key }) => key === name);
    if (parameter) return quantity(parameter['value']);
    if (usual === undefined) throw nonsense(`a price: ${name} is missing`);
    return usual;
  };
}

/** Refusals come as text, or as the hex of text. */
export function decodeWords(message: unknown): string {
  const text = typeof message === 'string' ? message : '';
  return (/^([0-9a-fA-F]{2})+$/.test(text) ? new TextDecoder().decode(bytesOf(`0x${text}`)) : text).slice(
    0,
    500,
  );
}

/** Absent is 0. */
export function quantity(answer: unknown): bigint {
  if (answer === undefined) return 0n;
  if (typeof answer === 'number' && Number.isSafeInteger(answer) && answer >= 0) return BigInt(answer);
  if (typeof answer === 'string' && /^\d{1,19}$/.test(answer)) return BigInt(answer);
  throw nonsense('a number');
}

export function record(answer: unknown): Answer {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as Answer;
  throw nonsense('an object');
}

export function list(answer: unknown): Answer[] {
  return Array.isArray(answer) ? answer.map(record) : [];
}
