/**
 * Balances and contracts of a local network whose chain is not anvil's, kept in a separate anvil: gas is free there unless a base fee
 * is set, and the coin's smallest unit is a wei. Gas excludes Ethereum's intrinsic gas; refunds for cleared storage are included.
 */
import { dataLength, getBytes, toBeHex, toQuantity } from 'ethers';
import { type Anvil, startAnvil } from './anvil.ts';

/** Addresses and data are `0x…`; without `to`, a contract is created. */
export interface EvmCall {
  from: string;
  to?: string | undefined;
  data: string;
  value: bigint;
}

export interface Receipt {
  hash: string;
  failed: boolean;
  /** Without the intrinsic gas. */
  used: bigint;
  /** Unused gas of what was provided, intrinsic gas included. */
  left: bigint;
  contract: string | null;
  logs: { address: string; topics: string[]; data: string }[];
}

interface RpcReceipt {
  transactionHash: string;
  status: string;
  gasUsed: string;
  contractAddress: string | null;
  logs: Receipt['logs'];
}

/** What a call returns or, if it fails, anvil's message. */
export interface CallAnswer {
  data: string;
  failed: boolean;
  words: string;
}

const POLL = 5;
/** After this many polls without a receipt, the transaction may be lost. */
const DROPPED = 20;

export class EvmMachine {
  /** Gas per word of init code: 2 since Shanghai (EIP-3860). */
  protected readonly wordGas: bigint = 0n;
  /** Base fee of the next block, in smallest units: contracts read it, `send` and `call` pay it. */
  protected baseFee = 0n;

  protected constructor(private readonly anvil: Anvil) {}

  /** At the last hard fork without a base fee, unless `hardfork` names another. */
  protected static anvil(flags: readonly string[], hardfork = 'berlin'): Promise<Anvil> {
    return startAnvil('--hardfork', hardfork, '--gas-price', '0', '--auto-impersonate', ...flags);
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.ask<string>('eth_getBalance', address, 'latest'));
  }

  setBalance(address: string, units: bigint): Promise<unknown> {
    return this.ask('anvil_setBalance', address, toBeHex(units));
  }

  code(address: string): Promise<string> {
    return this.ask('eth_getCode', address, 'latest');
  }

  close(): Promise<void> {
    return this.anvil.close();
  }

  /** Return or revert data of a call. Changes no state. */
  protected async call(call: EvmCall, gas?: bigint): Promise<CallAnswer> {
    try {
      return {
        data: await this.ask<string>('eth_call', this.fieldsOf(call, gas), 'pending'),
        failed: false,
        words: '',
      };
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      return { data: error.data ?? '0x', failed: true, words: error.message };
    }
  }

  /** `gas` without the intrinsic part. */
  protected async send(call: EvmCall, gas: bigint): Promise<Receipt> {
    const fields = this.fieldsOf(call, gas);
    let hash = await this.ask<string>('eth_sendTransaction', fields);
    // anvil responds before its block is mined.
    for (let looks = 1; ; looks++) {
      const receipt = await this.ask<RpcReceipt | null>('eth_getTransactionReceipt', hash);
      if (receipt) return read(receipt, this.#intrinsicGas(call), gas);
      await new Promise((resolve) => setTimeout(resolve, POLL));
      // A busy anvil may still be removing the same transaction of a reverted block from its pool, and drop this one with it.
      if (looks % DROPPED === 0 && !(await this.ask('eth_getTransactionByHash', hash)))
        hash = await this.ask<string>('eth_sendTransaction', fields);
    }
  }

  /** `gas` without the intrinsic part. */
  protected fieldsOf(call: EvmCall, gas?: bigint) {
    const { from, to, data, value } = call;
    return {
      from,
      ...(to !== undefined && { to }),
      data,
      value: toQuantity(value),
      ...(gas !== undefined && { gas: toQuantity(this.#intrinsicGas(call) + gas) }),
      gasPrice: toQuantity(this.baseFee),
    };
  }

  /** The maximum cost of the gas of `fieldsOf`. */
  protected costOf(call: EvmCall, gas: bigint): bigint {
    return (this.#intrinsicGas(call) + gas) * this.baseFee;
  }

  /** 21000, 32000 more to create a contract (EIP-2), 4 per zero byte, 16 per other byte (EIP-2028). */
  #intrinsicGas({ to, data }: EvmCall): bigint {
    const length = dataLength(data);
    const zeros = getBytes(data).filter((byte) => byte === 0).length;
    const bytes = BigInt(zeros * 4 + (length - zeros) * 16);
    return to === undefined
      ? 53_000n + bytes + this.wordGas * BigInt(Math.ceil(length / 32))
      : 21_000n + bytes;
  }

  async ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(this.anvil.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: T;
      error?: { message: string; data?: string };
    };
    if (error) throw new MachineError(`${method}: ${error.message}`, error.data);
    return result;
  }
}

class MachineError extends Error {
  constructor(
    message: string,
    readonly data: string | undefined,
  ) {
    super(message);
  }
}

function read(
  { transactionHash, status, gasUsed, contractAddress, logs }: RpcReceipt,
  intrinsic: bigint,
  given: bigint,
): Receipt {
  const used = BigInt(gasUsed) - intrinsic;
  return {
    hash: transactionHash,
    failed: status !== '0x1',
    used: used > 0n ? used : 0n,
    left: given - used,
    contract: contractAddress,
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
  };
}
