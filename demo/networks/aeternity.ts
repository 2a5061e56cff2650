/**
 * The demo's local Aeternity: a ledger in memory behind the HTTP API of a node (https://github.com/aeternity/aeternity,
 * apps/aehttp/priv/oas3.yaml). On top of the ledger's limits, it has only the calls that wallets make, and blocks come by the clock:
 * a micro block soon after each transaction, a key block every three minutes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildTx, encode, isEncoded, Encoding, MemoryAccount, Tag } from '@aeternity/aepp-sdk';
import { parseEther } from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import { listen } from '../../service/listen.ts';
import { AeternityLedger, KEY_BLOCK_TIME, type LedgerTransaction, Refusal } from './aeternity-ledger.ts';
import { type LocalNetwork, type LocalNetworkOptions, secondOf } from './local-network.ts';

const MICRO_BLOCK_TIME = 300;

export interface LocalAeternity extends LocalNetwork {
  url: string;
  /** Transfers any amount, in aettos, on the chain; `memo` is its payload. */
  fund(address: string, amount: bigint, memo?: string): Promise<string>;
  ledger: AeternityLedger;
  /** If false, micro blocks come only from `ledger.mineMicroBlock`. */
  automine: boolean;
  /** The last minute in `/v3/recent-gas-prices`. */
  congestion: { min_gas_price: bigint; utilization: number };
  /** Requests in order, as `GET /v3/status`. */
  readonly requests: string[];
}

/** A status, and a body in which bigints become JSON integers. */
type Answer = [status: number, body: object];

