/** A proxy in front of a node that counts the client's requests. */
import { text } from 'node:stream/consumers';
import { listen } from '../service/listen.ts';

export interface Count {
  /** Sequential rounds: requests in flight at the same time count as one. */
  rounds: number;
  requests: number;
}

export interface Counter {
  url: string;
  /** The requests that `work` made to the node. */
  during<T>(work: () => Promise<T>): Promise<{ count: Count; result: T }>;
  close(): Promise<void>;
}

export async function startCounter(target: string): Promise<Counter> {
  let [rounds, requests, underWay] = [0, 0, 0];
  const server = await listen(
    async (request, response) => {
      requests++;
      if (underWay++ === 0) rounds++;
      try {
        const { method = 'GET', url = '/', headers } = request;
        const answer = await fetch(target.replace(/\/$/, '') + url, {
          method,
          headers: { 'Content-Type': headers['content-type'] ?? 'text/plain' },
          body: method === 'POST' ? await text(request) : null,
        });
        const type = answer.headers.get('Content-Type') ?? 'text/plain';
        const body = await answer.text();
        response.writeHead(answer.status, { 'Content-Type': type }).end(body);
      } catch {
        response.destroy();
      } finally {
        underWay--;
      }
    },
    { port: 0, setting: 'bench' },
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    async during(work) {
      const before = { rounds, requests };
      const result = await work();
      return { result, count: { rounds: rounds - before.rounds, requests: requests - before.requests } };
    },
    close: server.close,
  };
}
