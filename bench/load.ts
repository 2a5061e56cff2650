/**
 * Sends the same request over keep-alive connections, with as little work as possible, so that it measures the server.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  /** Number of answers. */
  count: number;
  seconds: number;
  /** Latency of every answer. */
  milliseconds: number[];
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** After the last chunk of an answer of unknown length. No JSON has a line of its own for a zero. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** Where the answer ends whose body begins at `start`; beyond what has come, if it is not whole. */
function answerEnd(head: string, answers: Buffer, start: number): number {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return start + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`An answer without a length:\n${head}`);
  const last = answers.indexOf(LAST_CHUNK, start);
  return last < 0 ? Infinity : last + LAST_CHUNK.length;
}

/** Calls `onAnswer` with the status at the end of every answer. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    rest = rest.length ? Buffer.concat([rest, data]) : data;
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const head = rest.toString('latin1', 0, end);
      const total = answerEnd(head, rest, end + HEAD_END.length);
      if (rest.length < total) return;
      rest = rest.subarray(total);
      onAnswer(Number(head.slice(9, 12)));
    }
  });
}

interface Asked {
  /** One for all connections, or one for each. */
  token: string | readonly string[];
  /** JSON; makes the requests `POST`. */
  body?: string;
  /** Number of connections. */
  connections: number;
  /** The run ends at whichever comes first. */
  seconds?: number;
  count?: number;
}

/** `GET` of `url`, or of what it returns for each request's number. Rejects if an answer is not 200 (201 for `POST`). */
export async function load(url: string | ((n: number) => string), asked: Asked): Promise<Load> {
  const { token, connections, body, seconds = Infinity, count = Infinity } = asked;
  const [method, good] = body === undefined ? ['GET', 200] : ['POST', 201];
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const { hostname, port, host } = new URL(typeof url === 'string' ? url : url(0));
  const requestOf = (to: string, bearer: string): Buffer => {
    const { pathname, search } = new URL(to);
    return Buffer.from(
      `${method} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${bearer}\r\n${content}\r\n${body ?? ''}`,
    );
  };
  const milliseconds: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  let asks = 0;
  const one = (_: unknown, n: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const bearer = typeof token === 'string' ? token : token[n % token.length]!;
      const same = typeof url === 'string' ? requestOf(url, bearer) : undefined;
      const socket = connect(Number(port), hostname).setNoDelay();
      let sent = 0;
      const ask = (): void => {
        const request = same ?? requestOf((url as (n: number) => string)(asks), bearer);
        asks++;
        sent = performance.now();
        socket.write(request);
      };
      readAnswers(socket, (status) => {
        const now = performance.now();
        if (status !== good) socket.destroy(new Error(`${host} answered ${status}`));
        milliseconds.push(now - sent);
        if (now < end && asks < count) ask();
        else socket.end();
      });
      socket.once('connect', ask).once('error', reject).once('close', resolve);
    });
  await Promise.all(Array.from({ length: Math.min(connections, count) }, one));
  return { count: milliseconds.length, seconds: (performance.now() - started) / 1000, milliseconds };
}
