/**
 * A circuit breaker for nodes that hang: after several consecutive time-outs, requests to a node fail at once for a while; then one request
 * is let through, and the others follow if it is answered.
 */

import { ReadableStream } from 'node:stream/web';

/** One time-out proves little: a search over many blocks may take long on a node that is otherwise fast. */
const IN_A_ROW = 3;
const REST_MS = 15_000;

/** The node of a request, whatever its path: REST nodes have many. */
type NodeOf = (url: string) => string;

interface Trouble {
  late: number;
  /** In milliseconds. */
  until: number;
}

/** `now`: milliseconds of any clock. */
export function restingFetch(
  nodeOf: NodeOf,
  send: typeof fetch = (input, init) => fetch(input, init),
  now: () => number = () => performance.now(),
): typeof fetch {
  /** One for each node. */
  const troubles = new Map<string, Trouble>();
  return async (input, init) => {
    const node = nodeOf(String(input));
    const trouble = troubles.get(node);
    if (trouble && trouble.late >= IN_A_ROW) {
      if (now() < trouble.until)
        throw new Error('The node has timed out several times in a row. It is tried again later.');
      trouble.until = now() + REST_MS;
    }
    const answered = (): void => void troubles.delete(node);
    const failed = (): void => {
      const isLate = (init?.signal?.reason as Error | undefined)?.name === 'TimeoutError';
      if (isLate) troubles.set(node, { late: (troubles.get(node)?.late ?? 0) + 1, until: now() + REST_MS });
    };
    try {
      const answer = await send(input, init);
      if (answer.body)
        return new Response(ReadableStream.from(followed(answer.body, answered, failed)) as BodyInit, answer);
      answered();
      return answer;
    } catch (error) {
      failed();
      throw error;
    }
  };
}

/** A node may also hang in the middle of an answer. */
async function* followed(
  body: AsyncIterable<Uint8Array>,
  answered: () => void,
  failed: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    failed();
    throw error;
  }
  answered();
}
