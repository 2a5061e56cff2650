/** A local Ethereum node for one test file, behind a proxy that can lie, count and go down. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { poll, within } from '../waiting.ts';

const BINARY = fileURLToPath(new URL('../../node_modules/.bin/anvil', import.meta.url));

export interface Anvil {
  url: string;
  rpc(method: string, ...params: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startAnvil(...flags: string[]): Promise<Anvil> {
  const child: ChildProcess = spawn(BINARY, ['--port', '0', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const port = /Listening on [\d.]+:(\d+)/.exec(output)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('exit', (code) => reject(new Error(`anvil ended with ${code}:\n${output}`)));
  });
  const url = await within(listening, 'anvil to listen');
  return {
    url,
    rpc: (method, ...params) => rpc(url, method, params),
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve());
        child.kill();
      }),
  };
}

/** Of a transaction that is mined by itself: anvil accepts it a moment before. */
export function receiptOf(anvil: Anvil, hash: string): Promise<{ status: string; contractAddress: string }> {
  return poll(
    async () =>
      ((await anvil.rpc('eth_getTransactionReceipt', hash)) ?? undefined) as
        | { status: string; contractAddress: string }
        | undefined,
    `${hash} to be mined`,
  );
}

async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

interface RpcBody {
  id: number;
  method: string;
  params: unknown[];
}
export interface RpcAnswer {
  id: number | null;
  jsonrpc?: string;
  result?: unknown;
  error?: { code: number; message: string; data?: string };
}

export interface Proxy {
  url: string;
  /** HTTP requests, and the methods each carried. */
  requests: string[][];
  /** Changes an answer; undefined lets it through. */
  answer: ((call: RpcBody, real: RpcAnswer) => Partial<RpcAnswer> | undefined) | undefined;
  /** Answers every request with these bytes instead. */
  raw: { status: number; body: string } | undefined;
  stop(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const calls = JSON.parse(body) as RpcBody | RpcBody[];
      proxy.requests.push([calls].flat().map((call) => call.method));
      if (proxy.raw) {
        response.writeHead(proxy.raw.status, { 'content-type': 'application/json' }).end(proxy.raw.body);
        return;
      }
      const real = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answers = (await real.json()) as RpcAnswer | RpcAnswer[];
      const changed = [answers].flat().map((answer) => {
        const call = [calls].flat().find((c) => c.id === answer.id)!;
        const other = proxy.answer?.(call, answer);
        return other ? { jsonrpc: '2.0', id: answer.id, ...other } : answer;
      });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(Array.isArray(answers) ? changed : changed[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: undefined,
    raw: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
