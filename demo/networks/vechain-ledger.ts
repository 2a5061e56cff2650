/**
 * A VeChain and its pool in memory, with the rules of thor (https://github.com/vechain/thor: tx, txpool, runtime). The official SDK
 * decodes each transaction and recovers who signed it.
 *
 * It does not check proof of authority or stake, finality, proved work, pending transactions that wait for another (`dependsOn` must be in
 * a block), sponsors that a contract names, or the life of pooled transactions beyond their expiration. Accounts make no VTHO by
 * themselves, the base fee stays where it is set, and each block has what was pooled when it was made.
 */
import { randomBytes } from 'node:crypto';
import { Hex, HexUInt, Transaction } from '@vechain/sdk-core';
import { type Clause, Machine, MAX_GAS, type Output } from './vechain-machine.ts';

export const GENESIS = '0x00000000ca2ab12e5c0a1d3e9f4b7c8260718293a4b5c6d7e8f9011223344cb5';
const CHAIN_TAG = Number.parseInt(GENESIS.slice(-2), 16);
const INITIAL_BASE_FEE = 10n ** 13n;
const BLOCK_GAS = 40_000_000n;
const MAX_SIZE = 64 * 1024;
/** Blocks that a reference may be ahead. */
const MAX_AHEAD = 30;
const QUOTA = 128;
const HALF_N = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export interface LedgerBlock {
  number: number;
  id: string;
  parentID: string;
  timestamp: number;
  gasUsed: number;
  transactions: string[];
}

export interface LedgerTransaction {
  id: string;
  transaction: Transaction;
  origin: string;
  /** Null where the origin pays. */
  delegator: string | null;
  size: number;
  clauses: Clause[];
  gas: bigint;
  block?: LedgerBlock;
  receipt?: LedgerReceipt;
}

export interface LedgerReceipt {
  gasUsed: number;
  gasPayer: string;
  paid: bigint;
  reverted: boolean;
  outputs: (Pick<Output, 'events' | 'transfers'> & { contractAddress: string | null })[];
}

