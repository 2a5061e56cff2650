/**
 * Signs a transaction and sends it, once. One at a time for each wallet on each network, across all processes, from reading its open transactions to the
 * node's answer: so no nonce or coin is used twice, and a refused transaction leaves no gap.
 */
import type { Transaction } from 'kysely';
import type { Chain } from '../../src/chains/chain.ts';
import type { Draft, Node, ParsedRequest, PrivateKey, Signed } from '../../src/chains/terms.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import { loadChain } from '../networks/chains.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import type { Amounts, SpendingSession } from '../custody/spending-sessions.ts';
import { archived, conflict } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import { confirmReplicated } from '../database/replicated.ts';
import type { Schema, WalletRow } from '../database/schema.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Service } from '../service.ts';
import type { Principal } from '../http/principal.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { type OtherNetwork, requireUsable } from '../wallets/wallet-network.ts';
import { type Effect, effectOf } from './effects.ts';
import { assertFit } from './fit.ts';
import {
  type StoredTransaction,
  type OpenTransaction,
  addEntry,
  entryOf,
  isOpen,
  isWaiting,
  openEntries,
  readEntry,
} from './journal.ts';
import { type CheckedOrder, checkOrder } from './order-check.ts';
import { type KeyedRequest, findAnswered } from '../idempotency/request-keys.ts';
import { type Lane, laneOfEntry, laneOn } from './lanes.ts';
import { overlap } from './approved.ts';
import { send } from './sending.ts';
import { assertCovered, assertOneLeft, outflowOf, textOf } from './session-limits.ts';

export type Spender = Pick<
  Service,
  'db' | 'custody' | 'guard' | 'networks' | 'outbound' | 'audit' | 'events' | 'exclusive' | 'restored'
>;

export interface Sent {
  transactionHash: string;
  raw: string;
}

/** What opens the wallet: its PIN or a passkey, or the token of a spending session. */
export type Opening =
  | { pincode: PinProof; session?: undefined }
  | { pincode?: undefined; session: { token: string; applicationId: string } };

/** What a wallet is to sign, and who requests it. */
export type SpendRequest = Opening & {
  wallet: StoredWallet;
  /** Absent: the wallet's default network. */
  network?: OtherNetwork | undefined;
  principal: Principal;
  keyedRequest: KeyedRequest;
  /** JSON for the journal, without the PIN. */
  request: string;
  customNode?: NetworkChoice | undefined;
  /** Makes the draft that is signed, given the wallet's open transactions on its network. */
  draft: (context: Context) => Promise<Draft>;
  /** The error for the caller when the draft cannot be signed. */
  unsignable?: (error: unknown) => unknown;
  /** Id of the entry that it replaces; undefined as long as that is not known. */
  replaces?: () => string | undefined;
  /** The batch that this one is part of. */
  batch?: KeyedRequest;
  /** What is written together with the entry: all of it, or nothing. If it throws, nothing was signed. */
  beside?: (tx: Database, entry: StoredTransaction) => Promise<void>;
};

/** Hands the wallet's key to `work`, after a check of its PIN. */
export type WithKey = <T>(work: (key: PrivateKey) => Promise<T>) => Promise<T>;

export interface Context {
  chain: Chain;
  node: Node;
  open: readonly OpenTransaction[];
  /** Sends transactions that the node does not know again. Returns those that the network still accepts. */
  resend: (entries: readonly OpenTransaction[]) => Promise<OpenTransaction[]>;
}

/** Each retry follows news: a transaction is no longer open, or the same bytes were signed before. */
const TRIES = 4;

/**
 * The same request with the same key returns the same transaction. `withKey`: if several requests share one check of the PIN. Throws
 * as `Custody.withKey`, `prepare`, `send` and `assertFit` do, `policy.refused`, and `request.conflict`.
 */
