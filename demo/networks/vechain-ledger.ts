/**
 * A VeChain and its mempool in memory, with thor's rules (https://github.com/vechain/thor: tx, txpool, runtime). The official SDK decodes
 * each transaction and recovers its signers.
 *
 * Not modelled: proof of authority or stake, finality, proved work, and eviction from the mempool before expiration. Accounts generate no
 * VTHO, and each block packs whatever is pooled at that moment.
 */
import { randomBytes } from 'node:crypto';
import { Hex, HexUInt, Transaction } from '@vechain/sdk-core';
import { decodeRlp, type RlpStructuredData } from 'ethers';
import { type Clause, Machine, MAX_GAS, type Output } from './vechain-machine.ts';

export const GENESIS = '0x00000000ca2ab12e5c0a1d3e9f4b7c8260718293a4b5c6d7e8f9011223344cb5';
/** Of a second network, whose chain tag is another one. */
export const SECOND_GENESIS = `${GENESIS.slice(0, -2)}27`;
const INITIAL_BASE_FEE = 10n ** 13n;
const BLOCK_GAS = 40_000_000n;
const MAX_SIZE = 64 * 1024;
/** How far a block reference may be ahead of the next block. */
const MAX_AHEAD = 30;
const QUOTA = 128;
const HALF_N = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export interface LedgerBlock {
  number: number;
  id: string;
  parentID: string;
  timestamp: number;
  gasUsed: number;
  /** 0 before GALACTICA. */
  baseFee: bigint;
  transactions: string[];
}

export interface LedgerTransaction {
  id: string;
  transaction: Transaction;
  origin: string;
  /** Null if the origin pays. */
  delegator: string | null;
  size: number;
  clauses: Clause[];
  gas: bigint;
  reserved: readonly string[];
  /** Set if it was executable in the next block when posted. */
  payment?: Payment;
  block?: LedgerBlock;
  receipt?: LedgerReceipt;
}

interface Payment {
  payer: string;
  cost: bigint;
  /** Whose credit is used. */
  contract?: string;
}

export interface LedgerReceipt {
  gasUsed: number;
  gasPayer: string;
  paid: bigint;
  reverted: boolean;
  outputs: (Pick<Output, 'events' | 'transfers'> & { contractAddress: string | null })[];
}

