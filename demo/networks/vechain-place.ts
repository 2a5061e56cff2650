/** What the demo and the tests need of a VeChain, local ledger or real node. */
import type { TransactionClause } from '@vechain/sdk-core';
import { AbiCoder, Interface, parseEther, toBeHex } from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import { artifact } from './artifact.ts';
import type { Account } from './exchanges/account.ts';
import type { LocalNetwork, LocalNetworkOptions } from './local-network.ts';
import type { LocalSponsor } from './vechain-sponsor.ts';

export const VTHO = '0x0000000000000000000000000000456e65726779';
export const ASSETS = ['VET', 'VTHO', 'DUSD'] as const;

export interface VechainOptions extends LocalNetworkOptions {
  /** Starts a fee delegation service and adds it to `network`. */
  delegator?: boolean;
}

export interface VechainPlace extends LocalNetwork {
  url: string;
  /** The fee delegation service, if `delegator` is set. */
  sponsor: LocalSponsor | undefined;
  /** Gives an empty address exactly these amounts, in wei. */
  mint(address: string, vet: bigint, vtho: bigint): Promise<void>;
  /** Transfers any amount, in wei of VET. Resolves with the transaction's id. */
  fund(address: string, amount: bigint): Promise<string>;
  /** Waits for this many more blocks, or makes them. */
  advance(blocks: number): Promise<void>;
  /** Deploys the demo's exchanges; rich in VET and DUSD. */
  deployer(): Promise<Account>;
}

export function vechainNetwork(
  url: string,
  genesis: string,
  dusd: string,
  sponsor: LocalSponsor | undefined,
): Network {
  return {
    id: 'vechain-local',
    secretType: 'VECHAIN',
    name: 'Local VeChain',
    kind: 'local',
    genesis,
    ...(sponsor && { delegator: sponsor.url }),
    nodes: [url],
    tokens: [{ address: dusd, symbol: 'DUSD', name: 'Demo Dollar', decimals: 18, logo: '' }],
    feeCeiling: parseEther('50').toString(),
  };
}

const ERC20 = new Interface(['function transfer(address to, uint256 amount)']);

/** `dusd`: the Demo Dollar's address. */
export function gift(asset: string, to: string, amount: bigint, dusd?: string): TransactionClause {
  return {
    to: asset === 'VTHO' ? VTHO : dusd!.toLowerCase(),
    value: '0x0',
    data: ERC20.encodeFunctionData('transfer', [to, amount]),
  };
}

/** Init code of OpenZeppelin's ERC-20, which has the functions of VIP-180. */
export function tokenCode(name: string, symbol: string, supply: bigint, owner: string): string {
  const values = AbiCoder.defaultAbiCoder().encode(
    ['string', 'string', 'uint256', 'address'],
    [name, symbol, supply, owner],
  );
  return artifact('ERC20PresetFixedSupply').bytecode + values.slice(2);
}

export function demoDollar(owner: string): TransactionClause {
  return {
    to: null,
    value: toBeHex(0),
    data: tokenCode('Demo Dollar', 'DUSD', parseEther('1000000000'), owner),
  };
}
