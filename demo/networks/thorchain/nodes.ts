/** THORNodes over HTTP: several in front of the same books, each with faults of its own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../../../service/listen.ts';
import * as answers from './answers.ts';
import type { Books } from './books.ts';
import type { Engine } from './engine.ts';
import { quote } from './quote.ts';

export interface LocalThorNode {
  url: string;
  /** Paths below `/thorchain/`, in order. */
  readonly requests: string[];
  /** While true, every connection is cut. */
  down: boolean;
  /** What every request is answered with instead: 429, 503. */
  status: number | undefined;
  /** Errors are `{ error }`, as of old nodes. */
  hasOldErrors: boolean;
  /** Changes what it answers at a path, for everything that a node can get wrong. */
  change: (path: string, body: unknown) => unknown;
  /** It follows the chain no more: it answers the same height and time, and as if nothing was halted. */
  standStill(): Promise<void>;
  close(): Promise<void>;
}

const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' };

/**
 * `running` is called with the first request. `host`: the name that it is reached by. Two of one machine have two names, as wallets ask two different ones.
 */
export async function startThorNode(
  running: () => Promise<Engine>,
  { port, host }: { port: number; host: 'localhost' | '127.0.0.1' },
): Promise<LocalThorNode> {
  let stood: Books | undefined;
  let engine: Engine;

  async function bodyAt(path: string, query: URLSearchParams): Promise<unknown> {
    const books = stood ?? engine.books;
    const [, kind, hash] = /^tx\/(status|details)\/(.*)$/.exec(path) ?? [];
    if (hash !== undefined) {
      if (!/^[0-9A-F]{64}$/.test(hash)) throw new answers.Refusal(3, `invalid tx id: ${hash}`);
      return kind === 'status' ? answers.status(hash, books, engine) : answers.details(hash, engine);
    }
    switch (path) {
      case 'pools':
        return answers.pools(books);
      case 'inbound_addresses':
        return answers.inboundAddresses(books, engine);
      case 'vaults/asgard':
        return answers.vaults(books, engine);
      case 'mimir':
        return Object.fromEntries(books.mimir);
      case 'lastblock':
        return answers.lastBlocks(books, engine);
      case 'block':
        // As THORNode does, what is no height is the newest one.
        return answers.block(books, engine, Number.parseInt(query.get('height') ?? '', 10) || undefined);
      case 'queue/outbound':
        return answers.outboundQueue(engine);
      case 'quote/swap':
        return quote(query, books, engine);
      default:
        return undefined;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (node.down) return void request.socket.destroy();
    const path = pathname.replace(/^\/thorchain\//, '');
    node.requests.push(path);
    const send = (code: number, body: unknown): void =>
      void response.writeHead(code, HEADERS).end(JSON.stringify(body));
    if (node.status !== undefined) return send(node.status, {});
    engine ??= await running();
    try {
      const body = node.change(path, await bodyAt(path, searchParams));
      if (body === undefined) return send(501, { code: 12, message: 'Not Implemented', details: [] });
      send(200, body);
    } catch (error) {
      if (!(error instanceof answers.Refusal)) throw error;
      const { code, message } = error;
      const body = node.hasOldErrors ? { error: message } : { code, message, details: [] };
      send(code === 3 && !node.hasOldErrors ? 400 : 500, body);
    }
  }

  const server = await listen(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
    {
      port,
      setting: 'THORCHAIN_PORT',
    },
  );
  const node: LocalThorNode = {
    url: `http://${host}:${server.port}`,
    requests: [],
    down: false,
    status: undefined,
    hasOldErrors: false,
    change: (_, body) => body,
    standStill: async () => void (stood = (await running()).books.snapshot()),
    close: () => server.close(),
  };
  return node;
}
