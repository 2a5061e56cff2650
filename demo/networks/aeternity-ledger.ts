/**
 * An Aeternity chain and its mempool in memory, with the node's rules (https://github.com/aeternity/aeternity: aec_tx_pool.erl). The
 * official SDK decodes each transaction and verifies its signature.
 *
 * Only spends between accounts are supported. Proof of work, difficulty, rewards and state hashes are not checked; micro blocks
 * have no size limit; all accounts are basic; and the pool drops a transaction only when its TTL expires or its nonce is used.
 */
import {
  buildTx,
  buildTxHash,
  decode,
  encode,
  Encoding,
  hash,
  isEncoded,
  Tag,
  unpackTx,
  verifySignature,
} from '@aeternity/aepp-sdk';
import { decodeRlp, getBytes } from 'ethers';

const NETWORK_ID = 'ae_dev';
/** Milliseconds. */
export const KEY_BLOCK_TIME = 180_000;

/** The minimum of consensus and that of miners, in aettos per gas. */
const MIN_GAS_PRICE = 10n ** 6n;
const MINER_GAS_PRICE = 10n ** 9n;
/** How far a posted transaction's nonce may be ahead of its account's. */
const NONCE_OFFSET = 5;
const NONCE_BASELINE = 1;

export interface LedgerAccount {
  balance: bigint;
  nonce: number;
}

interface SpendTx {
  senderId: string;
  recipientId: string;
  amount: bigint;
  fee: bigint;
  ttl: number;
  nonce: number;
  payload: string;
}

export interface LedgerTransaction extends SpendTx {
  hash: string;
  /** `tx_…`, with the signatures. */
  signed: string;
  signatures: string[];
  /** Undefined while pending. */
  block?: { hash: string; height: number } | undefined;
  /** Dropped from the pool. */
  gone: boolean;
}

/** What `unpackTx` returns for a signed spend; the SDK's types omit these fields. */
interface SdkSignedTx {
  signatures: Buffer[];
  encodedTx: Omit<SpendTx, 'amount' | 'fee'> & { tag: Tag; amount: string; fee: string };
}

/** `error_code` of a refused transaction. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly reason = 'Invalid tx',
  ) {
    super(code);
  }
}

export class AeternityLedger {
  readonly accounts = new Map<string, LedgerAccount>();
  /** By hash, including dropped ones, which the pool does not accept again. */
  readonly transactions = new Map<string, LedgerTransaction>();
  /** Height of the last key block. */
  height = 1000;
  /** Hashes of the micro blocks after the key block of a height, oldest first. */
  readonly #generations = new Map<number, string[]>();
  readonly #started = { height: this.height, time: Date.now() };
  /** When the key block of a height was mined; those of before the start are made up. */
  readonly #times = new Map<number, number>();
  /** How often key blocks were removed before the key block of a height was mined. */
  readonly #branches = new Map<number, number>();
  #branch = 0;
  #microBlocks = 0;

  /** `networkId`: what signatures are over, besides the transaction. */
  constructor(readonly networkId = NETWORK_ID) {}

  /** Validates a posted transaction as the node does and adds it to the pool. Throws `Refusal`. */
  post(encoded: unknown): LedgerTransaction {
    const { transaction, body } = read(encoded);
    const known = this.transactions.get(transaction.hash);
    if (known) throw new Refusal(known.block ? 'already_accepted' : 'already_known');
    if (!isSigned(transaction, body, this.networkId)) throw new Refusal('signature_check_failed');
    this.#checkNonce(transaction);
    const gas = 15_000n + 20n * BigInt(body.length);
    if (transaction.fee < gas * MIN_GAS_PRICE) throw new Refusal('too_low_fee');
    // Rounded up, as `aetx:min_gas_price` does.
    if ((transaction.fee + gas - 1n) / gas < MINER_GAS_PRICE)
      throw new Refusal('too_low_gas_price_for_miner');
    if (transaction.ttl !== 0 && this.height > transaction.ttl) throw new Refusal('ttl_expired');
    this.transactions.set(transaction.hash, transaction);
    return transaction;
  }

  /** Pending transactions of one account, or all, highest fee first. */
  waiting(sender?: string): LedgerTransaction[] {
    return [...this.transactions.values()]
      .filter((t) => !t.block && !t.gone && (sender === undefined || t.senderId === sender))
      .sort((a, b) => (a.fee > b.fee ? -1 : a.fee < b.fee ? 1 : 0));
  }

  /**
   * Mines a micro block of every executable transaction. Of those with the same sender and nonce, the one with the highest fee wins. What
   * an account cannot pay for stays pending.
   */
  mineMicroBlock(): void {
    this.#microBlocks++;
    const block = encode(hash(`micro ${this.#microBlocks}`), Encoding.MicroBlockHash);
    this.#generations.set(this.height, [...this.microBlocks(this.height), block]);
    for (let ran = true; ran; )
      ran = this.waiting().some((transaction) => {
        if (!this.#run(transaction)) return false;
        transaction.block = { hash: block, height: this.height };
        return true;
      });
  }

  /** Removes the last micro block of a height, as a reorganisation does. Its transactions wait again. */
  removeMicroBlock(height: number): void {
    const block = this.microBlocks(height).at(-1);
    this.#generations.set(height, this.microBlocks(height).slice(0, -1));
    const removed = [...this.transactions.values()].filter((one) => one.block?.hash === block);
    for (const transaction of removed.sort((a, b) => b.nonce - a.nonce)) {
      const { senderId, recipientId, amount, fee, nonce } = transaction;
      const sender = this.accounts.get(senderId)!;
      sender.balance += amount + fee;
      sender.nonce = nonce - 1;
      this.#credit(recipientId, -amount);
      transaction.block = undefined;
    }
  }

  /** Removes the key blocks after this height, and all micro blocks since it, as a reorganisation does. Their transactions wait again. */
  removeKeyBlocks(height: number): void {
    for (; this.height >= height; this.height--)
      while (this.microBlocks(this.height).length > 0) this.removeMicroBlock(this.height);
    this.height = height;
    this.#branch++;
  }

  /** Mines a key block. Transactions that can no longer run are dropped at once; a node keeps them for a few blocks. */
  mineKeyBlock(): void {
    this.height++;
    this.#times.set(this.height, Date.now());
    this.#branches.set(this.height, this.#branch);
    for (const transaction of this.waiting()) {
      const { ttl, nonce, senderId } = transaction;
      const used = this.accounts.get(senderId)?.nonce ?? 0;
      if ((ttl !== 0 && ttl < this.height) || nonce <= used) transaction.gone = true;
    }
  }

  microBlocks(height: number): readonly string[] {
    return this.#generations.get(height) ?? [];
  }

  /** Milliseconds since 1970, of a key block. */
  timeOf(height: number): number {
    return this.#times.get(height) ?? this.#started.time - (this.#started.height - height) * KEY_BLOCK_TIME;
  }

  keyBlockHash(height: number): `kh_${string}` {
    return encode(hash(`key ${height} ${this.#branches.get(height) || ''}`), Encoding.KeyBlockHash);
  }

  /** Creates coins. */
  mint(address: string, amount: bigint): void {
    this.#credit(address, amount);
  }

  #run({ senderId, recipientId, amount, fee, ttl, nonce }: LedgerTransaction): boolean {
    const sender = this.accounts.get(senderId);
    if (!sender || nonce !== sender.nonce + 1 || sender.balance < amount + fee) return false;
    if (ttl !== 0 && this.height > ttl) return false;
    sender.balance -= amount + fee;
    sender.nonce = nonce;
    this.#credit(recipientId, amount);
    return true;
  }

  #credit(address: string, amount: bigint): void {
    const account = this.accounts.get(address) ?? { balance: 0n, nonce: 0 };
    account.balance += amount;
    this.accounts.set(address, account);
  }

  #checkNonce({ senderId, nonce }: SpendTx): void {
    const account = this.accounts.get(senderId);
    if (!account) {
      if (nonce > NONCE_BASELINE) throw new Refusal('nonce_too_high');
      return;
    }
    if (nonce <= account.nonce) throw new Refusal('nonce_too_low');
    if (nonce > account.nonce + NONCE_OFFSET) throw new Refusal('nonce_too_high');
  }
}

