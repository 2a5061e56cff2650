/** An account that deploys and calls contracts, on a chain with an EVM. */
import { toQuantity } from 'ethers';
import type { TronLedger } from '../tron-ledger.ts';
import { MAX_ENERGY, type MachineCall } from '../tron-machine.ts';
import type { Machine } from '../vechain-machine.ts';

export interface Account {
  address: string;
  /** Returns the contract's address. */
  create(code: string): Promise<string>;
  call(to: string, data: string, value?: bigint): Promise<void>;
  /** Return data of a call. */
  read(to: string, data: string): Promise<string>;
}

const GAS = 16_000_000n;
/** Milliseconds between polls for a receipt. */
const WAIT = 5;

/** An account whose key the node holds, by index: anvil's, or our own GoChain node's. */
export async function anvilAccount(url: string, index: number, gasPrice?: bigint): Promise<Account> {
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const accounts = await ask<string[]>('eth_accounts');
  // A real GoChain node holds one.
  const address = (accounts[index] ?? accounts[0])!;
  const send = async (to: string | undefined, data: string, value = 0n): Promise<string | null> => {
    const hash = await ask<string>('eth_sendTransaction', {
      from: address,
      ...(to !== undefined && { to }),
      data,
      value: `0x${value.toString(16)}`,
      gas: toQuantity(GAS),
      ...(gasPrice !== undefined && { gasPrice: toQuantity(gasPrice) }),
    });
    // anvil responds shortly before the block is mined.
    for (;;) {
      const receipt = await ask<{ status: string; contractAddress: string | null } | null>(
        'eth_getTransactionReceipt',
        hash,
      );
      if (receipt?.status === '0x0')
        throw new Error(`${data.slice(0, 10)} at ${to ?? 'a new contract'} reverts.`);
      if (receipt) return receipt.contractAddress;
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  };
  return {
    address,
    create: async (code) => (await send(undefined, code))!,
    call: async (to, data, value) => void (await send(to, data, value)),
    read: (to, data) => ask('eth_call', { to, data }, 'latest'),
  };
}

/** Any address, on the local VeChain's EVM, which requires no signature. */
export function machineAccount(machine: Machine, address: string): Account {
  const run = (to: string | null, data: string, value = 0n, keep = true) =>
    machine.exclusive(async () => {
      const { outputs, contracts } = await machine.run(address, [{ to, value, data }], 45_000_000n, keep);
      if (outputs[0]!.reverted) throw new Error(`${data.slice(0, 10)} at ${to ?? 'a new contract'} reverts.`);
      return { contract: contracts[0]!, data: outputs[0]!.data };
    });
  return {
    address,
    create: async (code) => (await run(null, code)).contract!,
    call: async (to, data, value) => void (await run(to, data, value)),
    read: async (to, data) => (await run(to, data, 0n, false)).data,
  };
}

/** Any address, `0x…`, on the local Tron's EVM, which requires no transaction. */
export function tronAccount(ledger: TronLedger, address: string): Account {
  const { machine } = ledger;
  const callOf = (to: string, data: string, value = 0n): MachineCall => ({
    from: address,
    to,
    data,
    value,
    energyLimit: MAX_ENERGY,
  });
  return {
    address,
    create: (code) => ledger.exclusive(() => machine.create(address, code)),
    call: (to, data, value) =>
      ledger.exclusive(async () => {
        const { outcome } = await machine.run(callOf(to, data, value));
        if (outcome !== 'SUCCESS') throw new Error(`${data.slice(0, 10)} at ${to}: ${outcome}.`);
      }),
    read: async (to, data) => {
      const { output } = await ledger.exclusive(() => machine.tryOut(callOf(to, data)));
      return `0x${output}`;
    },
  };
}
