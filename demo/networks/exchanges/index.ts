/** Exchanges on the demo's local networks: contracts, pools, and their entries in `networks.json`. */
import { parseEther, parseUnits } from 'ethers';
import type { Network } from '../../../src/chains/network.ts';
import { fromEvm, toEvm } from '../../../src/chains/tron/address.ts';
import { withAddresses } from '../../../src/swaps/entry.ts';
import type { LocalNetwork } from '../local-network.ts';
import type { LocalTron } from '../tron.ts';
import type { VechainPlace } from '../vechain-place.ts';
import { type Account, anvilAccount } from './account.ts';
import { deployToken, deployV2, deployV3, deployWrapped } from './contracts.ts';
import { fillV2, fillV3 } from './pools.ts';

/** The minimum of GoChain's mempool. */
const GOCHAIN_GAS_PRICE = 2_000_000_000_000n;

const wei = parseEther;
const CENTS = { name: 'Demo Cent', symbol: 'DCENT', decimals: 6, supply: parseUnits('1000000000', 6) };
const BITCOINS = { name: 'Demo Bitcoin', symbol: 'DBTC', decimals: 8, supply: parseUnits('1000000', 8) };

/**
 * Deploys to a running network, and adds tokens and exchanges to its `network`. Does nothing on chains without an EVM. Takes part of a
 * second.
 */
export async function addExchanges(local: LocalNetwork): Promise<void> {
  const { network, contracts } = local;
  const [url] = network.nodes;
  switch (network.secretType) {
    case 'ETHEREUM':
      network.prices = pricesIn(contracts);
      return addTo(network, await onEthereum(await anvilAccount(url!, 0), contracts));
    case 'GOCHAIN':
      network.prices = pricesIn(contracts);
      return addTo(network, await onGochain(await anvilAccount(url!, 1, GOCHAIN_GAS_PRICE), contracts));
    case 'VECHAIN':
      network.prices = pricesIn(contracts);
      return addTo(network, await onVechain(local as VechainPlace));
    case 'TRON':
      return addTo(network, await onTron(local as LocalTron));
    default:
  }
}

type Found = Required<Pick<Network, 'exchanges' | 'tokens'>>;

function addTo(network: Network, { exchanges, tokens }: Found): void {
  network.exchanges = exchanges;
  network.tokens = [...network.tokens, ...tokens];
}

type Contracts = LocalNetwork['contracts'];

/** A Demo Dollar counts as a dollar, and here as a euro too. */
function pricesIn({ DUSD }: Contracts): Record<string, string> {
  return { EUR: DUSD!, USD: DUSD! };
}

/** 1 ETH is 2,000 DUSD, a DUSD is 100 DCENT, and a DBTC is 30 ETH. */
async function onEthereum(account: Account, { DUSD, DCENT }: Contracts): Promise<Found> {
  const wrapped = await deployWrapped(account);
  const dbtc = await deployToken(account, BITCOINS);
  const bases = [DUSD!];
  const v2 = await deployV2(account, wrapped, { bases });
  const { positions, ...v3 } = await deployV3(account, wrapped, { bases });
  const coins = (amount: string) => ({ token: wrapped, amount: wei(amount) });
  const dollars = (amount: string) => ({ token: DUSD!, amount: wei(amount) });
  const cents = { token: DCENT!, amount: parseUnits('10000000', 6) };
  await fillV2(account, v2, coins('500'), dollars('1000000'));
  await fillV2(account, v2, dollars('100000'), cents);
  await fillV3(account, { ...v3, positions }, 3000, coins('500'), dollars('1002000'));
  await fillV3(account, { ...v3, positions }, 500, dollars('100000'), cents);
  await fillV3(account, { ...v3, positions }, 3000, coins('300'), {
    token: dbtc,
    amount: parseUnits('10', 8),
  });
  return { exchanges: [v2, v3], tokens: [{ ...listed(BITCOINS), address: dbtc }] };
}

async function onGochain(account: Account, { DUSD, DCENT }: Contracts): Promise<Found> {
  const wrapped = await deployWrapped(account);
  const v2 = await deployV2(account, wrapped, { name: 'GoSwap', petersburg: true, bases: [DUSD!] });
  const dollars = (amount: string) => ({ token: DUSD!, amount: wei(amount) });
  await fillV2(account, v2, { token: wrapped, amount: wei('1000') }, dollars('1000'));
  await fillV2(account, v2, dollars('10000'), { token: DCENT!, amount: parseUnits('1000000', 6) });
  return { exchanges: [v2], tokens: [] };
}

/** 1 DUSD is 55 VET, and a DBTC is 1,000,000 VET. */
async function onVechain(local: VechainPlace): Promise<Found> {
  const { contracts } = local;
  const account = await local.deployer();
  const wrapped = await deployWrapped(account);
  const dbtc = await deployToken(account, BITCOINS);
  const v2 = await deployV2(account, wrapped, { name: 'VeSwap', bases: [contracts['DUSD']!] });
  const { positions, ...v3 } = await deployV3(account, wrapped, { name: 'VeSwap V3' });
  const coins = (amount: string) => ({ token: wrapped, amount: wei(amount) });
  await fillV2(account, v2, coins('250000'), { token: contracts['DUSD']!, amount: wei('4500') });
  await fillV2(account, v2, coins('5000000'), { token: dbtc, amount: parseUnits('5', 8) });
  await fillV3(account, { ...v3, positions }, 3000, coins('27500'), {
    token: contracts['DUSD']!,
    amount: wei('500'),
  });
  await fillV3(account, { ...v3, positions }, 3000, coins('5000000'), {
    token: dbtc,
    amount: parseUnits('5', 8),
  });
  return { exchanges: [v2, v3], tokens: [{ ...listed(BITCOINS), address: dbtc }] };
}

/** 1 TRX is 0.25 DUSD, and a DUSD is 100 DCENT. */
async function onTron(local: LocalTron): Promise<Found> {
  const account = local.deployer();
  const dusd = toEvm(local.contracts['DUSD']!);
  const wrapped = await deployWrapped(account, 6);
  const dcent = await deployToken(account, CENTS);
  const v2 = await deployV2(account, wrapped, { name: 'SunSwap V2', bases: [dusd] });
  const coins = (amount: string) => ({ token: wrapped, amount: parseUnits(amount, 6) });
  const dollars = (amount: string) => ({ token: dusd, amount: wei(amount) });
  const cents = (amount: string) => ({ token: dcent, amount: parseUnits(amount, 6) });
  await fillV2(account, v2, coins('4000000'), dollars('1000000'));
  await fillV2(account, v2, coins('400000'), cents('10000000'));
  await fillV2(account, v2, dollars('100000'), cents('10000000'));
  return {
    exchanges: [withAddresses(v2, fromEvm)],
    tokens: [{ ...listed(CENTS), address: fromEvm(dcent) }],
  };
}

function listed({ name, symbol, decimals }: Pick<typeof BITCOINS, 'name' | 'symbol' | 'decimals'>) {
  return { name, symbol, decimals, logo: '' };
}
