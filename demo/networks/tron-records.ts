/** Records of the local Tron: chain parameters, blocks, accounts, tokens and executed transactions. */
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

/** The daily limit, and how much was used by which time. */
export interface Resource {
  limit: number;
  used: number;
  at: number;
}

/** Who deployed a contract, and their part of the energy of its calls. */
export interface Deployer {
  /** 21 bytes of hex. */
  origin: string;
  name: string;
  /** `consume_user_resource_percent`: the caller's share. */
  callerShare: number;
  /** `origin_energy_limit`: at most per call. */
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

/** The answer of `gettransactioninfobyid`, without the block. */
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

/** The 20 bytes that the EVM uses. */
export function evm(address: string): string {
  return `0x${address.slice(2)}`;
}

export function hexText(words: string): string {
  return Buffer.from(words).toString('hex');
}

export function text(hex: string): string {
  return Buffer.from(hex, 'hex').toString();
}
