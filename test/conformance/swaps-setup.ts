/** A local Ethereum with exchanges and a wallet, and functions to carry out swaps. */
import {
  Contract,
  getBytes,
  Interface,
  JsonRpcProvider,
  keccak256,
  parseEther,
  toBeHex,
  Wallet,
} from 'ethers';
import { type Account, anvilAccount } from '../../demo/networks/exchanges/account.ts';
import {
  type DeployedV3,
  deployToken,
  deployV2,
  deployV3,
  deployWrapped,
} from '../../demo/networks/exchanges/contracts.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { ChainRequest, Node } from '../../src/chains/terms.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import { JsonRpc } from '../../src/chains/evm/json-rpc.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import type { ExchangeEntry } from '../../src/swaps/entry.ts';
import { poll } from '../waiting.ts';
import { type Anvil, receiptOf, startAnvil } from './anvil.ts';

export const PLENTY = 10n ** 30n;

export interface Market {
  anvil: Anvil;
  account: Account;
  network: Network;
  wrapped: string;
  v2: Extract<ExchangeEntry, { kind: 'uniswap-v2' }>;
  v3: DeployedV3;
  provider: JsonRpcProvider;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  stop(): Promise<void>;
}

/** `bases`: how many of the first tokens are bases. Token names contain the decimals. */
export async function startMarket(decimals: readonly number[], bases = 1): Promise<Market> {
  const anvil = await startAnvil('--balance', '1000000000');
  const account = await anvilAccount(anvil.url, 0);
  const wrapped = await deployWrapped(account);
  const tokens: Token[] = [];
  for (const [i, digits] of decimals.entries()) {
    const token = { name: `Token ${i}`, symbol: `T${i}`, decimals: digits };
    tokens.push({
      ...token,
      address: await deployToken(account, { ...token, supply: PLENTY * 1000n }),
      logo: '',
    });
  }
  const over = { bases: tokens.slice(0, bases).map(({ address }) => address) };
  const v2 = await deployV2(account, wrapped, over);
  const v3 = await deployV3(account, wrapped, over);
  const { positions: _, ...entry } = v3;
  const network: Network = {
    id: 'test',
    secretType: 'ETHEREUM',
    name: 'Test',
    kind: 'local',
    chainId: 31337,
    nodes: [anvil.url],
    tokens,
    exchanges: [v2, entry],
  };
  const provider = new JsonRpcProvider(anvil.url, 31337, { staticNetwork: true, cacheTimeout: -1 });
  const wallet = Wallet.createRandom();
  await anvil.rpc('anvil_setBalance', wallet.address, toBeHex(parseEther('1000000')));
  await anvil.rpc('anvil_impersonateAccount', wallet.address);
  const chain = await loadChain('ETHEREUM');
  return {
    anvil,
    account,
    network,
    wrapped,
    v2,
    v3,
    provider,
    wallet: new Wallet(wallet.privateKey),
    chain,
    node: new JsonRpc(network),
    async stop() {
      provider.destroy();
      await anvil.stop();
    },
  };
}

export const ERC20 = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function transfer(address, uint256)',
  'function approve(address, uint256)',
]);

export const give = ({ account }: Market, token: string, to: string, amount: bigint): Promise<void> =>
  account.call(token, ERC20.encodeFunctionData('transfer', [to, amount]));

/** The balance of the coin if `token` is empty. */
export async function balanceOf({ provider }: Market, token: string, owner: string): Promise<bigint> {
  if (token === '') return provider.getBalance(owner);
  return (await new Contract(token, ERC20, provider).getFunction('balanceOf')(owner)) as bigint;
}

