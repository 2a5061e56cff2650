import { expect } from '@open-wc/testing';
import { JsonRpc, RpcError } from '../../../src/chains/evm/json-rpc.ts';
import { ConnectError } from '../../../src/errors.ts';
import { answerOf, type Asked, NETWORK, QUIET } from './fake-node.ts';

type Reply = (calls: Asked | Asked[], init: RequestInit, url: string) => unknown;

const good: Reply = (body) =>
  Array.isArray(body) ? body.map((call) => answerOf(call, QUIET)) : answerOf(body, QUIET);

/** A client of nodes that give these replies in order; a string is sent as the raw body. */
function client(replies: Reply[]) {
  const nodes = replies.map((_, i) => `http://node${i}.example`);
  const bodies: { url: string; body: Asked | Asked[]; init: RequestInit }[] = [];
  const rpc = new JsonRpc(
    { ...NETWORK, nodes },
    {
      fetch: async (url, init) => {
        const body = JSON.parse(String(init!.body));
        bodies.push({ url: String(url), body, init: init! });
        const reply = await replies[nodes.indexOf(String(url))]!(body, init!, String(url));
        if (reply instanceof Response) return reply;
        return new Response(typeof reply === 'string' ? reply : JSON.stringify(reply));
      },
    },
  );
  return { rpc, bodies };
}
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
});
