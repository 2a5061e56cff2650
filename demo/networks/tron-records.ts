/** What the local Tron keeps: parameters of the chain, blocks, accounts, tokens and what became of transactions. */
import type { CallResult } from './tron-machine.ts';
import type { TronTransaction } from './tron-transaction.ts';

export const PARAMETERS = {
  getTransactionFee: 1000,
  getCreateAccountFee: 100_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateNewAccountBandwidthRate: 1,
  getEnergyFee: 210,
  getMemoFee: 1_000_000,
  getMaxFeeLimit: 15_000_000_000,
  getFreeNetLimit: 600,
};

export interface Block {
  number: number;
  /** Milliseconds. */
  time: number;
  id: string;
  parent: string;
  transactions: TronTransaction[];
}

export interface Account {
  name?: string;
  created: number;
  assets: Map<string, number>;
  bandwidth: Resource;
  free: Resource;
  energy: Resource;
}

/** How much there is a day, and what was used of it until when. */
export interface Resource {
  limit: number;
  used: number;
  at: number;
}

/** Who made a contract, and what they pay of the energy of its calls. */
export interface Maker {
  /** 21 bytes of hex. */
  origin: string;
  name: string;
  /** `consume_user_resource_percent`: what is left to the caller. */
  callerShare: number;
  /** `origin_energy_limit`: for one call at most. */
  limit: number;
}

export interface Asset {
  description?: string;
  id: string;
  owner: string;
  name: string;
  abbr: string;
  precision: number;
  supply: number;
}

/** What `gettransactioninfobyid` answers, less the block. */
export interface Info {
  id: string;
  fee: number;
  contractResult: string[];
  contract_address?: string;
  receipt: Record<string, number | string>;
  result?: 'FAILED';
  resMessage?: string;
  log?: CallResult['logs'];
}

export interface Executed {
  transaction: TronTransaction;
  info: Info;
  contractRet: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';
  block?: Block;
}

/** The 20 bytes that the machine knows. */
export function evm(address: string): string {
  return `0x${address.slice(2)}`;
}

export function hexText(words: string): string {
  return Buffer.from(words).toString('hex');
}

export function text(hex: string): string {
  return Buffer.from(hex, 'hex').toString();
}