/** A refusal in thor's own words. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403 | 500,
    message: string,
  ) {
    super(message);
  }
}

const bad = (why: string) => new Refusal(400, `bad tx: ${why}`);
const rejected = (why: string) => new Refusal(403, `tx rejected: ${why}`);

export class VechainLedger {
  readonly blocks: LedgerBlock[];
  /** The last byte of the genesis block's id. */
  readonly chainTag: number;
  readonly transactions = new Map<string, LedgerTransaction>();
  /** Ids of pending transactions, in order of arrival. */
  readonly pool: string[] = [];

  private constructor(
    readonly machine: Machine,
    readonly galactica: boolean,
    readonly baseGasPrice: bigint,
    readonly gasLimit: bigint,
    readonly genesis: string,
  ) {
    this.chainTag = Number.parseInt(genesis.slice(-2), 16);
    this.blocks = [
      {
        number: 0,
        id: genesis,
        parentID: `0xffffffff${'0'.repeat(56)}`,
        timestamp: now(),
        gasUsed: 0,
        baseFee: INITIAL_BASE_FEE,
        transactions: [],
      },
    ];
  }

  /** `gasLimit`: of a block. A small one makes the base fee move soon. */
  static async start(galactica: boolean, gasLimit = BLOCK_GAS, genesis = GENESIS): Promise<VechainLedger> {
    const baseGasPrice = galactica ? INITIAL_BASE_FEE : 10n ** 15n;
    const machine = await Machine.start(baseGasPrice);
    const ledger = new VechainLedger(machine, galactica, baseGasPrice, gasLimit, genesis);
    ledger.#append();
    return ledger;
  }

  get best(): LedgerBlock {
    return this.blocks.at(-1)!;
  }

  /** Transactions are checked against the next block's base fee (consensus/upgrade/galactica). */
  get nextBaseFee(): bigint {
    const { baseFee, gasUsed } = this.best;
    if (!this.galactica) return 0n;
    const target = (this.gasLimit * 75n) / 100n;
    const used = BigInt(gasUsed);
    if (used === target) return baseFee;
    const change = (baseFee * (used > target ? used - target : target - used)) / target / 8n;
    if (used > target) return baseFee + (change > 1n ? change : 1n);
    return baseFee - change > INITIAL_BASE_FEE ? baseFee - change : INITIAL_BASE_FEE;
  }

  /** Validates a posted transaction in the node's order and adds it to the pool. Throws `Refusal`. */
  post(raw: string): Promise<LedgerTransaction> {
    const entry = read(raw);
    return this.machine.exclusive(() => this.#take(entry));
  }

  async #take(entry: LedgerTransaction): Promise<LedgerTransaction> {
    const { id, transaction } = entry;
    const { body } = transaction;
    const known = this.transactions.get(id);
    if (known && !known.block) return known;
    if (body.chainTag !== this.chainTag) throw bad('chain tag mismatch');
    if (entry.size > MAX_SIZE) throw rejected('size too large');
    checkSyntax(entry);
    if (entry.gas > this.gasLimit) throw rejected('tx gas exceeds block gas limit');
    const start = numberIn(body.blockRef);
    const next = this.best.number + 1;
    if (next > start + body.expiration) throw rejected('expired');
    if (start > next + MAX_AHEAD) throw rejected('block ref out of schedule');
    if (body.maxFeePerGas !== undefined && !this.galactica) throw rejected('transaction type not supported');
    checkReserved(entry);
    if (known?.block) throw rejected('known tx');
    if (body.dependsOn && this.transactions.get(body.dependsOn)?.receipt?.reverted)
      throw rejected('dep reverted');
    const waiting = this.pool.map((other) => this.transactions.get(other)!);
    if (waiting.filter(({ origin }) => origin === entry.origin).length >= QUOTA)
      throw rejected('account quota exceeded');
    if (this.#isExecutable(entry, next)) {
      const { payer, cost } = await this.#payment(entry, this.nextBaseFee);
      const pending = waiting
        .filter(({ payment }) => payment?.payer === payer)
        .reduce((sum, { payment }) => sum + payment!.cost, cost);
      if ((await this.machine.energy(payer)) < pending)
        throw rejected('insufficient energy for overall pending cost');
      entry.payment = { payer, cost };
    }
    this.transactions.set(id, entry);
    this.pool.push(id);
    return entry;
  }

  /** Whether its own fields allow it in the block of this number. Others stay pending. */
  #isExecutable({ transaction: { body } }: LedgerTransaction, number: number): boolean {
    if (body.dependsOn && !this.transactions.get(body.dependsOn)?.receipt) return false;
    return numberIn(body.blockRef) <= number;
  }

  /** Who prepays how much: the gas payer that signed, else a contract for its user, else the origin (runtime/resolved_tx.go). */
  async #payment(entry: LedgerTransaction, baseFee: bigint): Promise<Payment> {
    const { machine } = this;
    const price = this.#price(entry, baseFee);
    if (this.galactica && price < baseFee) throw rejected('gas price is less than block base fee');
    const cost = entry.gas * price;
    const can = async (payer: string): Promise<boolean> => (await machine.energy(payer)) >= cost;
    if (entry.delegator) {
      if (await can(entry.delegator)) return { payer: entry.delegator, cost };
      throw rejected('insufficient energy');
    }
    const contract = commonTo(entry);
    if (contract && machine.prototype.credit(contract, entry.origin, this.best.timestamp) >= cost)
      for (const payer of [machine.prototype.sponsorOf(contract), contract])
        if (payer && (await can(payer))) return { payer, cost, contract };
    if (await can(entry.origin)) return { payer: entry.origin, cost };
    throw rejected('insufficient energy');
  }

  /** Mines a block of executable transactions. Those that no later block could contain are dropped. */
  mine(): Promise<LedgerBlock> {
    return this.machine.exclusive(async () => {
      const block = this.#next();
      this.#enter(block);
      for (const id of this.pool.splice(0)) {
        const entry = this.transactions.get(id)!;
        const { blockRef, expiration, dependsOn } = entry.transaction.body;
        const over = block.number > numberIn(blockRef) + expiration;
        const broken = dependsOn && this.transactions.get(dependsOn)?.receipt?.reverted;
        if (over || broken) this.transactions.delete(id);
        else if (
          !this.#isExecutable(entry, block.number) ||
          BigInt(block.gasUsed) + entry.gas > this.gasLimit
        )
          this.pool.push(id);
        else {
          const payment = await this.#payment(entry, block.baseFee).catch((error: unknown) => {
            if (error instanceof Refusal) return undefined;
            throw error;
          });
          if (!payment) {
            this.transactions.delete(id);
            continue;
          }
          entry.receipt = await this.#execute(entry, payment, block);
          entry.block = block;
          block.transactions.push(id);
          block.gasUsed += entry.receipt.gasUsed;
        }
      }
      this.blocks.push(block);
      return block;
    });
  }

  /** Marks the newest block. What is returned removes those after it, as a reorganisation does: their transactions wait again. */
  mark(): Promise<() => Promise<void>> {
    const { machine } = this;
    return machine.exclusive(async () => {
      const { number } = this.best;
      const snapshot = await machine.ask('evm_snapshot');
      const { state } = machine.prototype;
      return () =>
        machine.exclusive(async () => {
          await machine.ask('evm_revert', snapshot);
          machine.prototype.state = state;
          for (const id of this.blocks.splice(number + 1).flatMap(({ transactions }) => transactions)) {
            const entry = this.transactions.get(id)!;
            delete entry.block;
            delete entry.receipt;
            this.pool.push(id);
          }
        });
    });
  }

  /** Appends empty blocks. Pending transactions stay until they expire. */
  skip(count: number): void {
    for (let i = 0; i < count; i++) this.#append();
    const over = this.pool.filter((id) => {
      const { blockRef, expiration } = this.transactions.get(id)!.transaction.body;
      return this.best.number >= numberIn(blockRef) + expiration;
    });
    for (const id of over) {
      this.pool.splice(this.pool.indexOf(id), 1);
      this.transactions.delete(id);
    }
  }

  simulate(caller: string, clauses: readonly Clause[], gas = MAX_GAS): Promise<Output[]> {
    return this.machine.exclusive(async () => {
      this.#enter(this.best);
      return (await this.machine.run(caller, clauses, gas, false)).outputs;
    });
  }

  storage(address: string, key: string): Promise<string> {
    return this.machine.exclusive(() => this.machine.storage(address, key));
  }

  account(address: string): Promise<{ balance: bigint; energy: bigint; code: string }> {
    return this.machine.exclusive(async () => ({
      balance: await this.machine.balance(address),
      energy: await this.machine.energy(address),
      code: await this.machine.code(address),
    }));
  }

  /** Creates coins. */
  mint(address: string, vet: bigint, vtho: bigint): Promise<void> {
    return this.machine.exclusive(async () => {
      await this.machine.setBalance(address, vet);
      await this.machine.setEnergy(address, vtho);
    });
  }

  async #execute(
    entry: LedgerTransaction,
    { payer, cost: prepaid, contract }: Payment,
    { baseFee, timestamp }: LedgerBlock,
  ): Promise<LedgerReceipt> {
    const { machine } = this;
    const intrinsic = Transaction.intrinsicGas(entry.transaction.body.clauses).wei;
    await machine.setEnergy(payer, (await machine.energy(payer)) - prepaid);
    const { outputs, contracts } = await machine.run(
      entry.origin,
      entry.clauses,
      entry.gas - intrinsic,
      true,
    );
    const reverted = outputs.some((output) => output.reverted);
    const gasUsed = outputs.reduce((sum, output) => sum + BigInt(output.gasUsed), intrinsic);
    const paid = gasUsed * this.#price(entry, baseFee);
    await machine.setEnergy(payer, (await machine.energy(payer)) + prepaid - paid);
    if (contract) machine.prototype.use(contract, entry.origin, paid, timestamp);
    return {
      gasUsed: Number(gasUsed),
      gasPayer: payer,
      paid,
      reverted,
      outputs: reverted
        ? []
        : outputs.map(({ events, transfers }, i) => ({
            contractAddress: contracts[i]!,
            events,
            transfers,
          })),
    };
  }

  /** What contracts can read about the block. */
  #enter({ timestamp, baseFee }: LedgerBlock): void {
    this.machine.time = timestamp;
    this.machine.baseFee = this.galactica ? baseFee : 0n;
  }

  #append(): void {
    this.blocks.push(this.#next());
  }

  #next(): LedgerBlock {
    const { number, id, timestamp } = this.best;
    const digits = (number + 1).toString(16).padStart(8, '0');
    return {
      number: number + 1,
      id: `0x${digits}${randomBytes(28).toString('hex')}`,
      parentID: id,
      timestamp: Math.max(now(), timestamp + 1),
      gasUsed: 0,
      baseFee: this.nextBaseFee,
      transactions: [],
    };
  }

  #price(entry: LedgerTransaction, baseFee: bigint): bigint {
    const { maxPriorityFeePerGas } = entry.transaction.body;
    const max = this.#maxPrice(entry);
    if (maxPriorityFeePerGas === undefined) return max;
    const price = baseFee + BigInt(maxPriorityFeePerGas);
    return price < max ? price : max;
  }

  #maxPrice({ transaction: { body } }: LedgerTransaction): bigint {
    if (body.maxFeePerGas !== undefined) return BigInt(body.maxFeePerGas);
    return this.baseGasPrice + (this.baseGasPrice * BigInt(body.gasPriceCoef!)) / 255n;
  }
}

