/** Every fault by its name. */
import { type Api, isBatch, type RpcCall, rpcCalls } from './apis.ts';
import { type Answer, type Asked, type Fault, HONEST } from './proxy.ts';

/** How a fault is put before a node. */
export interface FaultRow {
  fault(api: Api): Fault;
  /** Of the second node, which otherwise is the honest one. */
  second?(api: Api): Fault;
  /** What the node does before the fault begins. */
  before?(api: Api): Fault;
  /** No connection is taken. */
  isClosed?: true;
  /** Only of nodes that speak JSON-RPC, or of those that do not. */
  of?: 'rpc' | 'rest';
  /** Only of the call that gives a node a transaction. */
  isOfSending?: true;
  /** Means nothing with one node. */
  needsTwo?: true;
  /** It says what is not so: what it knows better it does not show. */
  isLying?: true;
  /** None of a node: the chain itself changes. */
  isReorganisation?: true;
  /** What is asked is answered, of some blocks ago. */
  isBehind?: true;
}

const HTML = '<!doctype html><title>Sorry</title><h1>502 Bad Gateway</h1>';

const always =
  (status: number, text: string, headers: Answer['headers'] = {}): FaultRow['fault'] =>
  () =>
  () => ({ status, text, headers });

const cut: Fault = () => undefined;

/** The node gets the request. */
const lost: Fault = async (_, forward) => {
  await forward();
  return undefined;
};

const rpcErrors = (asked: Asked, error: object, of: (call: RpcCall, i: number) => boolean): Answer => {
  const answers = rpcCalls(asked).flatMap((call, i) =>
    of(call, i) ? [{ jsonrpc: '2.0', id: call.id, error }] : [],
  );
  return { status: 200, text: JSON.stringify(isBatch(asked) ? answers : answers[0]) };
};

/** Each call is refused with this error. */
const limit = (code: number, message: string): FaultRow => ({
  of: 'rpc',
  fault: () => (asked) => rpcErrors(asked, { code, message }, () => true),
});

/** The same of every second call, counted over all requests. */
const halfLimit = (code: number, message: string): FaultRow => ({
  of: 'rpc',
  fault: () => {
    let count = 0;
    return async (asked, forward) => {
      const refused = new Set(
        rpcCalls(asked)
          .map(({ id }) => id)
          .filter(() => ++count % 2 === 0),
      );
      if (refused.size === 0) return forward();
      if (!isBatch(asked)) return rpcErrors(asked, { code, message }, () => true);
      const { text } = await forward();
      const replies = (JSON.parse(text) as RpcCall[]).map((reply) =>
        refused.has(reply.id) ? { jsonrpc: '2.0', id: reply.id, error: { code, message } } : reply,
      );
      return { status: 200, text: JSON.stringify(replies) };
    };
  },
});

/** With HTTP 200, of what stands before a REST API. */
const said = (body: object): FaultRow => ({ of: 'rest', fault: always(200, JSON.stringify(body)) });

/** Every second request, the first one too. */
const everyOther =
  (fault: Fault): FaultRow['fault'] =>
  () => {
    let count = 0;
    return (asked, forward) => (count++ % 2 === 0 ? fault(asked, forward) : forward());
  };

const sending =
  (fault: (api: Api) => Fault): FaultRow['fault'] =>
  (api) => {
    const sends = fault(api);
    return (asked, forward) => (api.isSending(asked) ? sends(asked, forward) : forward());
  };

const refusing =
  (words: (api: Api) => string) =>
  (api: Api): Fault =>
  () =>
    api.refuses(words(api));

/** The first transaction is taken and its answer lost; then the node refuses in these words. Without `isHonest` it does not find it. */
const afterLost = (words: (api: Api) => string, isHonest: boolean): FaultRow => ({
  isOfSending: true,
  ...(isHonest ? {} : { isLying: true }),
  fault(api) {
    let isTaken = false;
    return (asked, forward) => {
      if (api.isSending(asked)) {
        if (isTaken) return api.refuses(words(api));
        isTaken = true;
        return lost(asked, forward);
      }
      return !isHonest && isTaken ? without(api, asked, forward) : forward();
    };
  },
});

