/**
 * Balances and contracts of the local VeChain: addresses are the same in the EVM, and a wei of VET is a wei. VTHO is OpenZeppelin's ERC-20
 * at the address of VeChain's own contract, so its revert reasons are worded differently. Contract addresses follow Ethereum's rule, not
 * VeChain's. Gas follows Shanghai, where Thor has Istanbul plus two instructions (PUSH0, BASEFEE). Of VeChain's other built-in contracts
 * there are `Params.get` and, for clauses only, `Prototype`: docs/decisions/tests.md says why.
 */
import { AbiCoder, getBytes, keccak256, toBeHex, toQuantity } from 'ethers';
import { type EvmCall, EvmMachine } from './evm-machine.ts';
import { haltOf, type LastStep } from './vechain-halts.ts';
import { masterEvent, Prototype, PROTOTYPE } from './vechain-prototype.ts';
import { tokenCode, VTHO } from './vechain-place.ts';

const PARAMS = '0x0000000000000000000000000000506172616d73';
/** Only `get(bytes32)`: PUSH1 4, CALLDATALOAD, SLOAD, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const PARAMS_CODE = '0x6004355460005260206000f3';
/** `base-gas-price` */
const BASE_GAS_PRICE = `0x${'626173652d6761732d7072696365'.padStart(64, '0')}`;
/** The limit of one clause. */
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

export class Machine extends EvmMachine {
  /** Serialises work: reverting a simulation must not undo a block made meanwhile. */
  #last: Promise<unknown> = Promise.resolve();
  protected override readonly wordGas = 2n;
  readonly prototype = new Prototype();
  /** Timestamp of the current block, in seconds. */
  time = 0;
  /** Of the current block. */
  override baseFee = 0n;

  static async start(baseGasPrice: bigint): Promise<Machine> {
    const flags = [
      '--base-fee',
      '0',
      '--balance',
      '0',
      '--accounts',
      '1',
      '--gas-limit',
      String(MAX_GAS * 2n),
    ];
    const machine = new Machine(await EvmMachine.anvil(flags, 'shanghai'));
    await machine.ask('anvil_setCode', PARAMS, PARAMS_CODE);
    await machine.ask('anvil_setStorageAt', PARAMS, BASE_GAS_PRICE, word(baseGasPrice));
    await machine.ask(
      'anvil_setCode',
      PROTOTYPE,
      reverting('the local Prototype can only be called by clauses'),
    );
    const model = await machine.deployToken('VeThor', 'VTHO', 0n, VTHO);
    await machine.ask('anvil_setCode', VTHO, await machine.code(model));
    // Supply, name and symbol.
    for (const slot of [2n, 3n, 4n].map(word))
      await machine.ask(
        'anvil_setStorageAt',
        VTHO,
        slot,
        await machine.ask('eth_getStorageAt', model, slot, 'latest'),
      );
    return machine;
  }

  /** Runs `work` with exclusive use of the machine. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async storage(address: string, key: string): Promise<string> {
    return toBeHex(await this.ask<string>('eth_getStorageAt', address, key, 'latest'), 32);
  }

  async energy(address: string): Promise<bigint> {
    return BigInt(await this.ask<string>('eth_getStorageAt', VTHO, energySlot(address), 'latest'));
  }

  setEnergy(address: string, wei: bigint): Promise<unknown> {
    return this.ask('anvil_setStorageAt', VTHO, energySlot(address), word(wei));
  }

  /** Runs clauses in sequence, each on the state that the last one left. The first failure ends the run and reverts all of it. */
  async run(caller: string, clauses: readonly Clause[], gas: bigint, keep: boolean): Promise<Run> {
    const snapshot = await this.ask('evm_snapshot');
    const { state } = this.prototype;
    const done: Run = { outputs: [], contracts: [] };
    let left = gas;
    for (const clause of clauses) {
      const { output, contract } = await this.#runOne(caller, clause, left);
      done.outputs.push(output);
      done.contracts.push(contract);
      left -= BigInt(output.gasUsed);
      if (output.reverted) break;
    }
    if (!keep || done.outputs.at(-1)?.reverted) {
      await this.ask('evm_revert', snapshot);
      this.prototype.state = state;
    }
    return done;
  }

