/** Ready-made requests for every action, by chain. A chain is added by its file and a line in `CHAINS`. */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { aeternity } from './aeternity.ts';
import { bitcoin } from './bitcoin.ts';
import { ethereum } from './ethereum.ts';
import { gochain } from './gochain.ts';
import { litecoin } from './litecoin.ts';
import { tron } from './tron.ts';
import { vechain } from './vechain.ts';
import { crossChainGroups } from './cross-chain-swaps.ts';
import { serviceGroups } from './service.ts';
import { swapGroups } from './swaps.ts';
import type { ChainScenarios, Group, Scenario } from './scenario.ts';

export type { ChainScenarios, Context, Payload, Scenario } from './scenario.ts';

export const CHAINS: readonly ChainScenarios[] = [
  ethereum,
  gochain,
  vechain,
  bitcoin,
  litecoin,
  tron,
  aeternity,
];

/** `service`: whether the wallet service runs. */
export function groupsOf(chain: ChainScenarios, service: boolean): Group[] {
  const { secretType, transfer, transaction, sign, read, badInput } = chain;
  return [
    { title: 'Link', scenarios: link(secretType) },
    { title: 'Manage', scenarios: manage(secretType) },
    { title: 'Transfer', scenarios: transfer },
    { title: 'Transaction', scenarios: transaction },
    ...swapGroups(secretType),
    ...crossChainGroups(secretType),
    { title: 'Sign', scenarios: sign },
    { title: 'Read', scenarios: [...READS, ...read] },
    ...(service ? serviceGroups(chain) : []),
    { title: 'Bad input', scenarios: badInput },
  ].filter(({ scenarios }) => scenarios.length);
}

function link(secretType: SecretType): Scenario[] {
  return [
    {
      id: 'first-link',
      title: 'First link',
      hint: 'A new user makes a wallet in Manage first. Then choose wallets and press Link wallets.',
      payload: () => ({ action: 'linkWallets', secretTypes: [secretType] }),
    },
    {
      id: 'link-again',
      title: 'Link again',
      hint: 'The wallets of the last time are chosen already.',
      payload: () => ({ action: 'linkWallets', layout: 'list' }),
    },
    {
      id: 'user-rejects',
      title: 'User rejects',
      hint: 'Press Reject, or close the wallet: connect-cancel and user.rejected.',
      payload: () => ({ action: 'linkWallets', secretTypes: [secretType] }),
    },
    {
      id: 'unlink',
      title: 'Unlink',
      hint: 'The chosen wallet is no longer seen by this site.',
      payload: () => ({ action: 'unlink' }),
    },
  ];
}

function manage(secretType: SecretType): Scenario[] {
  return [
    {
      id: 'manage',
      title: 'Manage wallets',
      hint: 'Create, import, rename, archive, export. Back here the wallet is linked.',
      payload: () => ({ action: 'manageWallets', chain: secretType }),
    },
  ];
}

const READS: Scenario[] = [
  {
    id: 'wallets',
    title: 'Linked wallets',
    hint: 'From the page’s own record; nothing opens.',
    payload: () => ({ action: 'wallets' }),
  },
  {
    id: 'balance',
    title: 'Balance',
    hint: 'From the node; nothing opens.',
    payload: () => ({ action: 'balance' }),
  },
  {
    id: 'token-balances',
    title: 'Token balances',
    hint: 'The listed tokens; nothing opens.',
    payload: () => ({ action: 'tokenBalances' }),
  },
  {
    id: 'pending',
    title: 'Pending',
    hint: 'Approve a transfer and reload this page at once: the answer is here.',
    payload: () => ({ action: 'pending' }),
  },
];
