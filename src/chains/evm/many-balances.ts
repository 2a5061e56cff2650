/** Balances of more tokens than fit in one batch: most wallets never need it, so it is loaded on demand. */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { rpcErrorIn } from './rpc-error.ts';
import type { Token } from '../network.ts';
import { balancesIn, balancesProgram, TOKENS_AT_ONCE } from '../contracts/balances-program.ts';
import { bytes, tolerant } from './node.ts';

/** One call for hundreds of tokens. Undefined if the node does not run the program: then each is asked. */
export async function manyBalances(
  owner: string,
  tokens: readonly Token[],
  node: Node,
): Promise<(bigint | undefined)[] | undefined> {
  const parts = Array.from({ length: Math.ceil(tokens.length / TOKENS_AT_ONCE) }, (_, i) =>
    tokens.slice(i * TOKENS_AT_ONCE, (i + 1) * TOKENS_AT_ONCE).map((token) => token.address),
  );
  const answers = await Promise.all(
    parts.map((part) =>
      tolerant(rpcOf(node).call('eth_call', { data: balancesProgram(owner, part) }, 'latest'), (answer) =>
        balancesIn(bytes(answer), part.length),
      ).catch((error: unknown) => {
        // Each node has its own words for a call without a contract.
        if (!rpcErrorIn(error)) throw error;
      }),
    ),
  );
  return answers.every((answer) => answer !== undefined) ? answers.flat() : undefined;
}
