import { expect } from '@open-wc/testing';
import { JsonRpc } from '../../../src/chains/evm/json-rpc.ts';
import { RpcError } from '../../../src/chains/evm/rpc-error.ts';
import { feesOf, readFees } from '../../../src/chains/evm/fees.ts';
import { ETHEREUM } from '../../../src/chains/ethereum/profile.ts';
import { estimate } from '../../../src/chains/evm/simulation.ts';
import { healthBy } from '../../../src/chains/nodes/node-health.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { answerOf, type Asked, NETWORK, QUIET } from './fake-node.ts';

type Reply = (calls: Asked | Asked[], init: RequestInit, url: string) => unknown;

const good: Reply = (body) =>
  Array.isArray(body) ? body.map((call) => answerOf(call, QUIET)) : answerOf(body, QUIET);

/** A client of nodes that give these replies in order; a string is sent as the raw body. `now`: the time for nodes that rest. */
function client(replies: Reply[], now?: () => number) {
  const nodes = replies.map((_, i) => `http://node${i}.example`);
  const bodies: { url: string; body: Asked | Asked[]; init: RequestInit }[] = [];
  const send: typeof fetch = async (url, init) => {
    const body = JSON.parse(String(init!.body));
    bodies.push({ url: String(url), body, init: init! });
    const reply = await replies[nodes.indexOf(String(url))]!(body, init!, String(url));
    if (reply instanceof Response) return reply;
    return new Response(typeof reply === 'string' ? reply : JSON.stringify(reply));
  };
  healthBy(send, now);
  const another = () => new JsonRpc({ ...NETWORK, nodes }, { fetch: send });
  return { rpc: another(), another, bodies };
}

/** Refuses calls of these methods, or all but that for the chain id, with this error. */
const refusing =
  (error: object, methods?: readonly string[]): Reply =>
  (body) => {
    const answers = [body]
      .flat()
      .map((call) =>
        (methods ? methods.includes(call.method) : call.method !== 'eth_chainId')
          ? { jsonrpc: '2.0', id: call.id, error }
          : answerOf(call, QUIET),
      );
    return Array.isArray(body) ? answers : answers[0];
  };

/** Takes batches of at most this many calls, and says so in its own way. */
const limited =
  (most: number, says: (calls: Asked[], answers: unknown[]) => unknown): Reply =>
  (body) => {
    if (!Array.isArray(body)) return answerOf(body, QUIET);
    const answers = body.map((call) => answerOf(call, QUIET));
    return body.length <= most ? answers : says(body, answers);
  };

