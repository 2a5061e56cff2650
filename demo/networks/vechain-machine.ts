/**
 * Balances and contracts of the local VeChain, in an anvil of its own: addresses are the same, a wei of VET is a wei, and gas costs
 * nothing there. VTHO is OpenZeppelin's ERC-20 at the address of VeChain's own, so that its reasons to revert are worded differently.
 * Gas is that of the call without what Ethereum asks for a transaction's mere existence and data; Ethereum's refunds for cleared storage
 * are left in. A contract's address follows Ethereum's rule, not VeChain's; VeChain's other built-in contracts and instructions are
 * missing but for `Params.get`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AbiCoder, dataLength, getBytes, keccak256, toBeHex } from 'ethers';
import { type Anvil, startAnvil } from './anvil.ts';

export const VTHO = '0x0000000000000000000000000000456e65726779';
const PARAMS = '0x0000000000000000000000000000506172616d73';
/** `get(bytes32)` and nothing else: PUSH1 4, CALLDATALOAD, SLOAD, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const PARAMS_CODE = '0x6004355460005260206000f3';
/** `base-gas-price` */
const BASE_GAS_PRICE = `0x${'626173652d6761732d7072696365'.padStart(64, '0')}`;
/** What one clause may use. */
export const MAX_GAS = 50_000_000n;

export interface Clause {
  to: string | null;
  value: bigint;
  data: string;
}

/** As `POST /accounts/*` answers for a clause. */
export interface Output {
  data: string;
  events: { address: string; topics: string[]; data: string }[];
  transfers: { sender: string; recipient: string; amount: string }[];
  gasUsed: number;
  reverted: boolean;
  vmError: string;
}

export interface Run {
  outputs: Output[];
  contracts: (string | null)[];
}

export class Machine {
  /** One thing at a time: a trial must not take back what a block did meanwhile. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly anvil: Anvil) {}

  static async start(baseGasPrice: bigint): Promise<Machine> {
    // The last rules before blocks had a base fee.
    const flags = ['--hardfork', 'berlin', '--gas-price', '0', '--balance', '0', '--accounts', '1'];
    const machine = new Machine(await startAnvil(...flags, '--gas-limit', String(MAX_GAS * 2n)));
    await machine.#ask('anvil_autoImpersonateAccount', true);
    await machine.#ask('anvil_setCode', PARAMS, PARAMS_CODE);
    await machine.#ask('anvil_setStorageAt', PARAMS, BASE_GAS_PRICE, word(baseGasPrice));
    const model = await machine.deployToken('VeThor', 'VTHO', 0n, VTHO);
    await machine.#ask('anvil_setCode', VTHO, await machine.#ask('eth_getCode', model, 'latest'));
    // Supply, name and symbol.
    for (const slot of [2n, 3n, 4n].map(word))
      await machine.#ask(
        'anvil_setStorageAt',
        VTHO,
        slot,
        await machine.#ask('eth_getStorageAt', model, slot, 'latest'),
      );
    return machine;
  }

  /** Alone with the machine until `work` is done. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.#ask<string>('eth_getBalance', address, 'latest'));
  }

  setBalance(address: string, wei: bigint): Promise<unknown> {
    return this.#ask('anvil_setBalance', address, toBeHex(wei));
  }

  async energy(address: string): Promise<bigint> {
    return BigInt(await this.#ask<string>('eth_getStorageAt', VTHO, energySlot(address), 'latest'));
  }

  setEnergy(address: string, wei: bigint): Promise<unknown> {
    return this.#ask('anvil_setStorageAt', VTHO, energySlot(address), word(wei));
  }

  code(address: string): Promise<string> {
    return this.#ask('eth_getCode', address, 'latest');
  }

  /** One after the other, on what the one before left. Ends with the first that fails, and then nothing of it stays. */
  async run(caller: string, clauses: readonly Clause[], gas: bigint, keep: boolean): Promise<Run> {
    const snapshot = await this.#ask('evm_snapshot');
    const done: Run = { outputs: [], contracts: [] };
    let left = gas;
    for (const clause of clauses) {
      const { output, contract } = await this.#runOne(caller, clause, left);
      done.outputs.push(output);
      done.contracts.push(contract);
      left -= BigInt(output.gasUsed);
      if (output.reverted) break;
    }
    if (!keep || done.outputs.at(-1)?.reverted) await this.#ask('evm_revert', snapshot);
    return done;
  }

