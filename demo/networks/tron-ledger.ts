/**
 * Accounts, blocks and rules of the local Tron, as in java-tron (https://github.com/tronprotocol/java-tron). A transaction counts only
 * after Tron's own SDK has decoded it and recovered its signer.
 *
 * Not modelled: transactions other than transfers of TRX and TRC-10 and contract calls; permissions other than the owner's own key, and
 * so multi-signature fees; staking (`stake` creates resources from nothing), delegation, and bandwidth paid by the issuer of a TRC-10
 * token; the energy factor of busy contracts; TRC-10 tokens inside calls; amounts of 2^53 and more; forks.
 * Resources recover linearly over a day. For energy see the machine.
 */
import { createHash } from 'node:crypto';
import {
  type Account,
  type Asset,
  type Block,
  evm,
  type Executed,
  hexText,
  type Info,
  type Deployer,
  PARAMETERS,
  type Resource,
  text,
} from './tron-records.ts';
import { base58, checkSignature, Refusal, whyInvalid } from './tron-rules.ts';
import { type Machine, MAX_ENERGY } from './tron-machine.ts';
import { decodeTransaction, type TronTransaction, Unsupported } from './tron-transaction.ts';

const DAY = 24 * 60 * 60_000;
/** Milliseconds between blocks. */
export const SLOT = 3000;
/** Bytes, without signatures, of a transaction that creates an account (chain parameter 82 of java-tron). */
const MAX_CREATE_ACCOUNT_SIZE = 1000;
const SIGNATURE_SIZE = 65;
const MAX_SIZE = 500 * 1024;

export class TronLedger {
  readonly blocks: Block[] = [];
  /** Accounts by address, 21 bytes of hex. */
  readonly accounts = new Map<string, Account>();
  readonly assets = new Map<string, Asset>();
  /** Deployers by contract, 21 bytes of hex. */
  readonly deployers = new Map<string, Deployer>();
  /** Executed, in a block or pending. */
  readonly executed = new Map<string, Executed>();
  /** How many of the newest blocks are not solidified yet. */
  unsolid = 0;
  #pending: Executed[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** `before`: what the genesis block names as its parent. */
  constructor(
    readonly machine: Machine,
    private readonly before = '00'.repeat(32),
  ) {
    this.mine();
  }

  get head(): Block {
    return this.blocks.at(-1)!;
  }