/** Carries out requests as the wallet's native actions do: filled in, signed and sent, each once the one before is mined. */
export async function carryOut(
  { chain, wallet, network, anvil }: Pick<Market, 'chain' | 'wallet' | 'network'> & Partial<Market>,
  requests: readonly ChainRequest[],
): Promise<void> {
  const payloads = await loadPayloads(network.secretType);
  const node = chain.node(network);
  for (const request of requests) {
    // A pool does more work at its first swap in a second of chain time. Simulations run in a later second, so the transaction has to as
    // well.
    await anvil?.rpc('evm_increaseTime', 1);
    await anvil?.rpc('evm_mine');
    const draft = await chain.prepare(payloads.parse(request), wallet.address, node, {
      used: [],
      own: [],
      reported: [],
    });
    const warned = (await chain.describe(draft)).warnings.find(({ code }) => code === 'will-fail');
    if (warned) throw new Error(`The approval says that it will fail: ${JSON.stringify(warned.params)}`);
    const hash = await chain.broadcast(await chain.sign(draft, getBytes(wallet.privateKey)), node);
    const mined = async (): Promise<boolean> => {
      const state = await chain.status(hash, node);
      if (state === 'failed') throw new Error(`${hash} failed`);
      return state === 'confirmed';
    };
    await poll(mined, `${hash} in a block`);
  }
}

/** The same, faster and without fees: anvil needs no signature. */
export async function send(
  { anvil, wallet }: Market,
  requests: readonly ChainRequest[],
  from = wallet.address,
): Promise<void> {
  const payloads = await loadPayloads('ETHEREUM');
  for (const request of requests) {
    const { to, value, data } = payloads.parse(request) as unknown as {
      to: string;
      value: bigint;
      data: string;
    };
    const hash = (await anvil.rpc('eth_sendTransaction', {
      from,
      to,
      value: toBeHex(value),
      data,
      gas: '0x7a1200',
    })) as string;
    if ((await receiptOf(anvil, hash)).status !== '0x1')
      throw new Error(`${data.slice(0, 10)} at ${to} failed`);
  }
}

/** Sets an account's balance in OpenZeppelin's ERC-20 storage. */
export function setBalance(
  { anvil }: Market,
  token: string,
  owner: string,
  amount: bigint,
): Promise<unknown> {
  const slot = keccak256(`0x${owner.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`);
  return anvil.rpc('anvil_setStorageAt', token, slot, toBeHex(amount, 32));
}

/** Random numbers in [0, 1), the same in every run (mulberry32). */
export function randomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A small assembler: instructions as hex, `:name` for a jump destination, `@name` for its address. */
function assemble(source: string): string {
  const words = source.trim().split(/\s+/);
  const places = new Map<string, number>();
  let at = 0;
  for (const word of words) {
    if (word.startsWith(':')) places.set(word.slice(1), at++);
    else at += word.startsWith('@') ? 3 : word.length / 2;
  }
  return `0x${words
    .map((word) => {
      if (word.startsWith(':')) return '5b';
      if (word.startsWith('@')) return `61${places.get(word.slice(1))!.toString(16).padStart(4, '0')}`;
      return word;
    })
    .join('')}`;
}

/**
 * Makes a token behave like USDT: `transfer`, `transferFrom` and `approve` return nothing, and an allowance can only be changed to or from
 * 0. Its storage stays; its code moves to another address and is run by delegatecall.
 */
export async function likeTether({ anvil }: { anvil: Pick<Anvil, 'rpc'> }, token: string): Promise<void> {
  const code = `0x${'7e7e'.repeat(10)}`;
  await anvil.rpc('anvil_setCode', code, await anvil.rpc('eth_getCode', token, 'latest'));
  const own = code.slice(2);
  await anvil.rpc(
    'anvil_setCode',
    token,
    assemble(`
      6000 35 60e0 1c 63095ea7b3 14 15 @pass 57
      6024 35 15 @pass 57
      63dd62ed3e 60e0 1b 6000 52 33 6004 52 6004 35 6024 52
      6020 6000 6044 6000 73${own} 5a f4 50
      6000 51 15 @pass 57
      6000 6000 fd
      :pass 36 6000 6000 37
      6000 6000 36 6000 73${own} 5a f4
      3d 6000 6000 3e
      @fine 57 3d 6000 fd
      :fine 6000 35 60e0 1c
      80 63a9059cbb 14 @empty 57
      80 6323b872dd 14 @empty 57
      63095ea7b3 14 @empty 57
      3d 6000 f3
      :empty 6000 6000 f3`),
  );
}
