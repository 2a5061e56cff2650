/**
 * Balances of several tokens. A full node has no call for that, so a program reads them, in a simulated
 * contract creation.
 */
import type { Node } from '../terms.ts';
import { toEvm } from './address.ts';
import { readShownBalance, tryCall } from './contract-reads.ts';

/** Per simulation: nodes allow less than a second. */
const AT_ONCE = 100;

/** Concurrent requests, if each token takes one. */
const SINGLE_AT_ONCE = 10;

/** One request per hundred tokens. A node without such simulations is asked for each token. */
export async function manyBalances(
  owner: string,
  tokens: readonly string[],
  node: Node,
): Promise<Map<string, bigint | undefined>> {
  const { balancesIn, balancesProgram } = await import('../contracts/balances-program.ts');
  const balances = new Map<string, bigint | undefined>();
  await Promise.all(
    slices(tokens, AT_ONCE).map(async (some) => {
      const data = balancesProgram(toEvm(owner), some.map(toEvm));
      const { returned } = await tryCall(node, { from: owner, to: null, data });
      const all = returned ? balancesIn(returned, some.length) : undefined;
      if (all) for (const [i, token] of some.entries()) balances.set(token, all[i]);
    }),
  );
  const missing = tokens.filter((token) => !balances.has(token));
  for (const some of slices(missing, SINGLE_AT_ONCE))
    await Promise.all(
      some.map(async (token) => balances.set(token, await readShownBalance(node, token, owner))),
    );
  return balances;
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