  /** The newest block that witnesses have confirmed. */
  get solid(): Block {
    return this.blocks[Math.max(0, this.blocks.length - 1 - this.unsolid)]!;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Mines a block of everything pending. The genesis block is the same on every start. */
  mine(): void {
    const number = this.blocks.length;
    const parent = this.blocks.at(-1)?.id ?? this.before;
    const time = number ? Math.max(Date.now(), this.head.time + 1) : 0;
    const transactions = this.#pending.map(({ transaction }) => transaction);
    const hash = createHash('sha256')
      .update(`${parent} ${time} ${transactions.map(({ id }) => id).join()}`)
      .digest('hex');
    const block = {
      number,
      time,
      parent,
      transactions,
      id: number.toString(16).padStart(16, '0') + hash.slice(16),
    };
    this.blocks.push(block);
    for (const executed of this.#pending) executed.block = block;
    this.#pending = [];
  }

  /** Removes the blocks after this one, as a reorganisation does. Their transactions wait again, without those that are dropped. */
  removeAfter(number: number, dropped: readonly string[] = []): void {
    const removed = this.blocks.splice(number + 1);
    const ids = removed.flatMap(({ transactions }) => transactions.map(({ id }) => id));
    const again = ids.filter((id) => !dropped.includes(id)).map((id) => this.executed.get(id)!);
    for (const executed of again) delete executed.block;
    for (const id of dropped) this.executed.delete(id);
    this.#pending.unshift(...again);
  }

  /** Serialised: the machine has one state. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async exists(address: string): Promise<boolean> {
    if (this.accounts.has(address) || (await this.machine.balance(evm(address))) > 0n) return true;
    return this.machine.isContract(evm(address));
  }

  account(address: string): Account {
    let account = this.accounts.get(address);
    if (!account) {
      const none = () => ({ limit: 0, used: 0, at: 0 });
      account = {
        created: this.head.time,
        assets: new Map(),
        bandwidth: none(),
        free: { ...none(), limit: PARAMETERS.getFreeNetLimit },
        energy: none(),
      };
      this.accounts.set(address, account);
    }
    return account;
  }

  /** Grants resources as if TRX were staked for them. */
  stake(address: string, { bandwidth = 0, energy = 0 }: { bandwidth?: number; energy?: number }): void {
    const account = this.account(address);
    account.bandwidth.limit += bandwidth;
    account.energy.limit += energy;
  }

  /** Any text: nodes check only its length. */
  rename(address: string, name: string): void {
    this.account(address).name = name;
  }

  /** Creates TRX. */
  async mint(address: string, sun: bigint): Promise<void> {
    await this.machine.setBalance(evm(address), (await this.machine.balance(evm(address))) + sun);
    this.account(address);
  }

  issue(asset: Asset): void {
    this.assets.set(asset.id, asset);
    this.account(asset.owner).assets.set(asset.id, asset.supply);
  }

  /** In the order of java-tron's `Wallet.broadcastTransaction` and `Manager.processTransaction`. Throws `Refusal`. */
  async broadcast(wire: Uint8Array): Promise<TronTransaction> {
    const transaction = decoded(wire);
    const { id, rawData } = transaction;
    return this.exclusive(async () => {
      // Only accepted ones count: a refused transaction is checked again.
      if (this.executed.has(id)) throw new Refusal('DUP_TRANSACTION_ERROR', 'Dup transaction.', id);
      if (rawData.expiration < this.head.time + SLOT || rawData.expiration > this.head.time + DAY)
        throw new Refusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired', id);
      checkSignature(transaction);
      const referred = this.#blockAt(Number.parseInt(rawData.ref_block_bytes, 16));
      if (referred?.id.slice(16, 32) !== rawData.ref_block_hash)
        throw new Refusal('TAPOS_ERROR', 'Tapos check error.', id);
      if (transaction.size > MAX_SIZE)
        throw new Refusal(
          'TOO_BIG_TRANSACTION_ERROR',
          `Too big transaction, TxId ${id}, the size is ${transaction.size} bytes, maxTxSize 512000`,
          id,
        );
      const executed = await this.#execute(transaction);
      this.executed.set(id, executed);
      this.#pending.push(executed);
      return transaction;
    });
  }

  /** The newest block whose number ends in these 16 bits. */
  #blockAt(low: number): Block | undefined {
    const { number } = this.head;
    const index = number - ((number - low) & 0xffff);
    return index < 0 ? undefined : this.blocks[index];
  }

  async #execute(transaction: TronTransaction): Promise<Executed> {
    const { id, type, rawData, value, size } = transaction;
    const owner = value.owner_address;
    const to = value.to_address || value.contract_address;
    const invalid = (words: string) =>
      new Refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${words}`, id);
    const poor = () => new Refusal('BANDWITH_ERROR', 'Account resource insufficient error.', id);
    if (rawData.fee_limit < 0 || rawData.fee_limit > PARAMETERS.getMaxFeeLimit)
      throw invalid(`feeLimit must be >= 0 and <= ${PARAMETERS.getMaxFeeLimit}`);
    if (!(await this.exists(owner)))
      throw type === 'TransferContract'
        ? invalid('Validate TransferContract error, no OwnerAccount.')
        : type === 'TransferAssetContract'
          ? invalid('No owner account!')
          : invalid(`account [${base58(owner)}] does not exist`);
    const activates = type !== 'TriggerSmartContract' && !(await this.exists(to));
    let balance = Number(await this.machine.balance(evm(owner)));
    const unsigned = size - transaction.signatures.length * SIGNATURE_SIZE;
    if (activates && unsigned > MAX_CREATE_ACCOUNT_SIZE)
      throw new Refusal(
        'TOO_BIG_TRANSACTION_ERROR',
        `Too big new account transaction, TxId ${id}, the size is ${unsigned} bytes, maxTxSize ${MAX_CREATE_ACCOUNT_SIZE}`,
        id,
      );

    const net = this.#bandwidth(owner, size + 64, activates);
    const memoFee = rawData.data ? PARAMETERS.getMemoFee : 0;
    if (balance < net.fee + memoFee) throw poor();
    balance -= net.fee + memoFee;

    const create = activates ? PARAMETERS.getCreateNewAccountFeeInSystemContract : 0;
    const toContract = await this.machine.isContract(evm(to));
    const asset = type === 'TransferAssetContract' ? text(value.asset_name) : '';
    const wrong = whyInvalid(transaction, {
      balance,
      create,
      toContract,
      assetExists: this.assets.has(asset),
      assetBalance: this.account(owner).assets.get(asset) ?? 0,
    });
    if (wrong) throw invalid(wrong);

    net.take();
    balance -= create;
    await this.machine.setBalance(evm(owner), BigInt(balance));
    if (type === 'TriggerSmartContract')
      return this.#call(transaction, balance, { fee: net.fee + memoFee, receipt: net.receipt });
    const receiver = this.account(to);
    if (type === 'TransferContract') {
      await this.machine.setBalance(evm(owner), BigInt(balance - value.amount));
      await this.mint(to, BigInt(value.amount));
    } else {
      const sender = this.account(owner);
      sender.assets.set(asset, sender.assets.get(asset)! - value.amount);
      receiver.assets.set(asset, (receiver.assets.get(asset) ?? 0) + value.amount);
    }
    const fee = net.fee + memoFee + create;
    return {
      transaction,
      contractRet: 'SUCCESS',
      info: { id, fee, contractResult: [''], receipt: net.receipt },
    };
  }

  /** The account's resources pay for all bytes or none. Call `take` once everything else is valid. */
  #bandwidth(owner: string, bytes: number, activates: boolean) {
    const { bandwidth, free } = this.account(owner);
    const staked = activates ? bytes * PARAMETERS.getCreateNewAccountBandwidthRate : bytes;
    const covered = [
      { resource: bandwidth, units: staked },
      ...(activates ? [] : [{ resource: free, units: bytes }]),
    ].find(({ resource, units }) => this.left(resource) >= units);
    if (covered)
      return {
        fee: 0,
        receipt: { net_usage: covered.units } as Record<string, number>,
        take: () => this.#use(covered.resource, covered.units),
      };
    const fee = activates ? PARAMETERS.getCreateAccountFee : bytes * PARAMETERS.getTransactionFee;
    return { fee, receipt: { net_fee: fee } as Record<string, number>, take: () => undefined };
  }

  /** `paid`: what bandwidth and memo cost. */
  async #call(
    transaction: TronTransaction,
    balance: number,
    paid: Pick<Info, 'fee' | 'receipt'>,
  ): Promise<Executed> {
    const { id, value, rawData } = transaction;
    const { energy } = this.account(value.owner_address);
    const own = this.left(energy);
    const price = PARAMETERS.getEnergyFee;
    const spare = Math.floor((balance - (value.call_value ?? 0)) / price);
    const callers = Math.min(own + spare, Math.floor(rawData.fee_limit / price));
    const deployer = this.#deployerOf(value.contract_address, value.owner_address);
    const limit = Math.min(callers + deployersEnergy(deployer, callers), Number(MAX_ENERGY));
    const result = await this.machine.run({
      from: evm(value.owner_address),
      to: evm(value.contract_address),
      data: `0x${value.data ?? ''}`,
      value: BigInt(value.call_value ?? 0),
      energyLimit: BigInt(limit),
    });
    const total = Number(result.energy);
    // java-tron's `ReceiptCapsule.payEnergyBill`.
    const originUsed = deployer
      ? Math.min(Math.floor((total * (100 - deployer.callerShare)) / 100), deployer.available)
      : 0;
    if (deployer) this.#use(deployer.energy, originUsed);
    const ownUsed = Math.min(own, total - originUsed);
    this.#use(energy, ownUsed);
    const fee = (total - originUsed - ownUsed) * price;
    const left = await this.machine.balance(evm(value.owner_address));
    await this.machine.setBalance(evm(value.owner_address), left - BigInt(fee));
    const { outcome } = result;
    return {
      transaction,
      contractRet: outcome,
      info: {
        id,
        fee: paid.fee + fee,
        contractResult: [result.output],
        contract_address: value.contract_address,
        receipt: {
          ...paid.receipt,
          ...(ownUsed && { energy_usage: ownUsed }),
          ...(fee && { energy_fee: fee }),
          ...(originUsed && { origin_energy_usage: originUsed }),
          energy_usage_total: total,
          result: outcome,
        },
        ...(outcome !== 'SUCCESS' && {
          result: 'FAILED',
          resMessage: hexText(outcome === 'REVERT' ? 'REVERT opcode executed' : 'Not enough energy'),
        }),
        log: result.logs,
      },
    };
  }

  /** Undefined if the caller pays everything. `available`: units of energy that the deployer has left for the call. */
  #deployerOf(
    contract: string,
    caller: string,
  ): (Deployer & { energy: Resource; available: number }) | undefined {
    const deployer = this.deployers.get(contract);
    if (!deployer || deployer.origin === caller || deployer.callerShare >= 100) return undefined;
    const { energy } = this.account(deployer.origin);
    return { ...deployer, energy, available: Math.min(this.left(energy), deployer.limit) };
  }

  left(resource: Resource): number {
    return resource.limit - this.used(resource);
  }

  used({ used, at }: Resource): number {
    return Math.floor(used * Math.max(0, 1 - (this.head.time - at) / DAY));
  }

  #use(resource: Resource, units: number): void {
    resource.used = this.used(resource) + units;
    resource.at = this.head.time;
  }
}

/** Energy that a call may use beyond its caller's (`VMActuator.getTotalEnergyLimitWithFixRatio`). */
function deployersEnergy(
  deployer: { callerShare: number; available: number } | undefined,
  callers: number,
): number {
  if (!deployer) return 0;
  const { callerShare, available } = deployer;
  return callerShare > 0
    ? Math.min(Math.floor((callers * (100 - callerShare)) / callerShare), available)
    : available;
}

function decoded(wire: Uint8Array): TronTransaction {
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (error instanceof Unsupported)
      throw new Refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${error.message}`, error.id);
    throw error;
  }
}