/** The one recipient of all clauses. */
function commonTo({ clauses }: LedgerTransaction): string | undefined {
  const [first] = clauses;
  return first?.to && clauses.every(({ to }) => to === first.to) ? first.to : undefined;
}

export function numberIn(reference: string): number {
  return Number(reference.slice(0, 10));
}

/** The error of go-ethereum's `hexutil.Decode`. */
export function wrongHex(text: string): string | undefined {
  if (text === '') return 'empty hex string';
  if (!/^0x/i.test(text)) return 'hex string without 0x prefix';
  if (!/^0x[0-9a-f]*$/i.test(text)) return 'invalid hex string';
  return text.length % 2 ? 'hex string of odd length' : undefined;
}

/** The transaction as the SDK decodes it; only its own encoding is accepted. */
function read(raw: string): LedgerTransaction {
  const wrong = wrongHex(raw);
  if (wrong) throw new Refusal(400, `raw: ${wrong}`);
  const first = Number.parseInt(raw.slice(2, 4) || '0', 16);
  if (first <= 0x7f && raw.length <= 4) throw new Refusal(400, 'raw: typed transaction too short');
  if (first <= 0x7f && first !== 0x51) throw new Refusal(400, 'raw: transaction type not supported');
  checkElements(raw);
  let transaction: Transaction;
  try {
    transaction = Transaction.decode(HexUInt.of(raw).bytes, true);
  } catch (error) {
    throw new Refusal(400, `raw: rlp: ${(error as Error).message.split('\n')[0]}`);
  }
  checkSignature(transaction);
  if (Hex.of(transaction.encoded).toString() !== raw.toLowerCase())
    throw new Refusal(400, 'raw: rlp: non-canonical encoding');
  try {
    return {
      id: transaction.id.toString(),
      transaction,
      origin: transaction.origin.toString().toLowerCase(),
      delegator: transaction.isDelegated ? transaction.gasPayer.toString().toLowerCase() : null,
      size: (raw.length - 2) / 2,
      reserved: reservedIn(raw),
      clauses: transaction.body.clauses.map(({ to, value, data }) => ({
        to: to && to.toLowerCase(),
        value: BigInt(value),
        data,
      })),
      gas: BigInt(transaction.body.gas),
    };
  } catch {
    throw bad('invalid signature');
  }
}