export async function startAeternityNetwork({ port, second }: LocalNetworkOptions): Promise<LocalAeternity> {
  const ledger = new AeternityLedger(second ? 'ae_second' : undefined);
  const { networkId } = ledger;
  const faucet = MemoryAccount.generate();
  ledger.mint(faucet.address, parseEther('1000000000'));
  const requests: string[] = [];
  let micro: NodeJS.Timeout | undefined;
  const key = setInterval(() => ledger.mineKeyBlock(), KEY_BLOCK_TIME).unref();

  const local = { down: false, automine: true, congestion: { min_gas_price: 0n, utilization: 0 } };

  function post(body: string): Answer {
    try {
      const { hash } = ledger.post(transactionIn(body));
      if (local.automine) micro ??= setTimeout(mineSoon, MICRO_BLOCK_TIME).unref();
      return [200, { tx_hash: hash }];
    } catch (error) {
      if (error instanceof Refusal) return [400, { reason: error.reason, error_code: error.code }];
      throw error;
    }
  }

  function mineSoon(): void {
    micro = undefined;
    ledger.mineMicroBlock();
  }

  function get(path: string, query: URLSearchParams): Answer {
    const [area, id = '', ...rest] = path.split('/');
    const sub = rest.join('/');
    switch (area) {
      case 'status':
        return [200, statusOf(ledger)];
      case 'accounts':
        return accountAnswer(ledger, id, sub, query.get('strategy'));
      case 'transactions':
        return transactionAnswer(ledger, id, sub);
      case 'key-blocks':
        if (path === 'key-blocks/current/height') return [200, { height: ledger.height }];
        if (path === 'key-blocks/current') return [200, keyBlockOf(ledger, ledger.height)];
        return id === 'height' ? keyBlockAt(ledger, sub) : NOT_FOUND;
      case 'generations':
        return id === 'height' ? generationAt(ledger, sub) : NOT_FOUND;
      case 'micro-blocks':
        return id === 'hash' ? microBlockAnswer(ledger, rest) : NOT_FOUND;
      case 'recent-gas-prices':
        return [200, [1, 5, 15, 60].map((minutes) => ({ minutes, ...local.congestion }))];
      default:
        return NOT_FOUND;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (local.down) return void request.socket.destroy();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node');
    cors(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(200).end();
    requests.push(`${request.method} ${pathname}`);
    const path = pathname.replace(/^\/v3\//, '');
    const [status, body] =
      request.method === 'GET'
        ? get(path, searchParams)
        : path === 'transactions'
          ? post(await bodyOf(request))
          : NOT_FOUND;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(json(body, searchParams.get('int-as-string') === 'true'));
  }

  const server = await listen(
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
    { port, setting: 'AETERNITY_PORT' },
  );
  const url = `http://127.0.0.1:${server.port}`;

  async function transfer(address: string, amount: bigint, memo: string): Promise<string> {
    const encoded = buildTx({
      tag: Tag.SpendTx,
      senderId: faucet.address,
      recipientId: address as `ak_${string}`,
      amount: amount.toString(),
      payload: encode(Buffer.from(memo), Encoding.Bytearray),
      nonce: ledger.accounts.get(faucet.address)!.nonce + 1,
      ttl: 0,
    });
    const { hash } = ledger.post(await faucet.signTransaction(encoded, { networkId }));
    ledger.mineMicroBlock();
    return hash;
  }

  /** Serialised: each transfer takes the next nonce. */
  let lastGift: Promise<unknown> = Promise.resolve();
  const fund = (address: string, amount: bigint, memo = ''): Promise<string> => {
    const next = lastGift.then(() => transfer(address, amount, memo));
    lastGift = next.catch(() => undefined);
    return next;
  };

  return Object.assign(local, {
    network: second ? secondOf(localNetwork(url, networkId)) : localNetwork(url, networkId),
    url,
    ledger,
    requests,
    assets: ['AE'],
    contracts: {},
    fund,
    give: (asset: string, address: string) => {
      if (asset !== 'AE') throw new Error(`The local Aeternity has no ${asset}.`);
      return fund(address, parseEther('100'));
    },
    close: async () => {
      clearInterval(key);
      clearTimeout(micro);
      await server.close();
    },
  });
}

function localNetwork(url: string, networkId: string): Network {
  return {
    id: 'aeternity-local',
    secretType: 'AETERNITY',
    name: 'Local Aeternity',
    kind: 'local',
    genesis: networkId,
    nodes: [url],
    tokens: [],
    feeCeiling: parseEther('0.1').toString(),
  };
}

const NOT_FOUND: Answer = [404, { reason: 'Not found' }];

function accountAnswer(ledger: AeternityLedger, id: string, sub: string, strategy: string | null): Answer {
  if (!isEncoded(id, Encoding.AccountAddress, Encoding.ContractAddress))
    return [400, { reason: 'Invalid public key', error_code: 'invalid_encoding' }];
  const account = ledger.accounts.get(id);
  const waiting = ledger.waiting(id);
  const height = /^height\/(\d+)$/.exec(sub)?.[1];
  if (height !== undefined) return accountAt(ledger, id, Number(height));
  switch (sub) {
    case '':
      return account
        ? [200, { id, balance: account.balance, nonce: account.nonce, payable: true, kind: 'basic' }]
        : [404, { reason: 'Account not found' }];
    case 'next-nonce':
      return account
        ? [200, { next_nonce: nextNonce(account.nonce, waiting, strategy) }]
        : [404, { reason: 'Account not found', error_code: 'account_not_found' }];
    case 'transactions/pending':
      return account
        ? [200, { transactions: waiting.map(signedTx) }]
        : [404, { reason: 'Account not found' }];
    default:
      return NOT_FOUND;
  }
}

/** As it was before the micro blocks of that generation. The ledger keeps no balances of the past. */
function accountAt(ledger: AeternityLedger, id: string, height: number): Answer {
  const account = ledger.accounts.get(id);
  if (!account) return [404, { reason: 'Account not found' }];
  if (height > ledger.height) return [404, { reason: 'Height not available' }];
  const nonces = [...ledger.transactions.values()]
    .filter(({ senderId, block }) => senderId === id && block && block.height < height)
    .map(({ nonce }) => nonce);
  return [200, { id, balance: account.balance, nonce: Math.max(0, ...nonces), payable: true, kind: 'basic' }];
}

function nextNonce(used: number, waiting: LedgerTransaction[], strategy: string | null): number {
  const nonces = new Set(waiting.map(({ nonce }) => nonce));
  if (strategy !== 'continuity') return Math.max(used, ...nonces) + 1;
  let next = used + 1;
  while (nonces.has(next)) next++;
  return next;
}

function transactionAnswer(ledger: AeternityLedger, id: string, sub: string): Answer {
  if (!isEncoded(id, Encoding.TxHash))
    return [400, { reason: 'Invalid hash', error_code: 'invalid_encoding' }];
  const transaction = ledger.transactions.get(id);
  if (!transaction || transaction.gone) return [404, { reason: 'Transaction not found' }];
  if (sub === '') return [200, signedTx(transaction)];
  if (sub !== 'info') return NOT_FOUND;
  return transaction.block ? [400, { reason: 'Tx has no info' }] : [404, { reason: 'Tx not mined' }];
}

function signedTx({ hash, signed, signatures, block, ...tx }: LedgerTransaction): object {
  return {
    block_hash: block?.hash ?? 'none',
    block_height: block?.height ?? -1,
    encoded_tx: signed,
    hash,
    signatures,
    tx: {
      amount: tx.amount,
      fee: tx.fee,
      nonce: tx.nonce,
      payload: tx.payload,
      recipient_id: tx.recipientId,
      sender_id: tx.senderId,
      ttl: tx.ttl,
      type: 'SpendTx',
      version: 1,
    },
  };
}

function statusOf(ledger: AeternityLedger): object {
  return {
    genesis_key_block_hash: ledger.keyBlockHash(0),
    solutions: 0,
    difficulty: 0,
    hashrate: 0,
    syncing: false,
    sync_progress: 100,
    listening: true,
    protocols: [{ version: 6, effective_at_height: 0 }],
    node_version: '7.2.2',
    peer_count: 0,
    pending_transactions_count: ledger.waiting().length,
    network_id: ledger.networkId,
    top_key_block_hash: ledger.keyBlockHash(ledger.height),
    top_block_height: ledger.height,
  };
}

function keyBlockOf(ledger: AeternityLedger, height: number): object {
  const parent = ledger.keyBlockHash(height - 1);
  return {
    hash: ledger.keyBlockHash(height),
    height,
    prev_hash: ledger.microBlocks(height - 1).at(-1) ?? parent,
    prev_key_hash: parent,
    time: ledger.timeOf(height),
    version: 6,
  };
}

const isHeight = (ledger: AeternityLedger, text: string): boolean =>
  /^\d+$/.test(text) && Number(text) <= ledger.height;

function keyBlockAt(ledger: AeternityLedger, height: string): Answer {
  if (!isHeight(ledger, height)) return [404, { reason: 'Block not found' }];
  return [200, keyBlockOf(ledger, Number(height))];
}

function generationAt(ledger: AeternityLedger, height: string): Answer {
  if (!isHeight(ledger, height)) return [404, { reason: 'Block not found' }];
  const n = Number(height);
  return [200, { key_block: keyBlockOf(ledger, n), micro_blocks: ledger.microBlocks(n) }];
}

function microBlockAnswer(ledger: AeternityLedger, [hash, what]: string[]): Answer {
  if (what !== 'transactions') return NOT_FOUND;
  const transactions = [...ledger.transactions.values()].filter(({ block }) => block?.hash === hash);
  return [200, { transactions: transactions.map(signedTx) }];
}

function cors({ headers }: IncomingMessage, response: ServerResponse): void {
  if (!headers.origin) return;
  response.setHeader('Access-Control-Allow-Origin', headers.origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', 'retry-after, x-ae-height');
  response.setHeader('Access-Control-Max-Age', '1800');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
  const asked = headers['access-control-request-headers'];
  if (asked) response.setHeader('Access-Control-Allow-Headers', asked);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function transactionIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { tx: unknown }).tx;
  } catch {
    throw new Refusal('broken_tx');
  }
}

/** Integers of any size, as a node writes them: as digits, or all as strings on request. */
function json(body: object, asText: boolean): string {
  const marked = JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === 'bigint') return asText ? String(value) : `\u0000${value}`;
    return asText && Number.isInteger(value) ? String(value) : value;
  });
  return marked.replaceAll(/"\\u0000(-?\d+)"/g, '$1');
}
