/** Reads about a call's tokens, in one batch with the rest. */
import type { Coin, Node } from '../chain.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { type TokenFacts, unlistedLabel } from '../contracts/token-facts.ts';
import { allowances, type TokenQuestion } from '../contracts/deeds.ts';
import { readAllowance, readIsItem, readSupply, readSymbol, readTokenBalance } from './node.ts';

export function readTokens(
  node: Node,
  questions: readonly TokenQuestion[],
  owner: string,
  coin: Coin,
): Promise<TokenFacts[]> {
  return Promise.all(questions.map((question) => readToken(node, question, owner, coin)));
}

async function readToken(
  node: Node,
  { address, kind, spenders, supply: asked }: TokenQuestion,
  owner: string,
  coin: Coin,
): Promise<TokenFacts> {
  const listed = listedToken(node.network.tokens, address);
  const [balance, symbol, item, supply, ...allowed] = await Promise.all([
    readTokenBalance(node, address, owner),
    listed ? undefined : readSymbol(node, address),
    !listed && kind ? readIsItem(node, address) : false,
    asked ? readSupply(node, address) : undefined,
    ...spenders.map((spender) => readAllowance(node, address, owner, spender)),
  ]);
  return {
    address: listed?.address ?? address,
    ...(listed ? { symbol: listed.symbol } : unlistedLabel(symbol, address, [coin, ...node.network.tokens])),
    decimals: listed?.decimals ?? null,
    balance,
    ...(item && { item }),
    ...(supply !== undefined && { supply }),
    ...(spenders.length > 0 && { allowances: allowances(spenders, allowed) }),
  };
}