/** A refusal in thor's words. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403,
    message: string,
  ) {
    super(message);
  }
}

const bad = (why: string) => new Refusal(400, `bad tx: ${why}`);
const rejected = (why: string) => new Refusal(403, `tx rejected: ${why}`);

export class VechainLedger {
  readonly blocks: LedgerBlock[] = [
    {
      number: 0,
      id: GENESIS,
      parentID: `0xffffffff${'0'.repeat(56)}`,
      timestamp: now(),
      gasUsed: 0,
      transactions: [],
    },
  ];
  readonly transactions = new Map<string, LedgerTransaction>();
  /** Of transactions that wait, in the order they came. */
  readonly pool: string[] = [];
  baseFee = INITIAL_BASE_FEE;

  private constructor(
    readonly machine: Machine,
    readonly galactica: boolean,
    readonly baseGasPrice: bigint,
  ) {}

  static async start(galactica: boolean): Promise<VechainLedger> {
    const baseGasPrice = galactica ? INITIAL_BASE_FEE : 10n ** 15n;
    const ledger = new VechainLedger(await Machine.start(baseGasPrice), galactica, baseGasPrice);
    ledger.#append();
    return ledger;
  }

  get best(): LedgerBlock {
    return this.blocks.at(-1)!;
  }

  /** Checks as the node does when it is posted, and lets it wait. Throws `Refusal`. */
  async post(raw: string): Promise<LedgerTransaction> {
    const entry = read(raw);
    const { id, transaction } = entry;
    const { body } = transaction;
    if (body.chainTag !== CHAIN_TAG) throw bad('chain tag mismatch');
    checkSyntax(entry);
    if (entry.size > MAX_SIZE) throw rejected('size too large');
    const known = this.transactions.get(id);
    if (known?.block) throw rejected('known tx');
    if (known) return known;
    const dynamic = body.maxFeePerGas !== undefined;
    if (dynamic && !this.galactica) throw rejected('transaction type not supported');
    if (entry.gas > BLOCK_GAS) throw rejected('tx gas exceeds block gas limit');
    const start = numberIn(body.blockRef);
    if (this.best.number + 1 > start + body.expiration) throw rejected('expired');
    if (start > this.best.number + MAX_AHEAD) throw rejected('block ref out of schedule');
    if (body.dependsOn && this.transactions.get(body.dependsOn)?.receipt?.reverted)
      throw rejected('dep reverted');
    if (this.galactica && this.#maxPrice(entry) < this.baseFee)
      throw rejected('gas price is less than block base fee');
    const waiting = this.pool.map((other) => this.transactions.get(other)!);
    if (waiting.filter(({ origin }) => origin === entry.origin).length >= QUOTA)
      throw rejected('account quota exceeded');
    const energy = await this.machine.exclusive(() => this.machine.energy(payerOf(entry)));
    const cost = this.#cost(entry);
    if (energy < cost) throw rejected('insufficient energy');
    const pending = waiting
      .filter((other) => payerOf(other) === payerOf(entry))
      .reduce((sum, other) => sum + this.#cost(other), cost);
    if (energy < pending) throw rejected('insufficient energy for overall pending cost');
    this.transactions.set(id, entry);
    this.pool.push(id);
    return entry;
  }

  /** A block with everything that waits; what is past its expiration is forgotten. */
  mine(): Promise<LedgerBlock> {
    return this.machine.exclusive(async () => {
      const block = this.#next();
      for (const id of this.pool.splice(0)) {
        const entry = this.transactions.get(id)!;
        const { blockRef, expiration, dependsOn } = entry.transaction.body;
        const depends = dependsOn ? this.transactions.get(dependsOn) : undefined;
        if (block.number > numberIn(blockRef) + expiration || (dependsOn && !depends?.receipt)) {
          this.transactions.delete(id);
          continue;
        }
        entry.receipt = await this.#execute(entry);
        entry.block = block;
        block.transactions.push(id);
        block.gasUsed += entry.receipt.gasUsed;
      }
      this.blocks.push(block);
      return block;
    });
  }

  /** So many empty blocks: what waits goes on waiting, until it is past its expiration. */
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
    return this.machine.exclusive(async () => (await this.machine.run(caller, clauses, gas, false)).outputs);
  }

  account(address: string): Promise<{ balance: bigint; energy: bigint; code: string }> {
    return this.machine.exclusive(async () => ({
      balance: await this.machine.balance(address),
      energy: await this.machine.energy(address),
      code: await this.machine.code(address),
    }));
  }

  /** Coins out of nothing. */
  mint(address: string, vet: bigint, vtho: bigint): Promise<void> {
    return this.machine.exclusive(async () => {
      await this.machine.setBalance(address, vet);
      await this.machine.setEnergy(address, vtho);
    });
  }

  async #execute(entry: LedgerTransaction): Promise<LedgerReceipt> {
    const { machine } = this;
    const payer = payerOf(entry);
    const intrinsic = Transaction.intrinsicGas(entry.transaction.body.clauses).wei;
    const prepaid = this.#cost(entry);
    await machine.setEnergy(payer, (await machine.energy(payer)) - prepaid);
    const { outputs, contracts } = await machine.run(
      entry.origin,
      entry.clauses,
      entry.gas - intrinsic,
      true,
    );
    const reverted = outputs.some((output) => output.reverted);
    const gasUsed = outputs.reduce((sum, output) => sum + BigInt(output.gasUsed), intrinsic);
    const paid = gasUsed * this.#price(entry);
    await machine.setEnergy(payer, (await machine.energy(payer)) + prepaid - paid);
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
      transactions: [],
    };
  }

  #cost(entry: LedgerTransaction): bigint {
    return entry.gas * this.#price(entry);
  }

  #price(entry: LedgerTransaction): bigint {
    const { maxPriorityFeePerGas } = entry.transaction.body;
    const max = this.#maxPrice(entry);
    if (maxPriorityFeePerGas === undefined) return max;
    const price = this.baseFee + BigInt(maxPriorityFeePerGas);
    return price < max ? price : max;
  }

  #maxPrice({ transaction: { body } }: LedgerTransaction): bigint {
    if (body.maxFeePerGas !== undefined) return BigInt(body.maxFeePerGas);
    return this.baseGasPrice + (this.baseGasPrice * BigInt(body.gasPriceCoef!)) / 255n;
  }
}

export function payerOf({ origin, delegator }: LedgerTransaction): string {
  return delegator ?? origin;
}

export function numberIn(reference: string): number {
  return Number(reference.slice(0, 10));
}

/** The transaction as the SDK decodes it, and only in the bytes that the SDK would write. */
function read(raw: string): LedgerTransaction {
  if (!/^0x([0-9a-f]{2})*$/i.test(raw)) throw new Refusal(400, 'raw: invalid hex string');
  const first = Number.parseInt(raw.slice(2, 4), 16);
  if (first <= 0x7f && raw.length <= 4) throw new Refusal(400, 'raw: typed transaction too short');
  if (first <= 0x7f && first !== 0x51) throw new Refusal(400, 'raw: transaction type not supported');
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

function checkSyntax({ transaction: { body }, clauses, gas }: LedgerTransaction): void {
  if (Transaction.intrinsicGas(body.clauses).wei > gas) throw bad('intrinsic gas exceeds provided gas');
  if (clauses.reduce((sum, { value }) => sum + value, 0n) >> 256n) throw bad('tx value too large');
  if (body.maxFeePerGas !== undefined && BigInt(body.maxFeePerGas) < BigInt(body.maxPriorityFeePerGas!))
    throw bad('maxFeePerGas is less than maxPriorityFeePerGas');
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
