/** What the node says about the tokens of a call, and about who may take them: on all chains the same questions, asked at once. */
import type { Coin } from '../coin.ts';
import type { Network } from '../network.ts';
import type { TokenQuestion } from './deeds.ts';
import { claimOf, listedToken } from './listed-token.ts';
import {
  allowance,
  DECIMALS,
  ITEM_INTERFACES,
  ownerOf,
  supportsInterface,
  TOTAL_SUPPLY,
} from './token-calls.ts';
import { type Holding, type TokenFacts, unlistedLabel } from './token-facts.ts';

/** How a chain reads contracts. Addresses are as the chain writes them. */
export interface ContractReads {
  network: Network;
  coin: Coin;
  /** The one uint256 that the call answers; undefined if it answers none. */
  word(contract: string, data: string): Promise<bigint | undefined>;
  balance(token: string, owner: string): Promise<bigint | undefined>;
  symbol(token: string): Promise<string | undefined>;
  /** Undefined if the node does not say. */
  hasCode(address: string): Promise<boolean | undefined>;
  /** As Solidity writes it, where the chain does not. */
  hex?(address: string): string;
}

export async function readTokenFacts(
  reads: ContractReads,
  question: TokenQuestion,
  owner: string,
): Promise<TokenFacts> {
  const { address, itemId, spenders, takers, owners, supply: asked } = question;
  const { network, coin } = reads;
  const listed = listedToken(network.tokens, address);
  const others = owners.filter((one) => one.owner.toLowerCase() !== owner.toLowerCase());
  const [holding, symbol, decimals, item, supply, coded, holdings] = await Promise.all([
    readHolding(reads, address, { owner, spenders }),
    listed ? undefined : reads.symbol(address),
    listed ? undefined : reads.word(address, DECIMALS),
    !listed && itemId !== undefined ? isItem(reads, address, itemId) : false,
    asked ? reads.word(address, TOTAL_SUPPLY) : undefined,
    Promise.all(takers.map((taker) => reads.hasCode(taker))),
    Promise.all(
      others.map(async (one) => [one.owner.toLowerCase(), await readHolding(reads, address, one)] as const),
    ),
  ]);
  const persons = takers.filter((_, i) => coded[i] === false);
  return {
    address: listed?.address ?? address,
    ...(listed ? { symbol: listed.symbol } : unlistedLabel(symbol, address, [coin, ...network.tokens])),
    decimals: listed?.decimals ?? null,
    ...claimOf(decimals),
    ...holding,
    ...(item && { item }),
    ...(supply !== undefined && { supply }),
    ...(persons.length > 0 && { persons: persons.map((person) => person.toLowerCase()) }),
    ...(holdings.length > 0 && { owners: Object.fromEntries(holdings) }),
  };
}

async function readHolding(
  { balance, word, hex = (same) => same }: ContractReads,
  token: string,
  { owner, spenders }: { owner: string; spenders: readonly string[] },
): Promise<Holding> {
  const [held, allowed] = await Promise.all([
    balance(token, owner),
    Promise.all(spenders.map((spender) => word(token, allowance(hex(owner), hex(spender))))),
  ]);
  return {
    balance: held,
    ...(spenders.length > 0 && { allowances: byAddress(spenders, allowed) }),
  };
}

/** Whether it is a collection: by the operator's list, by ERC-165, or because the id has an owner, which those older than ERC-165 tell, too. */
async function isItem({ network, word }: ContractReads, contract: string, id: bigint): Promise<boolean> {
  const { nonFungibles = [] } = network;
  if (nonFungibles.some(({ address }) => address.toLowerCase() === contract.toLowerCase())) return true;
  const [item, nothing, owner] = await Promise.all(
    [...ITEM_INTERFACES.map(supportsInterface), ownerOf(id)].map((data) => word(contract, data)),
  );
  return (item === 1n && nothing === 0n) || (owner !== undefined && isAddress(owner));
}

/** Smaller numbers are what contracts answer that answer everything. */
function isAddress(word: bigint): boolean {
  return word >= 1n << 96n && word < 1n << 160n;
}

function byAddress(
  spenders: readonly string[],
  allowed: readonly (bigint | undefined)[],
): Record<string, bigint> {
  return Object.fromEntries(
    spenders.flatMap((spender, i) => {
      const amount = allowed[i];
      return amount === undefined ? [] : [[spender.toLowerCase(), amount]];
    }),
  );
}