/** `body` is the unsigned transaction: the bytes that are signed, and whose size sets the fee. */
function read(encoded: unknown): { transaction: LedgerTransaction; body: Uint8Array } {
  if (!isEncoded(String(encoded), Encoding.Transaction))
    throw new Refusal('invalid_encoding', 'Invalid api encoding');
  const signed = encoded as `tx_${string}`;
  try {
    const { signatures, encodedTx } = unpackTx(signed, Tag.SignedTx) as unknown as SdkSignedTx;
    if (encodedTx.tag !== Tag.SpendTx) throw new TypeError('not a spend');
    const { senderId, recipientId, amount, fee, ttl, nonce, payload } = encodedTx;
    const envelope = decodeRlp(decode(signed)) as string[];
    // Only the canonical encoding is valid: SDKs and nodes refuse leading zeros, for example.
    const again = buildTx({ tag: Tag.SignedTx, signatures, encodedTx: getBytes(envelope[3]!) as Buffer });
    if (again !== signed) throw new TypeError('not canonically encoded');
    return {
      body: getBytes(envelope[3]!),
      transaction: {
        hash: buildTxHash(signed),
        signed,
        signatures: signatures.map((bytes) => encode(bytes, Encoding.Signature)),
        senderId,
        recipientId: accountOf(recipientId),
        amount: BigInt(amount),
        fee: BigInt(fee),
        ttl,
        nonce,
        payload,
        gone: false,
      },
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('broken_tx');
  }
}

function accountOf(recipient: string): string {
  if (recipient.startsWith('nm_')) throw new Refusal('could_not_resolve_recipient');
  if (!recipient.startsWith('ak_')) throw new Refusal('account_is_not_payable');
  return recipient;
}

/** Over the network id and the transaction's hash, or the transaction itself: nodes accept both. */
function isSigned({ senderId, signatures }: LedgerTransaction, body: Uint8Array, networkId: string): boolean {
  if (signatures.length !== 1) return false;
  const signature = decode(signatures[0] as `sg_${string}`);
  const id = Buffer.from(networkId);
  return [hash(body), body].some((signed) =>
    verifySignature(Buffer.concat([id, signed]), signature, senderId as `ak_${string}`),
  );
}
