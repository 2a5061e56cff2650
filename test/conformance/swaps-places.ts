/** Local networks with their own exchanges, on which only the test trades. */
import { parseEther, toBeHex, Wallet } from 'ethers';
import { type Account, anvilAccount, machineAccount } from '../../demo/networks/exchanges/account.ts';
import { deployToken, deployV2, deployV3, deployWrapped } from '../../demo/networks/exchanges/contracts.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import type { LocalVechain } from '../../demo/networks/vechain.ts';
import type { ChainRequest } from '../../src/chains/terms.ts';
import { loadChain } from '../../src/chains/index.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import { DECIMALS, RandomMarket } from './swaps-random.ts';
import { carryOut, PLENTY } from './swaps-setup.ts';

const RICH = parseEther('1000000000');
const GOCHAIN_GAS_PRICE = 2_000_000_000_000n;

export type PlaceName = 'ETHEREUM' | 'GOCHAIN' | 'VECHAIN';

export interface Place {
  market: RandomMarket;
  /** The maximum fees of a swap, in the coin. */
  fee: bigint;
  carryOut(requests: ChainRequest[]): Promise<void>;
  close(): Promise<void>;
}

/** Creates `pools` pools, no two with the same tokens and fee, half of them V3's if the chain has it. */
export async function startPlace(secretType: PlaceName, pools: number, seed: number): Promise<Place> {
  const local = await (await LOCAL_NETWORKS[secretType]!.load())({ port: 0 });
  try {
    const account = await accountOn(local);
    const wrapped = await deployWrapped(account);
    const v2 = await deployV2(account, wrapped, { petersburg: secretType === 'GOCHAIN' });
    const v3 = secretType === 'GOCHAIN' ? undefined : await deployV3(account, wrapped);
    // With one kind of pool, 200 pools need more tokens than with two.
    const decimals = v3 ? DECIMALS : [...DECIMALS, ...DECIMALS.slice(0, 7)];
    const tokens: Token[] = [];
    for (const [i, digits] of decimals.entries()) {
      const token = { name: `Token ${i}`, symbol: `T${i}`, decimals: digits };
      const address = await deployToken(account, { ...token, supply: PLENTY * 1000n });
      tokens.push({ ...token, address, logo: '' });
    }
    const exchanges: Network['exchanges'] = [v2];
    if (v3) {
      const { positions: _, ...entry } = v3;
      exchanges.push(entry);
    }
    const network: Network = { ...local.network, tokens, exchanges };
    const chain = await loadChain(secretType);
    const wallet = new Wallet(Wallet.createRandom().privateKey);
    await enrich(local, wallet.address);
    const ground = { account, network, wrapped, v2, v3, wallet, chain, node: chain.node(network) };
    const market = new RandomMarket(ground, seed, [3000]);
    await market.fill(pools);
    return {
      market,
      fee: { ETHEREUM: 10n ** 17n, GOCHAIN: 10n ** 19n, VECHAIN: 0n }[secretType],
      carryOut: (requests) => carryOut({ chain, wallet, network }, requests),
      close: () => local.close(),
    };
  } catch (error) {
    await local.close();
    throw error;
  }
}

const isVechain = (local: LocalNetwork): local is LocalVechain => local.network.secretType === 'VECHAIN';

async function accountOn(local: LocalNetwork): Promise<Account> {
  if (isVechain(local)) {
    const account = machineAccount(local.ledger.machine, `0x${'00'.repeat(17)}5ee0de`);
    await enrich(local, account.address);
    return account;
  }
  const { secretType, nodes } = local.network;
  const account = await anvilAccount(nodes[0]!, 2, secretType === 'GOCHAIN' ? GOCHAIN_GAS_PRICE : undefined);
  await enrich(local, account.address);
  return account;
}

async function enrich(local: LocalNetwork, address: string): Promise<void> {
  if (isVechain(local)) return local.ledger.mint(address, RICH, RICH);
  const params = [address, toBeHex(RICH)];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(local.network.nodes[0]!, { method: 'POST', headers, body });
}
