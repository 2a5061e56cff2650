/** Uniswap's contracts as published on npm, and tokens to swap. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AbiCoder, keccak256 } from 'ethers';
import type { ExchangeEntry } from '../../../src/swaps/entry.ts';
import type { Account } from './account.ts';

type V2 = Extract<ExchangeEntry, { kind: 'uniswap-v2' }>;
type V3 = Extract<ExchangeEntry, { kind: 'uniswap-v3' }>;

const require = createRequire(import.meta.url);

function codeOf(path: string): string {
  const { bytecode } = JSON.parse(readFileSync(require.resolve(path), 'utf8')) as { bytecode: string };
  return bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`;
}

function withArguments(code: string, types: string[], values: unknown[]): string {
  return code + AbiCoder.defaultAbiCoder().encode(types, values).slice(2);
}

/** The wrapped coin. */
export function deployWrapped(account: Account, decimals = 18): Promise<string> {
  const code = codeOf('@uniswap/v2-periphery/build/WETH9.json');
  // The constructor stores 18 beside what the slot has: OR, SWAP1, SSTORE, CALLVALUE.
  const [usual, own] = [18, decimals].map((digits) => `60${digits.toString(16).padStart(2, '0')}17905534`);
  return account.create(replaceOnce(code, usual!, own!));
}

/** The router derives pool addresses from the hash of their init code, which is compiled in: these two builds belong together. */
export async function deployV2(
  account: Account,
  wrapped: string,
  { name = 'Uniswap V2', petersburg = false, bases = [] as string[] } = {},
): Promise<V2> {
  const { factory, router } = petersburg ? beforeIstanbul() : published();
  const factoryAt = await account.create(withArguments(factory, ['address'], [account.address]));
  const routerAt = await account.create(withArguments(router, ['address', 'address'], [factoryAt, wrapped]));
  return { kind: 'uniswap-v2', name, factory: factoryAt, router: routerAt, wrapped, fee: 0.3, bases };
}

interface V2Code {
  pair: string;
  factory: string;
  router: string;
}

function published(): V2Code {
  return {
    pair: codeOf('@uniswap/v2-core/build/UniswapV2Pair.json'),
    factory: codeOf('@uniswap/v2-core/build/UniswapV2Factory.json'),
    router: codeOf('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
  };
}

/**
 * For chains before Istanbul (GoChain): a pool's constructor reads the chain id for its `permit`, and here gets its own address instead
 * (opcode ADDRESS for CHAINID). That changes the init code hash in the router.
 */
function beforeIstanbul(): V2Code {
  const { pair, factory, router } = published();
  // PUSH1 0x40, MLOAD, CHAINID, SWAP1, DUP1, PUSH1 0x52.
  const [withChainId, withAddress] = ['6040514690806052', '6040513090806052'];
  const changed = replaceOnce(pair, withChainId, withAddress);
  return {
    pair: changed,
    factory: replaceOnce(factory, withChainId, withAddress),
    router: router.replaceAll(keccak256(pair).slice(2), keccak256(changed).slice(2)),
  };
}

function replaceOnce(code: string, from: string, to: string): string {
  const parts = code.split(from);
  if (parts.length !== 2)
    throw new Error('This patch does not fit the installed version of Uniswap’s contracts.');
  return parts.join(to);
}

export interface DeployedV3 extends V3 {
  /** NonfungiblePositionManager, which creates and funds pools. */
  positions: string;
}

export async function deployV3(
  account: Account,
  wrapped: string,
  { name = 'Uniswap V3', bases = [] as string[] } = {},
): Promise<DeployedV3> {
  const factory = await account.create(
    codeOf('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  );
  const make = (path: string, ...others: string[]) =>
    account.create(
      withArguments(
        codeOf(`@uniswap/v3-periphery/artifacts/contracts/${path}.json`),
        [factory, wrapped, ...others].map(() => 'address'),
        [factory, wrapped, ...others],
      ),
    );
  return {
    kind: 'uniswap-v3',
    name,
    factory,
    router: await make('SwapRouter.sol/SwapRouter'),
    quoter: await make('lens/QuoterV2.sol/QuoterV2'),
    // No descriptor: the images of positions are not used here.
    positions: await make('NonfungiblePositionManager.sol/NonfungiblePositionManager', `0x${'0'.repeat(40)}`),
    wrapped,
    fees: [0.05, 0.3, 1],
    bases,
  };
}

/** OpenZeppelin's ERC-20. `decimals()` stores a `PUSH1 18` to memory, which occurs once in its code. The owner has the whole supply. */
export function deployToken(
  account: Account,
  { name, symbol, decimals, supply }: { name: string; symbol: string; decimals: number; supply: bigint },
): Promise<string> {
  const parts = codeOf('@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json').split(
    '60405160128152',
  );
  if (parts.length !== 2)
    throw new Error('This patch does not fit the installed version of OpenZeppelin’s ERC-20.');
  return account.create(
    withArguments(
      parts.join(`60405160${decimals.toString(16).padStart(2, '0')}8152`),
      ['string', 'string', 'uint256', 'address'],
      [name, symbol, supply, account.address],
    ),
  );
}

/** A token of 18 decimals that burns 1 % of every transfer. The owner has the whole supply. */
export function deployBurningToken(account: Account, supply: bigint): Promise<string> {
  return account.create(
    withArguments(codeOf('@uniswap/v2-periphery/build/DeflatingERC20.json'), ['uint256'], [supply]),
  );
}
