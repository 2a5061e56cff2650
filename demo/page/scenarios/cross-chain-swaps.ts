/** Swaps between chains, on the demo's THORChain: one for each pair of coins, and one for each thing that can go wrong. */
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import { TROUBLES, type Trouble } from '../../networks/thorchain/trouble.ts';
import type { Group, Scenario } from './scenario.ts';

/** By chain: its name in THORChain, its coin, and an amount that is worth about $300. */
const CHAINS: { [S in SecretType]?: { name: string; coin: string; amount: string } } = {
  BITCOIN: { name: 'BTC', coin: 'bitcoin', amount: '0.003' },
  LITECOIN: { name: 'LTC', coin: 'litecoin', amount: '3' },
  ETHEREUM: { name: 'ETH', coin: 'ether', amount: '0.1' },
  TRON: { name: 'TRON', coin: 'TRX', amount: '1000' },
};

/** Troubles of the chain that pays out; the others are of the chain that the coins come from. */
const OF_OUTPUT: readonly Trouble[] = ['signing-halted'];

/** Empty for a chain that THORChain does not have here. */
export function crossChainGroups(secretType: SecretType): Group[] {
  const from = CHAINS[secretType];
  if (!from) return [];
  const others = (Object.keys(CHAINS) as SecretType[]).filter((other) => other !== secretType);
  const swap = (to: SecretType) => ({
    action: 'swap',
    fromSecretType: secretType,
    toSecretType: to,
    amount: from.amount,
    orderType: 'SELL',
  });
  const pairs = others.map((other): Scenario => {
    const { name, coin } = CHAINS[other]!;
    return {
      id: `swap-to-${name.toLowerCase()}`,
      title: `To ${CHAIN_NAMES[other]}`,
      hint: `About ${from.amount} ${from.coin} for ${coin}: it needs a linked wallet of each chain. It arrives after about a minute here.`,
      trouble: { trouble: null, chain: from.name },
      payload: () => swap(other),
    };
  });
  const [to] = others as [SecretType];
  const failures = (Object.entries(TROUBLES) as [Trouble, string][]).map(([trouble, words]): Scenario => {
    const { name } = OF_OUTPUT.includes(trouble) ? CHAINS[to]! : from;
    return {
      id: `swap-${trouble}`,
      title: trouble[0]!.toUpperCase() + trouble.slice(1).replaceAll('-', ' '),
      hint: `On ${name}, ${words}. It ends when another of these is run.`,
      trouble: { trouble, chain: name },
      payload: () => swap(to),
    };
  });
  return [{ title: 'Swap between chains', scenarios: [...pairs, ...failures] }];
}