function checkSignature({ signature, isDelegated }: Transaction): void {
  if (signature?.length !== (isDelegated ? 130 : 65)) throw bad('invalid signature length');
  for (let at = 32; at < signature.length; at += 65)
    if (BigInt(Hex.of(signature.slice(at, at + 32)).toString()) > HALF_N)
      throw bad('invalid signature: S value is out of range');
}

/** The number of fields, signature included. */
function checkElements(raw: string): void {
  const typed = raw.startsWith('0x51');
  const [type, wanted] = typed
    ? (['dynamicFeeTransaction', 11] as const)
    : (['legacyTransaction', 10] as const);
  let fields: RlpStructuredData | string;
  try {
    fields = decodeRlp(typed ? `0x${raw.slice(4)}` : raw) as RlpStructuredData;
  } catch {
    throw new Refusal(400, 'raw: rlp: value size exceeds available input length');
  }
  if (typeof fields === 'string') throw new Refusal(400, `raw: rlp: expected input list for tx.${type}`);
  if (fields.length < wanted) throw new Refusal(400, `raw: rlp: too few elements for tx.${type}`);
  if (fields.length > wanted)
    throw new Refusal(400, `raw: rlp: input list has too many elements for tx.${type}`);
}

/** The ninth field of a legacy transaction, the tenth of a typed one. */
function reservedIn(raw: string): readonly string[] {
  const typed = raw.startsWith('0x51');
  const fields = decodeRlp(typed ? `0x${raw.slice(4)}` : raw) as RlpStructuredData[];
  return fields[typed ? 9 : 8] as string[];
}

/** Feature bits: only the first, VIP-191, is defined. */
function checkReserved({ reserved: [features = '0x', ...unused] }: LedgerTransaction): void {
  if (Number(features === '0x' ? 0 : features) & ~1) throw rejected('unsupported features');
  if (unused.length > 0) throw rejected('unused reserved slot');
}

function checkSyntax({ transaction: { body }, clauses, gas }: LedgerTransaction): void {
  if (Transaction.intrinsicGas(body.clauses).wei > gas) throw bad('intrinsic gas exceeds provided gas');
  if (clauses.reduce((sum, { value }) => sum + value, 0n) >> 256n) throw bad('tx value too large');
  if (body.maxFeePerGas !== undefined && BigInt(body.maxFeePerGas) < BigInt(body.maxPriorityFeePerGas!))
    throw bad('maxFeePerGas is less than maxPriorityFeePerGas');
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
