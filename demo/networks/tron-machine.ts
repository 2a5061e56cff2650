/**
 * Balances and contracts of the local Tron, in an anvil of its own: an address `T…` is the same 20 bytes there, a sun is a wei, and gas
 * costs nothing. Energy is the gas of the call without what Ethereum asks for a transaction's mere existence and data; Ethereum's refunds
 * for cleared storage are left in, and Tron's own instructions and precompiled contracts are missing.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Anvil, startAnvil } from './anvil.ts';

export interface CallResult {
  outcome: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';
  energy: bigint;
  /** What it answers, or the reason it reverts with: hex without 0x. */
  output: string;
  logs: { address: string; topics: string[]; data: string }[];
}

/** Addresses and data are `0x…`; `value` in sun. */
export interface MachineCall {
  from: string;
  to?: string;
  data: string;
  value: bigint;
  energyLimit: bigint;
}

/** No block holds more. */
export const MAX_ENERGY = 100_000_000n;

export class Machine {
  private constructor(private readonly anvil: Anvil) {}

  static async start(): Promise<Machine> {
    // The last rules before blocks had a base fee.
    const flags = ['--hardfork', 'berlin', '--gas-price', '0', '--gas-limit', String(MAX_ENERGY * 2n)];
    const machine = new Machine(await startAnvil(...flags));
    await machine.#ask('anvil_autoImpersonateAccount', true);
    return machine;
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.#ask<string>('eth_getBalance', address, 'latest'));
  }

  setBalance(address: string, sun: bigint): Promise<unknown> {
    return this.#ask('anvil_setBalance', address, hex(sun));
  }

  async isContract(address: string): Promise<boolean> {
    return (await this.#ask<string>('eth_getCode', address, 'latest')) !== '0x';
  }

  /** Runs and keeps what it changed. */
  async run(call: MachineCall): Promise<CallResult> {
    const { output, failed } = await this.#output(call);
    const gas = intrinsicGas(call) + call.energyLimit;
    const hash = await this.#ask<string>('eth_sendTransaction', { ...fieldsOf(call), gas: hex(gas) });
    const receipt = await this.#receipt(hash);
    const used = BigInt(receipt.gasUsed) - intrinsicGas(call);
    const outcome =
      receipt.status === '0x1' ? 'SUCCESS' : used >= call.energyLimit || !failed ? 'OUT_OF_ENERGY' : 'REVERT';
    return {
      outcome,
      energy: outcome === 'OUT_OF_ENERGY' ? call.energyLimit : used > 0n ? used : 0n,
      output: outcome === 'OUT_OF_ENERGY' ? '' : output,
      logs: receipt.logs.map(({ address, topics, data }) => ({
        address: address.slice(2),
        topics: topics.map((topic) => topic.slice(2)),
        data: data.slice(2),
      })),
    };
  }

  /** Runs and forgets it. */
  async tryOut(call: MachineCall): Promise<CallResult> {
    const snapshot = await this.#ask('evm_snapshot');
    try {
      return await this.run(call);
    } finally {
      await this.#ask('evm_revert', snapshot);
    }
  }

  /** Of OpenZeppelin's presets, by name; `data` is the constructor's arguments. Answers its address. */
  async deploy(preset: string, from: string, data: string): Promise<string> {
    const path = createRequire(import.meta.url).resolve(
      `@openzeppelin/contracts/build/contracts/${preset}.json`,
    );
    const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
    const hash = await this.#ask<string>('eth_sendTransaction', {
      from,
      data: bytecode + data,
      gas: hex(MAX_ENERGY / 10n),
      gasPrice: '0x0',
    });
    return (await this.#receipt(hash)).contractAddress;
  }

  close(): Promise<void> {
    return this.anvil.close();
  }

  async #output(call: MachineCall): Promise<{ output: string; failed: boolean }> {
    try {
      const returned = await this.#ask<string>('eth_call', fieldsOf(call), 'latest');
      return { output: returned.slice(2), failed: false };
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      return { output: (error.data ?? '0x').slice(2), failed: true };
    }
  }

  /** anvil answers before its block is made. */
  async #receipt(hash: string): Promise<Receipt> {
    for (;;) {
      const receipt = await this.#ask<Receipt | null>('eth_getTransactionReceipt', hash);
      if (receipt) return receipt;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(this.anvil.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: RpcError };
    if (error) throw new MachineError(`${method}: ${error.message}`, error.data);
    return result;
  }
}

interface RpcError {
  message: string;
  data?: string;
}

interface Receipt {
  status: string;
  gasUsed: string;
  contractAddress: string;
  logs: { address: string; topics: string[]; data: string }[];
}

class MachineError extends Error {
  constructor(
    message: string,
    readonly data: string | undefined,
  ) {
    super(message);
  }
}

function fieldsOf({ from, to, data, value }: MachineCall) {
  return { from, to, data, value: hex(value), gasPrice: '0x0' };
}

/** What Ethereum asks before the first instruction: 21000, 4 for a zero byte, 16 for another (EIP-2028). */
function intrinsicGas({ data }: MachineCall): bigint {
  let gas = 21_000n;
  for (const byte of data.slice(2).match(/../g) ?? []) gas += byte === '00' ? 4n : 16n;
  return gas;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
