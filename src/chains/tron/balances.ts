import type { NativeBalance, TokenBalance } from '../answers.ts';
import { eachBalance, tokenBalance } from '../contracts/token-balances.ts';
import { nativeBalance } from '../nodes/balances.ts';
import type { Node } from '../terms.ts';
import type { Token } from '../network.ts';
import { COIN } from './draft.ts';
import { isAssetId } from './fields.ts';
import { readShownBalance, tryCall } from './contract-reads.ts';
import { readAccount } from './node.ts';
import { toEvm } from './address.ts';

/** An address without an account has 0. */
export async function balance(address: string, node: Node): Promise<NativeBalance> {
  return nativeBalance('TRON', COIN, (await readAccount(node, address)).balance);
}

/** One round trip. The account lists every TRC-10 balance. */
export async function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
): Promise<TokenBalance[]> {
  const contracts = tokens.map((token) => token.address).filter((token) => !isAssetId(token));
  const account = contracts.length < tokens.length ? readAccount(node, address) : undefined;
  const balances = contractBalances(address, contracts, node);
  return eachBalance(tokens, async (token) =>
    isAssetId(token.address)
      ? tokenBalance(token, (await account)?.assets[token.address], 'TRC10')
      : tokenBalance(token, (await balances).get(token.address), 'TRC20'),
  );
}

async function contractBalances(
  owner: string,
  contracts: readonly string[],
  node: Node,
): Promise<ReadonlyMap<string, bigint | undefined>> {
  if (contracts.length > 1) return manyBalances(owner, contracts, node);
  const [token] = contracts;
  return new Map(token === undefined ? [] : [[token, await readShownBalance(node, token, owner)]]);
}

/** Per simulation: nodes allow less than a second. */
const AT_ONCE = 100;

/** Concurrent requests, if each token takes one. */
const SINGLE_AT_ONCE = 10;

/**
 * A full node has no call for several tokens, so a program reads them, in a simulated contract creation: one request per hundred. A node
 * without such simulations is asked for each token.
 */
async function manyBalances(
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