export async function spend(spender: Spender, request: SpendRequest, withKey?: WithKey): Promise<Sent> {
  const { db, custody } = spender;
  const { wallet, network, pincode, session, principal, keyedRequest } = request;
  const answered = await findAnswered(db, keyedRequest);
  if (answered) {
    await confirmReplicated(db);
    return answerAgain(spender, entryOf(answered));
  }
  if (wallet.archived_at) throw archived();
  await requireUsable(spender, principal, network);
  const spending = await Spending.begin(spender, request);
  if (session)
    return spending.inTurn((held) =>
      custody.withSession(held, wallet.id, session, async (key, opened) => {
        assertOneLeft(opened);
        return spending.signAndSend(held, key, opened);
      }),
    );
  // The PIN first: hashing it must not block the wallet for others.
  const open: WithKey = withKey ?? ((work) => custody.withKey(wallet.id, pincode, work));
  return open((key) => spending.inTurn((held) => spending.signAndSend(held, key)));
}

/** Where it is signed and sent. */
interface Place {
  chain: Chain;
  node: Node;
  lane: Lane;
}

interface Charge {
  session: SpendingSession;
  amounts: Amounts;
}

/** What is about to be signed. */
interface Prepared {
  draft: Draft;
  claims: Claims;
  effect: Effect | undefined;
  /** Ids of the entries whose place it takes. */
  replaced: string[];
  /** What it takes from the spending session that opens the wallet. */
  charge: Charge | undefined;
  /** The order to swap between chains that it carries. */
  order: CheckedOrder | undefined;
}

/** A request that nothing was signed for yet. `held` is always the connection with the lock of the wallet's lane. */
class Spending {
  readonly #spender: Spender;
  readonly #request: SpendRequest;
  readonly #chain: Chain;
  readonly #node: Node;
  readonly #lane: Lane;

  private constructor(spender: Spender, request: SpendRequest, { chain, node, lane }: Place) {
    this.#spender = spender;
    this.#request = request;
    this.#chain = chain;
    this.#node = node;
    this.#lane = lane;
  }

  static async begin(spender: Spender, request: SpendRequest): Promise<Spending> {
    const { wallet, network: other, customNode } = request;
    const network = other?.id ?? wallet.network;
    const [chain, node] = await Promise.all([
      loadChain(wallet.secret_type),
      nodeFor(spender, { ...wallet, network }, customNode),
    ]);
    const lane = await laneOn(spender.networks, wallet, node);
    return new Spending(spender, request, { chain, node, lane });
  }