  /** OpenZeppelin's ERC-20, which has the functions of VIP-180. Answers its address. */
  async deployToken(name: string, symbol: string, supply: bigint, owner: string): Promise<string> {
    const path = createRequire(import.meta.url).resolve(
      '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
    );
    const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
    const data =
      bytecode +
      AbiCoder.defaultAbiCoder()
        .encode(['string', 'string', 'uint256', 'address'], [name, symbol, supply, owner])
        .slice(2);
    const { contract, output } = await this.#runOne(owner, { to: null, value: 0n, data }, MAX_GAS);
    if (!contract) throw new Error(`${symbol} was not deployed: ${output.vmError}`);
    return contract;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.anvil.close();
  }

  async #runOne(
    caller: string,
    { to, value, data }: Clause,
    gas: bigint,
  ): Promise<{ output: Output; contract: string | null }> {
    const failed = (vmError: string, gasUsed: bigint, data = '0x') => ({
      output: { data, events: [], transfers: [], gasUsed: Number(gasUsed), reverted: true, vmError },
      contract: null,
    });
    if ((await this.balance(caller)) < value) return failed('insufficient balance for transfer', 0n);
    const base = ethereumBase(to, data);
    const call = {
      from: caller,
      ...(to === null ? {} : { to }),
      value: toBeHex(value),
      data,
      gas: `0x${(base + gas).toString(16)}`,
      gasPrice: '0x0',
    };
    let returned = '0x';
    let revertData: string | undefined;
    try {
      returned = await this.#ask<string>('eth_call', call, 'latest');
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      revertData = error.data ?? '0x';
    }
    const hash = await this.#ask<string>('eth_sendTransaction', call);
    const receipt = await this.#receipt(hash);
    const spent = BigInt(receipt.gasUsed) - base;
    const used = spent > 0n ? spent : 0n;
    if (receipt.status !== '0x1')
      return used >= gas ? failed('out of gas', gas) : failed('execution reverted', used, revertData);
    return {
      output: {
        data: to === null ? '0x' : returned,
        events: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
        transfers:
          value > 0n
            ? [
                {
                  sender: caller.toLowerCase(),
                  recipient: (to ?? receipt.contractAddress!).toLowerCase(),
                  amount: `0x${value.toString(16)}`,
                },
              ]
            : [],
        gasUsed: Number(used),
        reverted: false,
        vmError: '',
      },
      contract: to === null ? receipt.contractAddress : null,
    };
  }

  /** anvil accepts a transaction a moment before it has mined it. */
  async #receipt(hash: string): Promise<Receipt> {
    for (;;) {
      const receipt = await this.#ask<Receipt | null>('eth_getTransactionReceipt', hash);
      if (receipt) return receipt;
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
  contractAddress: string | null;
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

/** What Ethereum asks before the first instruction: 4 for a zero byte, 16 for another (EIP-2028). */
function ethereumBase(to: string | null, data: string): bigint {
  const zeros = getBytes(data).filter((byte) => byte === 0).length;
  return BigInt((to === null ? 53_000 : 21_000) + zeros * 4 + (dataLength(data) - zeros) * 16);
}

/** Where OpenZeppelin's ERC-20 keeps a balance: in the mapping of slot 0. */
function energySlot(address: string): string {
  return keccak256(`0x${address.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`);
}

function word(value: bigint): string {
  return toBeHex(value, 32);
}