/** The answer of a node that does not have any transaction that it is asked for. */
const without = async (api: Api, asked: Asked, forward: () => Promise<Answer>): Promise<Answer> => {
  if (!api.isLookUp(asked)) return forward();
  if (!api.isRpc) return api.nothing;
  const answer = await forward();
  const replies = [JSON.parse(answer.text) as { id: number }].flat();
  const asks = new Set(
    rpcCalls(asked)
      .filter(({ method }) => api.isLookUp({ ...asked, body: `"${method}"` }))
      .map(({ id }) => id),
  );
  const changed = replies.map((reply) => (asks.has(reply.id) ? { ...reply, result: null } : reply));
  return { ...answer, text: JSON.stringify(isBatch(asked) ? changed : changed[0]) };
};

/** Remembers what it was asked before, and then answers the same. Of what came later it knows nothing. */
function memory(): Required<Pick<FaultRow, 'fault' | 'before'>> {
  const known = new Map<string, Answer>();
  const results = new Map<string, unknown>();
  const keyOf = ({ method, params }: RpcCall): string => JSON.stringify([method, params]);
  const learn =
    (api: Api): Fault =>
    async (asked, forward) => {
      const answer = await forward();
      if (!api.isRpc) known.set(JSON.stringify(asked), answer);
      else {
        const replies = [JSON.parse(answer.text) as { id: number; result?: unknown }].flat();
        for (const call of rpcCalls(asked)) {
          const reply = replies.find(({ id }) => id === call.id);
          if (reply && 'result' in reply) results.set(keyOf(call), reply.result);
        }
      }
      return answer;
    };
  const repeat =
    (api: Api): Fault =>
    async (asked, forward) => {
      if (api.isSending(asked)) return forward();
      if (!api.isRpc) return known.get(JSON.stringify(asked)) ?? without(api, asked, forward);
      const answer = await without(api, asked, forward);
      const calls = rpcCalls(asked);
      const replies = [JSON.parse(answer.text) as { id: number; result?: unknown }].flat();
      for (const reply of replies) {
        const key = keyOf(calls.find(({ id }) => id === reply.id)!);
        if (results.has(key)) reply.result = results.get(key);
      }
      return { ...answer, text: JSON.stringify(isBatch(asked) ? replies : replies[0]) };
    };
  return { before: learn, fault: repeat };
}

const GATEWAY = JSON.stringify({ message: 'no Route matched with those values' });
const NO_ENTRY = JSON.stringify({ message: 'You may not pass.' });
const UNKNOWN = 'Something that nobody has read before.';