  /** Waits for the lane's lock. A copy of the request that had it before has the answer. */
  inTurn(work: (held: Database) => Promise<Sent>): Promise<Sent> {
    const { keyedRequest } = this.#request;
    return this.#spender.exclusive(this.#lane.id, async (held) => {
      const answered = await findAnswered(held, keyedRequest);
      if (!answered) return work(held);
      await confirmReplicated(held);
      return answerAgain(this.#spender, entryOf(answered), held);
    });
  }

  async signAndSend(held: Database, key: PrivateKey, session?: SpendingSession): Promise<Sent> {
    for (let left = TRIES; left > 0; left--) {
      const prepared = await this.#prepare(held, session);
      const entry = await this.#sign(held, key, prepared);
      if (!entry) continue;
      await send(held, this.#spender, entry, true);
      return sentOf(entry);
    }
    throw conflict('The wallet has signed this very transaction for another request.');
  }

  async #prepare(held: Database, session: SpendingSession | undefined): Promise<Prepared> {
    const request = this.#request;
    const chain = this.#chain;
    const node = this.#node;
    const { networks } = this.#spender;
    // Of a request that replaces a transaction, that one may be waiting for exactly this.
    const replacing = request.replaces?.();
    const resend = (entries: readonly OpenTransaction[]) =>
      resendAll(this.#spender, held, entries, replacing);
    const open = await sendOpen(held, { request, node, lane: this.#lane }, resend);
    const draft = await request.draft({ chain, node, open, resend });
    // What names its nonce or its coins is the same transaction if it is signed again.
    if (!request.replaces)
      await this.#spender.restored.admit(held, {
        wallet: request.wallet,
        network: node.network.id,
        key: request.keyedRequest.key,
        draft,
      });
    const charge = session && { session, amounts: outflowOf(await chain.describe(draft)) };
    if (charge) assertCovered(session, charge.amounts);
    const claims = chain.claims?.(draft) ?? {};
    return {
      draft,
      claims,
      effect: await effectIn(chain, draft),
      replaced: open.filter((one) => isWaiting(one) && overlap(one.claims, claims)).map(({ id }) => id),
      charge,
      order: await checkOrder(draft, { networks, node, sender: request.wallet.address }),
    };
  }

  /** Checks the policies, signs, and writes all of it down together. Undefined if the same bytes were signed before. */
  #sign(held: Database, key: PrivateKey, prepared: Prepared): Promise<StoredTransaction | undefined> {
    const { guard } = this.#spender;
    const { wallet, network, principal, customNode, unsignable, beside } = this.#request;
    const { applicationId } = principal;
    const { draft, replaced, charge, order } = prepared;
    return guard.run(held, async (tx) => {
      if (!charge) await assertInUse(tx, wallet.id, applicationId);
      const count = await guard.admitTransfer(tx, {
        wallet,
        clientId: applicationId,
        draft,
        network: this.#node.network,
        byDefault: network === undefined,
        customNode: customNode !== undefined,
        replaced,
        order,
      });
      await order?.assertOpen();
      const signed = await this.#chain.sign(draft, key).catch((error: unknown) => {
        throw unsignable?.(error) ?? error;
      });
      const entry = await this.#addEntry(tx, signed, prepared);
      if (!entry) return undefined;
      await beside?.(tx, entry);
      if (charge) await this.#spender.custody.sessions.count(tx, charge.session.id, charge.amounts);
      await count(entry.id);
      if (charge) await this.#noteCharge(tx, charge, entry.hash);
      return entry;
    });
  }

  #addEntry(
    tx: Transaction<Schema>,
    signed: Signed,
    { draft, claims, effect, replaced }: Prepared,
  ): Promise<StoredTransaction | undefined> {
    const { wallet, customNode, request, replaces, keyedRequest, batch } = this.#request;
    return addEntry(
      tx,
      {
        walletId: wallet.id,
        ownerId: wallet.owner_id,
        secretType: wallet.secret_type,
        networkId: draft.network.id,
        customNode,
        signed,
        request,
        claims,
        draft: this.#chain.replace ? draft : undefined,
        effect,
        // A native request replaces by its nonce.
        replaces: replaces?.() ?? replaced.at(-1),
      },
      keyedRequest,
      batch,
    );
  }

  /** Writes what the session spent to the audit log. */
  async #noteCharge(
    tx: Transaction<Schema>,
    { session, amounts }: Charge,
    transactionHash: string,
  ): Promise<void> {
    const { wallet, keyedRequest } = this.#request;
    await this.#spender.audit(tx, {
      event: 'session.used',
      accountId: keyedRequest.accountId,
      walletId: wallet.id,
      details: { session: session.id, transactionHash, amounts: textOf(amounts) },
    });
  }
}

/** One check of the PIN for everything that `work` spends. Only `spend` gets the key, and checks the policies each time. */
export function withOneCheck<T>(
  { custody }: Pick<Spender, 'custody'>,
  { wallet, pincode }: { wallet: StoredWallet; pincode: PinProof },
  work: (withKey: WithKey) => Promise<T>,
): Promise<T> {
  return custody.withKey(wallet.id, pincode, (key) => work((use) => use(key)));
}

/**
 * The wallet may be archived, and the client revoked, while the request waits for its turn, or between two transactions of a batch; either
 * ends spending sessions by itself. Throws `wallet.archived` and `token.invalid`.
 */
async function assertInUse(tx: Database, walletId: string, applicationId: string): Promise<void> {
  const { archived_at, revoked } = await tx
    .selectFrom('wallets')
    .select(({ exists, selectFrom }) => [
      'archived_at',
      exists(
        selectFrom('clients')
          .select('id')
          .where('id', '=', applicationId)
          .where('revoked_at', 'is not', null),
      ).as('revoked'),
    ])
    .where('id', '=', walletId)
    .forShare()
    .executeTakeFirstOrThrow();
  if (archived_at) throw archived();
  if (revoked) throw new ConnectError('token.invalid', 'The client has been revoked.');
}

/** For the history. Undefined for an approved draft whose facts, which are not signed, cannot be read. */
async function effectIn(chain: Chain, draft: Draft): Promise<Effect | undefined> {
  try {
    return effectOf(await chain.describe(draft));
  } catch {
    return undefined;
  }
}

