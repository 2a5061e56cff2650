/**
 * Esplora's HTTP API (https://github.com/Blockstream/esplora/blob/master/API.md, errors as in Blockstream/electrs src/rest.rs) in front
 * of a node in regtest: litecoind or btcd. The node validates and stores everything; this indexes it by address and mines a block one
 * second after each transaction.
 *
 * Addresses are written by `encodings`, which need not be the node's own: scripts are the same on Bitcoin and Litecoin.
 *
 * Missing: statistics, paging, and electrs' limit of 500 UTXOs per address. Fee estimates are `{}`, as on any node in
 * regtest.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as ecc from '@bitcoinerlab/secp256k1';
import { address as addresses, initEccLib, type Network as Encoding } from 'bitcoinjs-lib';
import type { Network } from '../../src/chains/network.ts';
import { listen } from '../../service/listen.ts';
import { outputJson, statusOf } from './esplora-json.ts';
import type { LocalNetwork } from './local-network.ts';
import { type Entry, UtxoIndex } from './utxo-index.ts';
import { RpcFailure, type UtxoNode } from './utxo-node.ts';

// For P2TR addresses.
initEccLib(ecc);

const BLOCK_DELAY = 1_000;

export interface LocalUtxo extends LocalNetwork {
  url: string;
  /** Paths requested, in order. */
  readonly requests: string[];
  /** Whether a block follows each transaction. */
  mining: boolean;
  mine(blocks?: number): Promise<void>;
  /** Sends satoshis to an address. Resolves with the transaction's id once it is in a block. */
  fund(address: string, amount: bigint): Promise<string>;
  /** The node itself. */
  node: UtxoNode;
}

export interface LocalUtxoOptions {
  asset: string;
  /** The faucet's gift, in satoshis. */
  gift: bigint;
  network: Omit<Network, 'genesis' | 'nodes' | 'tokens'>;
  /** Address encodings; those after the first are only read. */
  encodings: readonly [Encoding, ...Encoding[]];
  /** The node behind it. */
  start(): Promise<UtxoNode>;
  /** 0 takes any free port. */
  port: number;
  /** The setting that the port came from, for the error message. */
  setting: string;
}

