/** A fake JSON-RPC node: answers by method, and records requests. */
import { JsonRpc } from '../../../src/chains/evm/json-rpc.ts';
import type { Network } from '../../../src/chains/network.ts';

export interface Asked {
  id: number;
  method: string;
  params: any[];
}
/** A value is the result; a function gets the call; an `Error` becomes a JSON-RPC error with its message. */
export type Answers = Record<string, unknown>;

export const NETWORK: Network = {
  id: 'ethereum-local',
  secretType: 'ETHEREUM',
  name: 'Local Ethereum',
  kind: 'local',
  chainId: 31337,
  nodes: ['http://one.example'],
  tokens: [],
};

export const QUIET: Answers = {
  eth_chainId: '0x7a69',
  eth_getTransactionCount: '0x5',
  eth_feeHistory: { baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'], reward: [['0x1']] },
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_gasPrice: '0x77359400',
  eth_getBalance: '0xde0b6b3a7640000',
  eth_getCode: '0x',
  eth_estimateGas: '0x5208',
  eth_call: new Error('execution reverted'),
};

export function answerOf(call: Asked, answers: Answers): Record<string, unknown> {
  const id = call.id;
  let answer = answers[call.method];
  if (typeof answer === 'function') answer = answer(call);
  if (answer === undefined)
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } };
  if (answer instanceof Error)
    return {
      jsonrpc: '2.0',
      id,
      error: {
        code: (answer as { code?: number }).code ?? 3,
        message: answer.message,
        ...(answer.cause ? { data: answer.cause } : {}),
      },
    };
  return { jsonrpc: '2.0', id, result: answer };
}

/** `requests` has the methods of each HTTP request. */
export function fakeNode(answers: Answers, network: Network = NETWORK) {
  const requests: string[][] = [];
  const node = new JsonRpc(network, {
    fetch: async (_url, init) => {
      const body = JSON.parse(String(init?.body)) as Asked | Asked[];
      requests.push([body].flat().map((call) => call.method));
      const answer = Array.isArray(body)
        ? body.map((call) => answerOf(call, answers))
        : answerOf(body, answers);
      return new Response(JSON.stringify(answer));
    },
  });
  return { node, requests };
}
