import { expect } from '@open-wc/testing';
import type { Network } from '../../../src/chains/network.ts';
import { JsonRpc } from '../../../src/chains/evm/json-rpc.ts';
import { Rest } from '../../../src/chains/nodes/rest.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { evmCaller } from '../../../src/swaps/evm-caller.ts';
import { vechainCaller } from '../../../src/swaps/vechain-caller.ts';

const network = (other: Partial<Network> = {}): Network => ({
  id: 'test',
  secretType: 'ETHEREUM',
  name: 'Test',
  kind: 'local',
  chainId: 1,
  nodes: ['http://node.test'],
  tokens: [],
  ...other,
});
const ONE = `0x${'1'.padStart(64, '0')}`;
const call = (data: string) => ({ to: `0x${'a'.repeat(40)}`, data });
/** `Error(string)` with “no”. */
const NO = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;

interface Rpc {
  id: number;
  method: string;
  params: [{ to: string; data: string }];
}

/** A node that answers each call by itself; `bodies` records the requests. */
function evmNode(answer: (call: Rpc) => object, other: Partial<Network> = {}) {
  const bodies: Rpc[][] = [];
  const node = new JsonRpc(network(other), {
    fetch: async (_, init) => {
      const calls = [JSON.parse(String(init!.body))].flat() as Rpc[];
      bodies.push(calls);
      const answers = calls.map((call) => ({
        jsonrpc: '2.0',
        id: call.id,
        ...(call.method === 'eth_chainId' ? { result: '0x1' } : answer(call)),
      }));
      return new Response(JSON.stringify(answers.length === 1 ? answers[0] : answers));
    },
  });
  return { node, bodies };
}

describe('calls of contracts over JSON-RPC', () => {
  it('are sent as one batch, and one that fails is undefined', async () => {
    const { node, bodies } = evmNode(({ params: [{ data }] }) =>
      data === '0x01'
        ? { error: { code: 3, message: 'execution reverted' } }
        : { result: data === '0x02' ? '0x' : ONE },
    );
    expect(
      await evmCaller(node).read([call('0x00'), call('0x01'), call('0x02'), call('0x03')]),
    ).to.deep.equal([ONE, undefined, undefined, ONE]);
    expect(bodies.length).to.equal(1);
  });

  it('are made one by one without a multicall contract', async () => {
    const multicall = `0x${'c'.repeat(40)}`;
    const { node, bodies } = evmNode(({ params: [{ to }] }) => ({ result: to === multicall ? '0x' : ONE }), {
      multicall,
    });
    expect(await evmCaller(node).read([call('0x00'), call('0x01')])).to.deep.equal([ONE, ONE]);
    expect(bodies.length).to.equal(2);
  });

  it('fail when no node answers', async () => {
    const node = new JsonRpc(network(), { fetch: () => Promise.reject(new Error('cut')) });
    const error = await evmCaller(node)
      .read([call('0x00')])
      .catch((caught: unknown) => caught);
    expect((error as ConnectError).code).to.equal('node.unreachable');
  });

  it('say why a call failed, even on a chain that returns a revert as a success', async () => {
    const step = { ...call('0x00'), value: 0n };
    const from = `0x${'b'.repeat(40)}`;
    const gochain = evmNode(({ method }) =>
      method === 'eth_call'
        ? { result: '0x' }
        : { error: { code: -32000, message: 'always failing transaction' } },
    );
    expect(await evmCaller(gochain.node).attempt(from, step)).to.deep.equal({
      failed: 'always failing transaction',
    });
    const revert = evmNode(({ method }) => ({ result: method === 'eth_call' ? NO : '0x5208' }));
    expect(await evmCaller(revert.node).attempt(from, step)).to.deep.equal({ failed: 'no' });
    const fine = evmNode(({ method }) => ({ result: method === 'eth_call' ? ONE : '0x5208' }));
    expect(await evmCaller(fine.node).attempt(from, step)).to.deep.equal({ data: ONE });
  });

  it('have no simulation if the node has none, and say when the balance is too low', async () => {
    const steps = [{ ...call('0x00'), value: 5n }];
    const none = evmNode(() => ({ error: { code: -32601, message: 'the method does not exist' } }));
    expect(await evmCaller(none.node).trial('0x', steps)).to.equal(undefined);
    const odd = evmNode(() => ({ result: { calls: 1 } }));
    expect(await evmCaller(odd.node).trial('0x', steps)).to.equal(undefined);
    const short = evmNode(() => ({
      error: { code: -38014, message: 'insufficient funds for gas * price + value' },
    }));
    const error = await evmCaller(short.node)
      .trial('0x', steps)
      .catch((caught: unknown) => caught);
    expect((error as ConnectError).code).to.equal('transaction.insufficient-funds');
  });
});

describe('calls of contracts over Thor', () => {
  const answers = { data: ONE, reverted: false, vmError: '' };
  const fails = { data: NO, reverted: true, vmError: 'execution reverted' };
  /** Clauses with data 0x01 fail and end the run. */
  function thor() {
    let requests = 0;
    const node = new Rest(network({ secretType: 'VECHAIN' }), {
      fetch: async (_, init) => {
        requests++;
        const { clauses } = JSON.parse(String(init!.body)) as { clauses: { data: string }[] };
        const end = clauses.findIndex(({ data }) => data === '0x01');
        const run = clauses.slice(0, end < 0 ? undefined : end + 1);
        return new Response(JSON.stringify(run.map(({ data }) => (data === '0x01' ? fails : answers))));
      },
    });
    return { node, requests: () => requests };
  }

  it('are sent in one request, and those after a failed one are repeated together', async () => {
    const fine = thor();
    expect(await vechainCaller(fine.node).read([call('0x00'), call('0x02')])).to.deep.equal([ONE, ONE]);
    expect(fine.requests()).to.equal(1);
    const failing = thor();
    const calls = ['0x00', '0x01', '0x00', '0x01', '0x00'].map(call);
    expect(await vechainCaller(failing.node).read(calls)).to.deep.equal([
      ONE,
      undefined,
      ONE,
      undefined,
      ONE,
    ]);
    expect(failing.node.rounds).to.equal(2);
  });

  it('say what gas costs in the next block, and where blocks have no base fee', async () => {
    const price = (block: object) => {
      const id = `0x${'0a'.repeat(32)}`;
      const best = { id, timestamp: 1_700_000_000, gasLimit: 40_000_000, gasUsed: 30_000_000, ...block };
      const node = new Rest(network({ secretType: 'VECHAIN' }), {
        fetch: async (url) => {
          const { pathname } = new URL(String(url));
          if (pathname === '/blocks/best') return Response.json(best);
          if (pathname === '/fees/priority') return Response.json({ maxPriorityFeePerGas: '0x5' });
          return Response.json([
            {
              data: `0x${'7'.padStart(64, '0')}`,
              reverted: false,
              vmError: '',
              gasUsed: 1,
              events: [],
              transfers: [],
            },
          ]);
        },
      });
      return vechainCaller(node).gasPrice();
    };
    expect(await price({ baseFeePerGas: '0x9184e72a000' })).to.equal(10n ** 13n + 5n);
    expect(await price({})).to.equal(7n);
  });

  it('say why one failed', async () => {
    const { node } = thor();
    expect(await vechainCaller(node).attempt('0xAA', { ...call('0x01'), value: 0n })).to.deep.equal({
      failed: 'no',
    });
  });
});
