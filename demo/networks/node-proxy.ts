/**
 * A proxy in front of a node. It can go down and come back while the node keeps its state, record a client's calls, and alter the
 * answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../../service/listen.ts';

export interface Call {
  jsonrpc: string;
  id: number | string;
  method: string;
  params?: unknown[];
}

export interface Reply {
  id: number | string;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown } | undefined;
}

/** Resolves with undefined if the node returns an error. */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

export interface NodeProxyOptions {
  target: string;
  /** 0 takes any free port. */
  port: number;
  /** The setting that the port came from, for the error message. */
  setting?: string;
  /** Awaited before the calls are forwarded. If it throws, they are not, and the connection is cut. */
  before?: (calls: Call[]) => Promise<void> | void;
  /** Returns an error instead of forwarding the call. `ask` sends the node another call. */
  refuse?: (call: Call, ask: Ask) => Reply['error'] | undefined | Promise<Reply['error'] | undefined>;
  /** Alters the node's reply to a call: a lying node. */
  alter?: (call: Call, reply: Reply) => Reply;
}

export interface NodeProxy {
  url: string;
  /** The calls of each HTTP request, in order. */
  readonly requests: Call[][];
  /** Sequential round trips: concurrent requests count as one. */
  readonly rounds: number;
  /** While true, every connection is cut. */
  down: boolean;
  close(): Promise<void>;
}

/** As geth and anvil allow any origin. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'content-type',
  'Access-Control-Allow-Methods': 'POST',
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function callsIn(body: string): Call[] {
  const parsed = JSON.parse(body) as Call | Call[];
  return Array.isArray(parsed) ? parsed : [parsed];
}

function altered(body: string, calls: Call[], alter: NonNullable<NodeProxyOptions['alter']>): string {
  const parsed = JSON.parse(body) as Reply | Reply[];
  const change = (reply: Reply): Reply => {
    const call = calls.find(({ id }) => id === reply.id);
    return call ? alter(call, reply) : reply;
  };
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(change) : change(parsed));
}

export async function startNodeProxy({
  target,
  port,
  setting = 'port',
  before,
  refuse,
  alter,
}: NodeProxyOptions): Promise<NodeProxy> {
  const requests: Call[][] = [];
  let down = false;
  let rounds = 0;
  let underWay = 0;

  async function relay(body: string): Promise<{ status: number; text: string }> {
    if (underWay++ === 0) rounds++;
    try {
      const answer = await fetch(target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      return { status: answer.status, text: await answer.text() };
    } finally {
      underWay--;
    }
  }

  const ask: Ask = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    return ((await (await fetch(target, { method: 'POST', headers, body })).json()) as Reply).result;
  };

  /** The node's replies to the calls that are forwarded, and the errors of the others. */
  async function answerTo(body: string, calls: Call[]): Promise<{ status: number; text: string }> {
    const refusals: (Reply & { jsonrpc: string })[] = [];
    for (const call of calls) {
      const error = await refuse?.(call, ask);
      if (error) refusals.push({ jsonrpc: '2.0', id: call.id, error });
    }
    if (refusals.length === 0) return relay(body);
    const heard = calls.filter(({ id }) => !refusals.some((refusal) => refusal.id === id));
    const { status, text } =
      heard.length > 0 ? await relay(JSON.stringify(heard)) : { status: 200, text: '[]' };
    const replies = [...(JSON.parse(text) as Reply[]), ...refusals];
    return { status, text: JSON.stringify(body.trimStart().startsWith('[') ? replies : replies[0]) };
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (down) {
      request.socket.destroy();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 405, CORS).end();
      return;
    }
    const body = await bodyOf(request);
    const calls = callsIn(body);
    requests.push(calls);
    await before?.(calls);
    const { status, text } = await answerTo(body, calls);
    if (down) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { ...CORS, 'Content-Type': 'application/json' });
    response.end(alter && status === 200 ? altered(text, calls, alter) : text);
  }

  const server = await listen(
    (request, response) => {
      forward(request, response).catch(() => response.destroy());
    },
    { port, setting },
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    get rounds() {
      return rounds;
    },
    get down() {
      return down;
    },
    set down(value) {
      down = value;
    },
    close: server.close,
  };
}
