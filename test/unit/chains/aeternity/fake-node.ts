/** A fake Aeternity node: answers by path, and records requests. */
import { nodeOf } from '../../../../src/chains/aeternity/node.ts';
import type { Network } from '../../../../src/chains/network.ts';

export const NETWORK: Network = {
  id: 'aeternity-local',
  secretType: 'AETERNITY',
  name: 'Local Aeternity',
  kind: 'local',
  genesis: 'ae_local',
  nodes: ['http://one.example'],
  tokens: [],
};

/** By path without `/v3`. Text and objects are bodies with status 200; use `refusal` for others. */
export type Answers = Record<string, unknown>;

export const refusal = (status: number, body: object | string) => new Response(textOf(body), { status });

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

/** The wallet `me` holds 5 coins and has sent 3 transactions; none is pending. */
export const quiet = (me: string): Answers => ({
  '/status': { network_id: 'ae_local' },
  [`/accounts/${me}`]: `{"id":"${me}","balance":5000000000000000000,"nonce":3,"payable":true,"kind":"basic"}`,
  [`/accounts/${me}/next-nonce`]: { next_nonce: 4 },
  [`/accounts/${me}/transactions/pending`]: { transactions: [] },
  '/recent-gas-prices': [{ minutes: 1, min_gas_price: 0, utilization: 0 }],
  '/key-blocks/current/height': { height: 1000 },
});

export function fakeNode(answers: Answers, network: Network = NETWORK) {
  const asked: string[] = [];
  const posted: string[] = [];
  const node = nodeOf(network, {
    fetch: async (url, init) => {
      const { pathname, host } = new URL(String(url));
      const path = pathname.replace('/v3', '');
      asked.push(path);
      if (init?.method === 'POST') posted.push(String(init.body));
      const answer = answers[`${host}${path}`] ?? answers[path];
      if (answer instanceof Response) return answer.clone();
      return answer === undefined
        ? refusal(404, {
            reason: path.startsWith('/transactions') ? 'Transaction not found' : 'Account not found',
          })
        : new Response(textOf(answer));
    },
  });
  return { node, asked, posted };
}