/** An error response, with electrs' status and plain text. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const HASH = /^[0-9a-f]{64}$/;

export async function startLocalUtxo(options: LocalUtxoOptions): Promise<LocalUtxo> {
  const node = await options.start();
  try {
    return await startFront(node, options);
  } catch (error) {
    await node.close();
    throw error;
  }
}

async function startFront(node: UtxoNode, options: LocalUtxoOptions): Promise<LocalUtxo> {
  const { asset, gift, encodings, port, setting } = options;
  const index = new UtxoIndex(node);
  let next: NodeJS.Timeout | undefined;

  const mine = (count = 1): Promise<void> => node.mine(count);
  const mineSoon = (): void => {
    next ??= setTimeout(() => {
      next = undefined;
      if (front.mining) mine().catch(() => undefined);
    }, BLOCK_DELAY);
  };

  const scriptOf = (text: string): string => {
    for (const encoding of encodings) {
      try {
        return Buffer.from(addresses.toOutputScript(text, encoding)).toString('hex');
      } catch {
        // Try the next encoding.
      }
    }
    throw new Refusal(400, 'Address on invalid network');
  };
  const entryAt = (txid: string): Entry => {
    if (!HASH.test(txid)) throw new Refusal(400, 'Invalid hash string');
    const entry = index.entries.get(txid);
    if (!entry) throw new Refusal(404, 'Transaction not found');
    return entry;
  };

  const blockAt = (hash: string): string => {
    if (!HASH.test(hash)) throw new Refusal(400, 'Invalid hash string');
    if (!index.blocks.includes(hash)) throw new Refusal(404, 'Block not found');
    return hash;
  };
  /** Without what miners need. */
  const blockJson = async (hash: string) => {
    const { height, time, previousblockhash, nTx, size, weight } = await node.rpc<Record<string, unknown>>(
      'getblock',
      blockAt(hash),
    );
    return { id: hash, height, timestamp: time, previousblockhash, tx_count: nTx, size, weight };
  };

  const statistics = (text: string) => {
    const outputs = index.outputsOf(scriptOf(text));
    const spent = index.spenders();
    const count = (confirmed: boolean) => {
      const funded = outputs.filter(({ block }) => (block !== undefined) === confirmed);
      const gone = outputs.filter(({ txid, vout }) => {
        const by = spent.get(`${txid}:${vout}`);
        return by && (by.block !== undefined) === confirmed;
      });
      const involved = new Set([
        ...funded.map(({ txid }) => txid),
        ...gone.map(({ txid, vout }) => spent.get(`${txid}:${vout}`)!.transaction.getId()),
      ]);
      return {
        funded_txo_count: funded.length,
        funded_txo_sum: total(funded),
        spent_txo_count: gone.length,
        spent_txo_sum: total(gone),
        tx_count: involved.size,
      };
    };
    return { address: text, chain_stats: count(true), mempool_stats: count(false) };
  };

  const unspent = (text: string) => {
    const spent = index.spenders();
    return index
      .outputsOf(scriptOf(text))
      .filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`))
      .map(({ txid, vout, value, block }) => ({ txid, vout, status: statusOf(block), value }));
  };

  const transactionJson = (txid: string) => {
    const { transaction, block } = entryAt(txid);
    const coinbase = transaction.isCoinbase();
    const vin = transaction.ins.map(({ hash, index: vout, script, sequence, witness }) => {
      const from = Buffer.from(hash).reverse().toString('hex');
      const out = coinbase ? undefined : index.entries.get(from)?.transaction.outs[vout];
      return {
        txid: from,
        vout,
        prevout: out ? outputJson(out.script, out.value, encodings[0]) : null,
        scriptsig: Buffer.from(script).toString('hex'),
        ...(witness.length ? { witness: witness.map((item) => Buffer.from(item).toString('hex')) } : {}),
        is_coinbase: coinbase,
        sequence,
      };
    });
    const vout = transaction.outs.map(({ script, value }) => outputJson(script, value, encodings[0]));
    const paid = total(vin.map(({ prevout }) => prevout ?? { value: 0 })) - total(vout);
    return {
      txid,
      version: transaction.version,
      locktime: transaction.locktime,
      vin,
      vout,
      size: transaction.byteLength(),
      weight: transaction.weight(),
      fee: coinbase ? 0 : paid,
      status: statusOf(block),
    };
  };

  const outspend = (txid: string, vout: number) => {
    entryAt(txid);
    const by = index.spenders().get(`${txid}:${vout}`);
    if (!by) return { spent: false };
    const { transaction, block } = by;
    const vin = transaction.ins.findIndex(
      (one) => one.index === vout && Buffer.from(one.hash).reverse().toString('hex') === txid,
    );
    return { spent: true, txid: transaction.getId(), vin, status: statusOf(block) };
  };

  /** Newest first: 50 pending and 25 in blocks. */
  const transactions = (text: string) => {
    const outputs = index.outputsOf(scriptOf(text));
    const spent = index.spenders();
    const ids = outputs.flatMap(({ txid, vout }) => [
      txid,
      spent.get(`${txid}:${vout}`)?.transaction.getId() ?? txid,
    ]);
    const all = [...new Set(ids)].map((txid) => ({ txid, block: entryAt(txid).block }));
    const mined = all.filter(({ block }) => block).sort((a, b) => b.block!.height - a.block!.height);
    const waiting = all.filter(({ block }) => !block);
    const json = (those: typeof all) => those.map(({ txid }) => transactionJson(txid));
    return { waiting: json(waiting.slice(0, 50)), mined: json(mined.slice(0, 25)) };
  };

  const send = async (hex: string): Promise<string> => {
    try {
      const txid = await node.rpc<string>('sendrawtransaction', hex);
      mineSoon();
      return txid;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      const { code, message } = error;
      throw new Refusal(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`);
    }
  };

  /** Text, bytes, or an object to be sent as JSON. */
  const answer = async (method: string, path: string, body: string): Promise<string | object> => {
    if (method === 'POST' && path === '/tx') return send(body.trim());
    await index.sync();
    const [, what, key = '', more, number] = path.split('/');
    if (method === 'GET')
      switch (`${what}/${more ?? ''}`) {
        case 'address/':
          return statistics(key);
        case 'address/utxo':
          return unspent(key);
        case 'address/txs': {
          const { waiting, mined } = transactions(key);
          return number === 'mempool' ? waiting : number === 'chain' ? mined : [...waiting, ...mined];
        }
        case 'fee-estimates/':
          return {};
        case 'tx/':
          return transactionJson(key);
        case 'tx/hex':
          return entryAt(key).transaction.toHex();
        case 'tx/outspend':
          return outspend(key, Number(number));
        case 'tx/status':
          // As in electrs: an unknown transaction counts as unconfirmed.
          if (!HASH.test(key)) throw new Refusal(400, 'Invalid hash string');
          return statusOf(index.entries.get(key)?.block);
        case 'blocks/height':
          if (key === 'tip') return String(index.blocks.length - 1);
          break;
        case 'blocks/hash':
          if (key === 'tip') return index.blocks.at(-1)!;
          break;
        case 'block/':
          return blockJson(key);
        case 'block/raw':
          return Buffer.from(await node.rpc<string>('getblock', blockAt(key), 0), 'hex');
        case 'block-height/': {
          if (!/^\d+$/.test(key)) throw new Refusal(400, 'Invalid number');
          const hash = index.blocks[Number(key)];
          if (!hash) throw new Refusal(404, 'Block not found');
          return hash;
        }
      }
    throw new Refusal(404, `endpoint does not exist ${JSON.stringify(path)}`);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0]!;
    front.requests.push(`${request.method} ${path}`);
    if (front.down) return void request.socket.destroy();
    // Like electrs with `--cors '*'`, which handles no preflight.
    const head = { 'Access-Control-Allow-Origin': '*' };
    try {
      const found = await answer(request.method ?? 'GET', path, await bodyOf(request));
      const [type, sent] =
        typeof found === 'string'
          ? ['text/plain', found]
          : found instanceof Buffer
            ? ['application/octet-stream', found]
            : ['application/json', JSON.stringify(found)];
      response.writeHead(200, { ...head, 'Content-Type': type }).end(sent);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      response.writeHead(status, { ...head, 'Content-Type': 'text/plain' }).end((error as Error).message);
    }
  };

  await index.sync();
  const server = await listen(
    (request, response) => {
      handle(request, response).catch(() => response.destroy());
    },
    { port, setting },
  );
  const url = `http://localhost:${server.port}`;
  const front: LocalUtxo = {
    network: { ...options.network, genesis: index.blocks[0]!, nodes: [url], tokens: [] },
    assets: [asset],
    contracts: {},
    url,
    node,
    requests: [],
    mining: true,
    down: false,
    mine,
    async fund(to, amount) {
      const txid = await node.pay(Buffer.from(scriptOf(to), 'hex'), amount);
      await mine();
      return txid;
    },
    give: (_, to) => front.fund(to, gift),
    async close() {
      clearTimeout(next);
      await server.close();
      await node.close();
    },
  };
  return front;
}

function total(outputs: readonly { value: number }[]): number {
  return outputs.reduce((all, { value }) => all + value, 0);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