export const FAULTS: Readonly<Record<string, () => FaultRow>> = {
  'connection refused': () => ({ isClosed: true, fault: () => HONEST }),
  'cut before the request': () => ({ fault: () => cut }),
  'cut after the request': () => ({ fault: () => lost }),
  'every other request cut': () => ({ fault: everyOther(cut) }),
  'every other answer lost': () => ({ fault: everyOther(lost) }),
  'HTTP 429': () => ({ fault: always(429, 'Too many requests') }),
  'HTTP 429, Retry-After': () => ({ fault: always(429, '{}', { 'Retry-After': '30' }) }),
  'HTTP 429, every other': () => ({ fault: everyOther(() => ({ status: 429, text: 'Too many requests' })) }),
  'HTTP 500': () => ({ fault: always(500, 'oops') }),
  'HTTP 502 as HTML': () => ({ fault: always(502, HTML) }),
  ...Object.fromEntries(
    [401, 402, 403, 407, 451].map((status) => [
      `HTTP ${status}`,
      () => ({ fault: always(status, NO_ENTRY) }),
    ]),
  ),
  'HTTP 403 as HTML': () => ({ fault: always(403, HTML) }),
  'HTTP 404 as HTML': () => ({ fault: always(404, HTML) }),
  'HTTP 404, empty': () => ({ fault: always(404, '') }),
  'HTTP 404 of a gateway': () => ({ fault: always(404, GATEWAY) }),
  'HTTP 413': () => ({ fault: always(413, HTML) }),
  HTML: () => ({ fault: always(200, HTML) }),
  nothing: () => ({ fault: always(200, '') }),
  'half of the answer': () => ({
    fault: () => async (_, forward) => {
      const { status, text } = await forward();
      return { status, text: text.slice(0, text.length >> 1) };
    },
  }),
  'null for an answer': () => ({ fault: always(200, 'null') }),
  'a batch as one object': () => ({
    of: 'rpc',
    fault: () => (asked, forward) =>
      isBatch(asked)
        ? {
            status: 200,
            text: JSON.stringify({
              jsonrpc: '2.0',
              id: null,
              error: { code: -32600, message: 'Invalid Request' },
            }),
          }
        : forward(),
  }),
  'a batch cut short': () => ({
    of: 'rpc',
    fault: () => async (asked, forward) => {
      const answer = await forward();
      if (!isBatch(asked)) return answer;
      const replies = JSON.parse(answer.text) as unknown[];
      return { ...answer, text: JSON.stringify(replies.slice(0, replies.length >> 1)) };
    },
  }),
  'a batch of more than 3 refused': () => ({
    of: 'rpc',
    fault: () => (asked, forward) =>
      rpcCalls(asked).length > 3
        ? rpcErrors(
            asked,
            {
              code: 31,
              message: 'Batch of more than 3 requests are not allowed on free tier, upgrade to paid.',
            },
            () => true,
          )
        : forward(),
  }),
  'limit, Alchemy 429': () => limit(429, 'Your app has exceeded its compute units per second capacity.'),
  'limit, QuickNode -32007': () => limit(-32007, '15/second request limit reached - reduce calls'),
  'limit, QuickNode -32012': () => limit(-32012, 'credits limited to 6000/second'),
  'limit, Arc -32011': () => limit(-32011, 'Request limit reached'),
  'limit, dRPC 15': () => limit(15, 'Too many request, try again later'),
  'limit, Infura -32005': () => limit(-32005, 'daily request count exceeded, request rate limited'),
  'limit, Base -32016': () => limit(-32016, 'over rate limit'),
  'limit, Ankr -32090': () => limit(-32090, 'Too many requests, reason: call rate limit exhausted'),
  'limit of every other call': () =>
    halfLimit(429, 'Your app has exceeded its compute units per second capacity.'),
  'limit, TronGrid': () => said({ success: false, error: 'request rate exceeded the allowed_rps(15)' }),
  'limit, TronGrid, as an Error': () =>
    said({ Error: 'request rate exceeded the allowed_rps(15), and the query server is suspended for 5s' }),
  'limit, daily usage': () => said({ Error: 'You have reached your daily usage', StatusCode: 200 }),
  'an unknown error': () => limit(-39999, UNKNOWN),
  'an unknown error of every other call': () => halfLimit(-39999, UNKNOWN),
  'an unknown refusal': () => ({ of: 'rest', fault: always(400, JSON.stringify({ reason: UNKNOWN })) }),
  'an unknown answer': () => said({ code: 39, error: UNKNOWN }),
  'the pool is full': () => ({ isOfSending: true, fault: sending(refusing(({ full }) => full[0]!)) }),
  'the pool wants more': () => ({ isOfSending: true, fault: sending(refusing(({ full }) => full[1]!)) }),
  'an unknown refusal of a transaction': () => ({
    isOfSending: true,
    fault: sending(refusing(() => UNKNOWN)),
  }),
  'too little, beside a lost answer': () => ({
    isOfSending: true,
    needsTwo: true,
    fault: sending(refusing(({ funds }) => funds)),
    second: sending(() => lost),
  }),
  'too little, after a lost answer': () => afterLost(({ funds }) => funds, true),
  'too little, after a lost answer, of one behind': () => afterLost(({ funds }) => funds, false),
  'used up, after a lost answer': () => afterLost(({ over }) => over, true),
  'used up, after a lost answer, of one behind': () => afterLost(({ over }) => over, false),
  behind: () => ({ isBehind: true, ...memory() }),
  'a reorganisation': () => ({ isReorganisation: true, fault: () => HONEST }),
};

/** The fault of what gives the node a transaction alone: it answers all else. */
export function ofSending({ fault }: FaultRow): FaultRow['fault'] {
  return sending(fault);
}
