/** A fake node: answers by method and path, and records requests. */
import type { Network } from '../../../../src/chains/network.ts';
import { nodeOf } from '../../../../src/chains/vechain/node.ts';

export const GENESIS = `0x00000000${'ab'.repeat(27)}4a`;
export const NETWORK: Network = {
  id: 'vechain-local',
  secretType: 'VECHAIN',
  name: 'Local VeChain',
  kind: 'local',
  genesis: GENESIS,
  nodes: ['http://one.example'],
  tokens: [],
};

export interface Call {
  caller: string;
  clauses: { to: string | null; value: string; data: string }[];
}
/** By `GET /path` without its query. A value is sent as JSON; a function gets the body; `Refusal` is sent as text. */
export type Answers = Record<string, unknown>;
export class Refusal {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {}
}

export const word = (n: bigint | number) => `0x${BigInt(n).toString(16).padStart(64, '0')}`;
export const output = (more: object = {}) => ({
  data: '0x',
  events: [],
  transfers: [],
  gasUsed: 0,
  reverted: false,
  vmError: '',
  ...more,
});

/** `symbol()`, `decimals()`, `balanceOf()`, `Params.get()`, and plain transfers that work. */
export function simulated({ clauses }: Call): unknown[] {
  return clauses.map(({ data }) => {
    if (data.startsWith('0x8eaa6ac0')) return output({ data: word(10n ** 15n), gasUsed: 500 });
    if (data.startsWith('0x70a08231')) return output({ data: word(1_000_000_000), gasUsed: 500 });
    if (data.startsWith('0x313ce567')) return output({ data: word(6), gasUsed: 200 });
    if (data.startsWith('0x95d89b41') || data.startsWith('0x06fdde03'))
      return output({ data: `${word(32)}${word(4).slice(2)}${'504c4159'.padEnd(64, '0')}`, gasUsed: 800 });
    return output({ gasUsed: data === '0x' ? 0 : 20_000 });
  });
}

export const QUIET: Answers = {
  'GET /blocks/0': { id: GENESIS },
  'GET /blocks/best': {
    number: 1000,
    id: `0x000003e8${'cd'.repeat(28)}`,
    timestamp: 1_700_000_000,
    gasLimit: 40_000_000,
    gasUsed: 0,
    txsFeatures: 1,
    baseFeePerGas: '0x9184e72a000',
  },
  'GET /accounts': { balance: '0xde0b6b3a7640000', energy: '0x56bc75e2d63100000', hasCode: false },
  'GET /fees/priority': { maxPriorityFeePerGas: '0x746a528800' },
  'POST /accounts/*': simulated,
};

export function fakeNode(answers: Answers, network: Network = NETWORK) {
  const requests: string[] = [];
  const node = nodeOf(network, {
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const method = init?.method ?? 'GET';
      requests.push(`${method} ${pathname}${search}`);
      const key = `${method} ${pathname}`;
      const found = Object.keys(answers)
        .filter((path) => key === path || key.startsWith(`${path}/`))
        .sort((one, other) => other.length - one.length)[0];
      let answer = found === undefined ? new Refusal(404, '404 page not found') : answers[found];
      if (typeof answer === 'function')
        answer = answer(init?.body ? JSON.parse(String(init.body)) : undefined);
      return answer instanceof Refusal
        ? new Response(`${answer.text}\n`, { status: answer.status })
        : new Response(JSON.stringify(answer));
    },
  });
  return { node, requests };
}