  /** Deploys OpenZeppelin's ERC-20, which has the functions of VIP-180. Returns its address. */
  async deployToken(name: string, symbol: string, supply: bigint, owner: string): Promise<string> {
    const data = tokenCode(name, symbol, supply, owner);
    const { contract, output } = await this.#runOne(owner, { to: null, value: 0n, data }, MAX_GAS);
    if (!contract) throw new Error(`${symbol} was not deployed: ${output.vmError}`);
    return contract;
  }

  override async close(): Promise<void> {
    await this.#last;
    await super.close();
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
    if (to?.toLowerCase() === PROTOTYPE) return this.#runPrototype(caller, data, failed);
    const call = { from: caller, to: to ?? undefined, data, value };
    // Otherwise it would rise after a full block.
    await this.ask('anvil_setNextBlockBaseFeePerGas', toQuantity(this.baseFee));
    // anvil deducts the fee in coins before execution: contracts must see the balance as if it did not.
    const cost = this.costOf(call, gas);
    await this.setBalance(caller, (await this.balance(caller)) + cost);
    const answer = await this.call(call, gas);
    const { failed: reverted, used, left, contract, logs } = await this.send(call, gas);
    await this.setBalance(caller, (await this.balance(caller)) - left * this.baseFee);
    if (reverted)
      return used >= gas
        ? failed(await this.#haltOf(call, gas, answer.words), gas)
        : failed('execution reverted', used, answer.failed ? answer.data : undefined);
    if (to === null) this.prototype.make(contract!, caller);
    return {
      output: {
        data: to === null ? '0x' : answer.data,
        events: to === null ? [masterEvent(contract!, caller), ...logs] : logs,
        transfers:
          value > 0n
            ? [
                {
                  sender: caller.toLowerCase(),
                  recipient: (to ?? contract!).toLowerCase(),
                  amount: toQuantity(value),
                },
              ]
            : [],
        gasUsed: Number(used),
        reverted: false,
        vmError: '',
      },
      contract: to === null ? contract : null,
    };
  }

  #runPrototype(
    caller: string,
    data: string,
    failed: (vmError: string, gasUsed: bigint, data?: string) => { output: Output; contract: null },
  ): { output: Output; contract: null } {
    const outcome = this.prototype.call(caller, data, this.time);
    if ('revert' in outcome) return failed('execution reverted', PROTOTYPE_GAS, revertData(outcome.revert));
    const { events, data: answered } = outcome;
    return {
      output: {
        data: answered,
        events,
        transfers: [],
        gasUsed: Number(PROTOTYPE_GAS),
        reverted: false,
        vmError: '',
      },
      contract: null,
    };
  }

  async #haltOf(call: EvmCall, gas: bigint, words: string): Promise<string> {
    const trace = await this.ask<{ structLogs: LastStep[] }>(
      'debug_traceCall',
      { ...this.fieldsOf(call, gas), gasPrice: undefined },
      'latest',
      {},
    );
    const code = call.to === undefined ? call.data : await this.code(call.to);
    return haltOf(words, getBytes(code), trace.structLogs.at(-1));
  }
}

/** Roughly Thor's gas for a state change. */
const PROTOTYPE_GAS = 25_000n;

/** Solidity's `Error(string)`; empty without a reason. */
function revertData(reason: string): string {
  if (!reason) return '0x';
  return `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], [reason]).slice(2)}`;
}

/** Code that reverts with this reason: PUSH1 length, PUSH1 10, PUSH0, CODECOPY, PUSH1 length, PUSH0, REVERT, and the data. */
function reverting(reason: string): string {
  const data = revertData(reason).slice(2);
  const length = toBeHex(data.length / 2, 1).slice(2);
  return `0x60${length}600a5f3960${length}5ffd${data}`;
}

/** Where OpenZeppelin's ERC-20 keeps a balance: in the mapping of slot 0. */
function energySlot(address: string): string {
  return keccak256(`0x${address.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`);
}

function word(value: bigint): string {
  return toBeHex(value, 32);
}
