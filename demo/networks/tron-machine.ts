/**
 * Balances and contracts of the local Tron: an address `T…` has the same 20 bytes in the EVM, and a sun is a wei. Energy is the call's
 * gas, of which nothing is refunded for cleared storage. Tron's own instructions and precompiled contracts are missing.
 */
import { artifact } from './artifact.ts';
import { type EvmCall, EvmMachine } from './evm-machine.ts';

export interface CallResult {
  outcome: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';
  energy: bigint;
  /** Return or revert data: hex without 0x. */
  output: string;
  logs: { address: string; topics: string[]; data: string }[];
}

/** `value` in sun. */
export interface MachineCall extends EvmCall {
  energyLimit: bigint;
}

/** The limit of a block. */
export const MAX_ENERGY = 100_000_000n;

export class Machine extends EvmMachine {
  static async start(): Promise<Machine> {
    return new Machine(await EvmMachine.anvil(['--gas-limit', String(MAX_ENERGY * 2n)]));
  }

  async isContract(address: string): Promise<boolean> {
    return (await this.code(address)) !== '0x';
  }

  /** Runs a call and keeps its changes. */
  async run(call: MachineCall): Promise<CallResult> {
    await this.#followClock();
    const answer = await this.call(call);
    const { hash, failed, used: net, logs } = await this.send(call, call.energyLimit);
    const used = failed ? net : await this.#spent(hash);
    const out = failed && (used >= call.energyLimit || !answer.failed);
    return {
      outcome: !failed ? 'SUCCESS' : out ? 'OUT_OF_ENERGY' : 'REVERT',
      energy: out ? call.energyLimit : used,
      output: out ? '' : answer.data.slice(2),
      logs: logs.map(({ address, topics, data }) => ({
        address: address.slice(2),
        topics: topics.map((topic) => topic.slice(2)),
        data: data.slice(2),
      })),
    };
  }

  /** Calls that are discarded hold the EVM's own clock back: contracts would see no time pass. */
  async #followClock(): Promise<void> {
    const { timestamp } = await this.ask<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    const now = Math.floor(Date.now() / 1000);
    if (now > Number(timestamp)) await this.ask('evm_setNextBlockTimestamp', now);
  }

  /** Before refunds. */
  async #spent(hash: string): Promise<bigint> {
    const [root] = await this.ask<{ result: { gasUsed: string } }[]>('trace_transaction', hash);
    return BigInt(root!.result.gasUsed);
  }

  /** Runs a call and discards its changes. */
  async tryOut(call: MachineCall): Promise<CallResult> {
    const snapshot = await this.ask('evm_snapshot');
    try {
      return await this.run(call);
    } finally {
      await this.ask('evm_revert', snapshot);
    }
  }

  /** Deploys one of OpenZeppelin's presets by name; `data` is the constructor's arguments. Returns its address. */
  deploy(preset: string, from: string, data: string): Promise<string> {
    return this.create(from, artifact(preset).bytecode + data);
  }

  /** Creates a contract. Returns its address. */
  async create(from: string, code: string): Promise<string> {
    const { contract } = await this.send({ from, data: code, value: 0n }, MAX_ENERGY / 10n);
    if (!contract) throw new Error(`The contract ${code.slice(0, 12)}… was not created.`);
    return contract;
  }
}