/** The open transactions of the lane, after sending those that no node is known to have. */
async function sendOpen(
  db: Database,
  {
    request: { wallet, customNode },
    node: { network },
    lane,
  }: { request: SpendRequest; node: Node; lane: Lane },
  resend: Context['resend'],
): Promise<OpenTransaction[]> {
  const open = await openEntries(db, wallet.id, lane.networks);
  const unsent = open.filter(
    (entry) =>
      entry.state === 'signed' &&
      entry.network === network.id &&
      entry.customNode?.nodeUrl === customNode?.nodeUrl,
  );
  if (unsent.length === 0) return open;
  const acceptedEntries = await resend(unsent);
  return open.filter((entry) => !unsent.includes(entry) || acceptedEntries.includes(entry));
}

/** The one with the id `replacing` may stay unsent. */
async function resendAll(
  spender: Spender,
  db: Database,
  entries: readonly OpenTransaction[],
  replacing: string | undefined,
): Promise<OpenTransaction[]> {
  const acceptedEntries: OpenTransaction[] = [];
  for (const entry of entries)
    try {
      await send(db, spender, await readEntry(db, entry.id));
      acceptedEntries.push(entry);
    } catch (error) {
      // Without the database nobody knows what became of it: its nonce and coins must not count as free.
      if (!(error instanceof ConnectError) || error.code === 'service.unreachable') throw error;
      if (error.code !== 'node.unreachable') continue;
      if (entry.id === replacing) {
        acceptedEntries.push(entry);
        continue;
      }
      throw new ConnectError(
        'node.unreachable',
        'No node accepts the transaction that this wallet signed before this one. Nothing was signed now.',
        { ...error.details, transactionHash: undefined, before: entry.hash },
        { cause: error },
      );
    }
  return acceptedEntries;
}

/** The draft of a native request. One that would fail is refused before it is signed. */
export function draftOf(request: ParsedRequest, wallet: WalletRow): SpendRequest['draft'] {
  return async ({ chain, node, open, resend }) => {
    let waiting = [...open];
    for (let left = TRIES; ; left--) {
      const claims = waiting.map(({ claims }) => claims);
      const draft = await chain.prepare(request, wallet.address, node, {
        used: [],
        own: [],
        reported: [],
        taken: claims,
      });
      // A transaction is valid only after those before it.
      const behind = unknownTo(waiting, chain.claims?.(draft) ?? {});
      const still = behind.length > 0 && left > 0 ? await resend(behind) : behind;
      if (still.length === behind.length) {
        assertFit(await chain.describe(draft), request);
        return draft;
      }
      waiting = waiting.filter((entry) => !behind.includes(entry) || still.includes(entry));
    }
  };
}

/** Earlier transactions that the node does not know. */
function unknownTo(
  open: readonly OpenTransaction[],
  { chainId, nonce, nodeNext }: Claims,
): OpenTransaction[] {
  if (nonce === undefined || nodeNext === undefined) return [];
  return open
    .filter(isOpen)
    .filter(({ claims }) => claims.chainId === chainId && claims.nonce !== undefined)
    .filter(({ claims }) => claims.nonce! >= nodeNext && claims.nonce! < nonce)
    .sort((a, b) => a.claims.nonce! - b.claims.nonce!);
}

/** A transaction that was not sent yet is sent now. */
async function answerAgain(spender: Spender, entry: StoredTransaction, held?: Database): Promise<Sent> {
  if (entry.state === 'refused' && entry.error) throw entry.error;
  if (entry.state === 'signed') {
    const again = async (db: Database): Promise<Sent> => {
      const now = await readEntry(db, entry.id);
      if (now.state === 'signed') await send(db, spender, now);
      else return answerAgain(spender, now, db);
      return sentOf(now);
    };
    if (held) return again(held);
    const { id } = await laneOfEntry(spender.db, spender.networks, entry);
    return spender.exclusive(id, again);
  }
  return sentOf(entry);
}

function sentOf({ hash, raw }: StoredTransaction): Sent {
  return { transactionHash: hash, raw };
}