/** Limits of providers, in their own words. */
const LIMITS: [provider: string, code: number, message: string][] = [
  ['Alchemy', 429, 'Your app has exceeded its compute units per second capacity.'],
  ['QuickNode, per second', -32007, '50/second request limit reached - reduce calls per second'],
  ['QuickNode, per day', -32012, 'credits limited'],
  ['Arc', -32011, 'request limit reached'],
  ['dRPC', 15, 'Too many request, try again later'],
  ['Infura', -32005, 'daily request count exceeded, request rate limited'],
  ['Base', -32016, 'over rate limit'],
  ['Ankr', -32090, 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
  [
    'TronGrid',
    -32000,
    'request rate exceeded the allowed_rps(15), and the query server is suspended for 1 s',
  ],
  ['a plan', -32000, 'You have reached your daily usage'],
];

/** Errors of a node that nobody has to know. */
const UNKNOWN: [why: string, code: number, message: string][] = [
  ['has lost a state', -32000, 'missing trie node 5e5e (path )'],
  ['is behind', -32000, 'header not found'],
  ['has a fault', -32603, 'Internal error'],
  ['asks for a key', -32600, 'Must be authenticated!'],
  ['runs out of time', -32000, 'execution aborted (timeout = 5s)'],
  ['says what nobody has read before', 4444, 'pruned history unavailable'],
];
const down: Reply = () => {
  throw new TypeError('Failed to fetch');
};
/** Ends the time of the request that was made last. */
let timeOut = (): void => {};
const realTimeout = AbortSignal.timeout;
before(() => {
  AbortSignal.timeout = () => {
    const control = new AbortController();
    timeOut = () => control.abort(new DOMException('It took too long.', 'TimeoutError'));
    return control.signal;
  };
});
after(() => {
  AbortSignal.timeout = realTimeout;
});
const silent: Reply = (_, init) =>
  new Promise((_resolve, reject) => {
    init.signal!.addEventListener('abort', () => reject(init.signal!.reason));
    timeOut();
  });
const http =
  (status: number, body: string): Reply =>
  () =>
    new Response(body, { status });

const known = (refusal: RpcError) => refusal.message === 'already known';

async function failure(work: Promise<unknown>): Promise<any> {
  return work.then(
    () => expect.fail('did not reject'),
    (error) => error,
  );
}

describe('JSON-RPC', () => {
  it('sends the calls of one moment as one batch, and matches answers by id in any order', async () => {
    const { rpc, bodies } = client([
      (body, init, url) =>
        Array.isArray(body) ? (good(body, init, url) as unknown[]).toReversed() : good(body, init, url),
    ]);
    const [balance, price] = await Promise.all([
      rpc.call('eth_getBalance', '0x', 'latest'),
      rpc.call('eth_gasPrice'),
    ]);
    expect(balance).to.equal('0xde0b6b3a7640000');
    expect(price).to.equal('0x77359400');
    expect(bodies).to.have.length(1);
    expect(rpc.rounds).to.equal(1);
    expect(bodies[0]!.init).to.include({ credentials: 'omit', redirect: 'error' });
    await rpc.call('eth_gasPrice');
    expect(rpc.rounds).to.equal(2);
    expect(bodies[1]!.body, 'the chain id is asked once').to.have.property('method', 'eth_gasPrice');
  });

  it('fails only the call that the node refuses', async () => {
    const { rpc } = client([good]);
    const [price, error] = await Promise.all([rpc.call('eth_gasPrice'), failure(rpc.call('eth_call', {}))]);
    expect(price).to.equal('0x77359400');
    expect(error).to.be.instanceOf(RpcError);
    expect(error.message).to.equal('execution reverted');
  });

  for (const [name, reply] of [
    ['does not answer', down],
    ['stays silent', silent],
    ['answers HTTP 500', http(500, 'oops')],
    ['answers HTTP 429', http(429, '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit"}}')],
    ['answers HTML', http(200, '<html>')],
    ['answers too much', http(200, `"${'x'.repeat(6 * 1024 * 1024)}"`)],
    ['answers null', http(200, 'null')],
    [
      'is over its limit',
      (body: Asked | Asked[]) =>
        [body].flat().map(({ id }) => ({ id, error: { code: -32005, message: 'limit exceeded' } })),
    ],
    [
      'is on another chain',
      (body: Asked | Asked[]) =>
        [body].flat().map((call) => answerOf(call, { ...QUIET, eth_chainId: '0x1' })),
    ],
  ] as [string, Reply][]) {
    it(`reads from the next node when one ${name}`, async () => {
      const { rpc, bodies } = client([reply, good]);
      expect(await rpc.call('eth_gasPrice')).to.equal('0x77359400');
      expect(rpc.host).to.equal('node1.example');
      const before = bodies.length;
      await rpc.call('eth_gasPrice');
      expect(
        bodies.slice(before).map((b) => b.url),
        'stays with the node that works',
      ).to.deep.equal(['http://node1.example']);
    });

    it(`says node.unreachable when the only node ${name}`, async () => {
      const { rpc } = client([reply]);
      const error = await failure(rpc.call('eth_gasPrice'));
      expect(error).to.be.instanceOf(ConnectError);
      expect(error.code).to.equal('node.unreachable');
      expect(error.details.reason).to.equal(name === 'is on another chain' ? 'chain-id' : 'network');
    });
  }

  it('asks one by one where a node refuses batches with a single error', async () => {
    const { rpc, bodies } = client([
      (body, init, url) =>
        Array.isArray(body)
          ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }
          : good(body, init, url),
    ]);
    expect(await rpc.call('eth_gasPrice')).to.equal('0x77359400');
    expect(await Promise.all([rpc.call('eth_gasPrice'), rpc.call('eth_chainId')])).to.deep.equal([
      '0x77359400',
      '0x7a69',
    ]);
    expect(
      bodies.filter((b) => Array.isArray(b.body)),
      'tries a batch once',
    ).to.have.length(1);
  });

  it('broadcasts to every node and answers with the first that accepts', async () => {
    const accept: Reply = (body) => ({ jsonrpc: '2.0', id: (body as Asked).id, result: '0xabc' });
    const refuse: Reply = (body) => ({
      jsonrpc: '2.0',
      id: (body as Asked).id,
      error: { code: -32000, message: 'nonce too low' },
    });
    const first = client([down, refuse, accept]);
    expect(await first.rpc.send('eth_sendRawTransaction', ['0x00'], known)).to.equal('0xabc');
    expect(first.bodies).to.have.length(3);
    expect(first.bodies.every((b) => b.init.keepalive)).to.equal(true);
    expect(first.rpc.rounds).to.equal(1);
    const second = client([down, refuse]);
    const { errors } = await failure(second.rpc.send('eth_sendRawTransaction', ['0x00'], known));
    expect(errors.map(({ message }: Error) => message)).to.deep.equal(['does not answer', 'nonce too low']);
    const again: Reply = (body) => ({
      jsonrpc: '2.0',
      id: (body as Asked).id,
      error: { code: -32000, message: 'already known' },
    });
    await client([refuse, again]).rpc.send('eth_sendRawTransaction', ['0x00'], known);
    const large = client([accept]);
    await large.rpc.send('eth_sendRawTransaction', [`0x${'00'.repeat(60_000)}`], known);
    expect(large.bodies[0]!.init.keepalive, 'browsers refuse long keepalive bodies').to.equal(false);
  });

  for (const [who, code, message] of [...LIMITS, ...UNKNOWN])
    describe(`“${message}” (${code}) of a node that ${LIMITS.some(([name]) => name === who) ? `is over the limit of ${who}` : who}`, () => {
      const error = { code, message };

      it('sends only the calls that it did not answer to the next node', async () => {
        const { rpc, bodies } = client([refusing(error, ['eth_gasPrice']), good]);
        expect(
          await Promise.all([rpc.call('eth_gasPrice'), rpc.call('eth_getBalance', '0x', 'latest')]),
        ).to.deep.equal(['0x77359400', '0xde0b6b3a7640000']);
        expect([bodies[1]!.body].flat().map(({ method }) => method)).to.deep.equal([
          'eth_chainId',
          'eth_gasPrice',
        ]);
      });

      it('is never the chain’s word: not a revert, not a network without base fees', async () => {
        const only = client([refusing(error)]).rpc;
        const refused = await failure(only.call('eth_getBalance', '0x', 'latest'));
        expect(refused).to.be.instanceOf(ConnectError);
        expect(refused.code).to.equal('node.unreachable');
        const trial = await estimate(only, { from: '0x', value: '0x0' }).catch(() => ({}));
        expect(trial).to.not.have.property('willFail', message);
        expect(Object.values(trial).filter(Boolean)).to.deep.equal([]);
        const half = client([refusing(error, ['eth_feeHistory', 'eth_maxPriorityFeePerGas'])]).rpc;
        expect((await failure(readFees(half, ETHEREUM))).code).to.equal('node.unreachable');
        const both = client([refusing(error, ['eth_feeHistory']), good]).rpc;
        expect(feesOf(await readFees(both, ETHEREUM)).type).to.equal(2);
      });
    });

  for (const [code, message, data] of [
    [3, 'execution reverted: too many requests', undefined],
    [-32000, 'execution reverted: rate limit exceeded', undefined],
    [-32015, 'VM execution error.', undefined],
    [-32000, 'whatever', '0x08c379a0'],
    [-32000, 'gas required exceeds allowance (21000)', undefined],
    [-32000, 'insufficient funds for transfer', undefined],
    [-32602, 'invalid argument 0', undefined],
    [-32601, 'the method eth_call does not exist/is not available', undefined],
    [-32005, 'query returned more than 10000 results', undefined],
  ] as const)
    it(`“${message}” (${code}) is an answer: no other node is asked`, async () => {
      const { rpc, bodies } = client([refusing({ code, message, ...(data && { data }) }), good]);
      expect(await failure(rpc.call('eth_call', {}))).to.be.instanceOf(RpcError);
      expect(bodies).to.have.length(1);
    });

  it('gets the answers of calls that belong together from one node', async () => {
    const block =
      (number: string): Reply =>
      (body) =>
        [body].flat().map((call) => ({
          ...answerOf(call, { ...QUIET, eth_blockNumber: number, eth_getLogs: [number] }),
        }));
    const behind = block('0x1');
    const ahead: Reply = (body, init, url) =>
      (block('0x2')(body, init, url) as Asked[]).map((answer, i) =>
        [body].flat()[i]!.method === 'eth_getLogs'
          ? { id: answer.id, error: { code: -32603, message: 'Internal error' } }
          : answer,
      );
    const { rpc, bodies } = client([ahead, behind]);
    const both = () => Promise.all([rpc.call('eth_blockNumber'), rpc.call('eth_getLogs', {})]);
    expect(await rpc.fromOneNode(both)).to.deep.equal(['0x1', ['0x1']]);
    expect(bodies).to.have.length(2);
  });

  it('believes the one node that has the chain’s word', async () => {
    const { rpc } = client([
      refusing({ code: -32603, message: 'Internal error' }),
      refusing({ code: 3, message: 'execution reverted: closed' }),
    ]);
    expect((await failure(rpc.call('eth_call', {}))).message).to.equal('execution reverted: closed');
  });

  for (const [name, says] of [
    [
      'call by call',
      (calls) =>
        calls.map(({ id }) => ({
          id,
          error: { code: 31, message: 'Batch of more than 3 requests are not allowed on free tier' },
        })),
    ],
    ['with HTTP 413', () => new Response('<h1>Payload Too Large</h1>', { status: 413 })],
    [
      'with one object',
      () => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no such batch' } }),
    ],
    [
      'with a list of one',
      ([first]) => [{ jsonrpc: '2.0', id: first!.id, error: { code: -32600, message: 'batch too large' } }],
    ],
    ['by answering the first three', (_, answers) => answers.slice(0, 3)],
    ['by ending in the middle', (_, answers) => JSON.stringify(answers).slice(0, 200)],
  ] as [string, (calls: Asked[], answers: unknown[]) => unknown][])
    it(`sends smaller batches to a node that refuses large ones ${name}, and remembers it`, async () => {
      const { rpc, another, bodies } = client([limited(3, says)]);
      const ask = (node: JsonRpc) => Promise.all(Array.from({ length: 10 }, () => node.call('eth_gasPrice')));
      expect(new Set(await ask(rpc))).to.deep.equal(new Set(['0x77359400']));
      const sizes = () => bodies.map(({ body }) => [body].flat().length);
      expect(sizes().some((size) => size > 3)).to.equal(true);
      bodies.length = 0;
      expect(await ask(rpc)).to.have.length(10);
      expect(await ask(another())).to.have.length(10);
      expect(Math.max(...sizes())).to.be.within(1, 3);
    });

  it('goes to the next node with what it is not even told one by one', async () => {
    const mute: Reply = (body) =>
      Array.isArray(body) ? {} : body.method === 'eth_chainId' ? answerOf(body, QUIET) : {};
    const { rpc } = client([mute, good]);
    expect(await Promise.all([rpc.call('eth_gasPrice'), rpc.call('eth_gasPrice')])).to.deep.equal([
      '0x77359400',
      '0x77359400',
    ]);
    expect(rpc.host).to.equal('node1.example');
  });

  it('does not halve a batch that is refused for a limit', async () => {
    const { rpc, bodies } = client([
      () => ({ jsonrpc: '2.0', id: null, error: { code: 429, message: 'capacity limit exceeded' } }),
      good,
    ]);
    await Promise.all([rpc.call('eth_gasPrice'), rpc.call('eth_gasPrice')]);
    expect(bodies.map(({ url }) => url)).to.deep.equal(['http://node0.example', 'http://node1.example']);
  });

  describe('a node that rests', () => {
    const over =
      (headers: HeadersInit = {}): Reply =>
      () =>
        new Response('{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"over"}}', { headers });
    /** The node that is asked first by a client made at that time, after one was over its limit. */
    async function firstAt(ms: number, reply: Reply, others: Reply[] = [good]): Promise<string> {
      let time = 0;
      const { rpc, another, bodies } = client([reply, ...others], () => time);
      await rpc.call('eth_gasPrice').catch(() => {});
      bodies.length = 0;
      time = ms;
      await another()
        .call('eth_gasPrice')
        .catch(() => {});
      return new URL(bodies[0]!.url).host;
    }

    it('is left out by every client until its time is over', async () => {
      expect(await firstAt(14_000, over())).to.equal('node1.example');
      expect(await firstAt(16_000, over())).to.equal('node0.example');
      expect(await firstAt(14_000, down)).to.equal('node1.example');
    });

    it('rests for as long as it says, within limits', async () => {
      expect(await firstAt(89_000, over({ 'retry-after': '90' }))).to.equal('node1.example');
      expect(await firstAt(91_000, over({ 'retry-after': '90' }))).to.equal('node0.example');
      const date = new Date(Date.now() + 90_000).toUTCString();
      expect(await firstAt(80_000, over({ 'retry-after': date }))).to.equal('node1.example');
      expect(await firstAt(601_000, over({ 'retry-after': '86400' }))).to.equal('node0.example');
    });

    it('is asked if no other node is left', async () => {
      expect(await firstAt(1_000, over(), [])).to.equal('node0.example');
      expect(await firstAt(1_000, over(), [over()])).to.equal('node0.example');
    });

    it('is not one that has its own view of a single call', async () => {
      expect(await firstAt(0, refusing({ code: -32603, message: 'Internal error' }))).to.equal(
        'node0.example',
      );
    });
  });
});
