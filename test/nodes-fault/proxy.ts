/** One proxy before any node, of any chain. Each of its URLs is a node that fails or lies in one way, until that is over. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { freePort } from '../../demo/networks/watched.ts';
import { listen, type Listening } from '../../service/listen.ts';

/** What a node is asked. */
export interface Asked {
  method: string;
  /** With the query; empty for JSON-RPC. */
  path: string;
  body: string;
}

export interface Answer {
  status: number;
  /** A character for each byte. */
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** Undefined cuts the connection. `forward` asks the node behind. */
export type Fault = (asked: Asked, forward: Forward) => Promise<Answer | undefined> | Answer | undefined;
export type Forward = (asked?: Asked) => Promise<Answer>;

/** A node that answers as the one behind it does. */
export const HONEST: Fault = (_, forward) => forward();

export interface FaultyNode {
  /** Of its own: what a client has learned of another node does not count for it. */
  url: string;
  /** Replaces the fault: `HONEST` ends it. */
  become(fault: Fault): Promise<void>;
}

export class FaultProxy {
  readonly #nodes = new Map<string, { target: string; fault: Fault }>();
  readonly #servers: Listening[] = [];
  #port = 0;

  static async start(): Promise<FaultProxy> {
    const proxy = new FaultProxy();
    proxy.#port = await proxy.#listen(0);
    return proxy;
  }

  /** `target`: URL of the node behind. */
  node(target: string, fault: Fault): FaultyNode {
    const name = String(this.#nodes.size + 1);
    const node = { target: target.replace(/\/$/, ''), fault };
    this.#nodes.set(name, node);
    return {
      url: `http://127.0.0.1:${this.#port}/${name}`,
      become: async (other) => void (node.fault = other),
    };
  }

  /** A node that refuses connections until it becomes something else. */
  async closedNode(target: string): Promise<FaultyNode> {
    const node = this.node(target, HONEST);
    const port = await freePort();
    let isOpen = false;
    return {
      url: node.url.replace(String(this.#port), String(port)),
      become: async (fault) => {
        await node.become(fault);
        if (!isOpen) await this.#listen(port);
        isOpen = true;
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #listen(port: number): Promise<number> {
    const server = await listen(
      (request, response) => {
        this.#answer(request, response).catch(() => response.destroy());
      },
      { port, setting: 'port' },
    );
    this.#servers.push(server);
    return server.port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
    const node = this.#nodes.get(name)!;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked = { method: request.method ?? 'GET', path, body: Buffer.concat(parts).toString() };
    const forward: Forward = async ({ method, path: to, body } = asked) => {
      const answer = await fetch(node.target + to, {
        method,
        headers: { 'Content-Type': request.headers['content-type'] ?? 'text/plain' },
        ...(method === 'POST' && { body }),
      });
      return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
    };
    const answer = await node.fault(asked, forward);
    if (!answer) return void response.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.text, 'latin1');
  }
}
