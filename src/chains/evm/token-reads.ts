/** Reads about a call's tokens, in one batch with the rest. */
import type { Node } from '../terms.ts';
import type { Coin } from '../coin.ts';
import type { TokenQuestion } from '../contracts/deeds.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';
import { readTokenFacts } from '../contracts/token-reads.ts';
import { readCode, readSymbol, readTokenBalance, readWord } from './node.ts';

export function readTokens(
  node: Node,
  questions: readonly TokenQuestion[],
  owner: string,
  coin: Coin,
): Promise<TokenFacts[]> {
  const reads = {
    network: node.network,
    coin,
    word: (contract: string, data: string) => readWord(node, contract, data),
    balance: (token: string, of: string) => readTokenBalance(node, token, of),
    symbol: (token: string) => readSymbol(node, token),
    hasCode: (address: string) => hasCode(node, address),
  };
  return Promise.all(questions.map((question) => readTokenFacts(reads, question, owner)));
}

/** Undefined where the node does not say. */
export function hasCode(node: Node, address: string): Promise<boolean | undefined> {
  return readCode(node, address).then(
    (code) => code !== '0x',
    () => undefined,
  );
}
