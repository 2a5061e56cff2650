/**
 * Signs a transaction and sends it, once. One at a time for each wallet, across all processes, from reading its open transactions to the
 * node's answer: so no nonce or coin is used twice, and a refused transaction leaves no gap.
 */
import type { Chain, Draft, Known, Node, ParsedRequest, PrivateKey } from '../../src/chains/chain.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import { loadChain } from '../networks/chains.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import type { SpendingSession } from '../custody/spending-sessions.ts';
import { archived, conflict } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import { confirmReplicated } from '../database/replicated.ts';
import type { WalletRow } from '../database/schema.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Service } from '../service.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { type Effect, effectOf } from './effects.ts';
import { assertFit } from './fit.ts';
import {
  type Entry,
  type OpenEntry,
  addEntry,
  entryOf,
  isOpen,
  isWaiting,
  openEntries,
  readEntry,
} from './journal.ts';
import { type KeyedRequest, findAnswered } from '../idempotency/request-keys.ts';
import { overlap } from './approved.ts';
import { send } from './sending.ts';
import { assertCovered, assertOneLeft, outflowOf, textOf } from './session-limits.ts';

export type Spender = Pick<
  Service,
  'db' | 'custody' | 'guard' | 'networks' | 'outbound' | 'audit' | 'events' | 'exclusive'
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
export type Order = Opening & {
  wallet: StoredWallet;
  /** The application that makes the request, for itself or for a user. */
  clientId: string;
  asked: KeyedRequest;
  /** JSON for the journal, without the PIN. */
  request: string;
  customNode?: NetworkChoice | undefined;
  /** Makes the draft that is signed, given the wallet's open transactions. */
  draft: (context: Context) => Promise<Draft>;
  /** The error for the caller when the draft cannot be signed. */
  unsignable?: (error: unknown) => unknown;
  /** Id of the entry that it replaces; undefined as long as that is not known. */
  replaces?: () => string | undefined;
  /** The batch that this one is part of. */
  batch?: KeyedRequest;
  /** What is written together with the entry: all of it, or nothing. If it throws, nothing was signed. */
  beside?: (tx: Database, entry: Entry) => Promise<void>;
};

/** Hands the wallet's key to `work`, after a check of its PIN. */
export type WithKey = <T>(work: (key: PrivateKey) => Promise<T>) => Promise<T>;

export interface Context {
  chain: Chain;
  node: Node;
  open: readonly OpenEntry[];
  /** Sends transactions that the node does not know again. Returns those that the network still accepts. */
  resend: (entries: readonly OpenEntry[]) => Promise<OpenEntry[]>;
}

/** Each retry follows news: a transaction is no longer open, or the same bytes were signed before. */
const TRIES = 4;

/**
 * The same request with the same key returns the same transaction. `withKey`: if several requests share one check of the PIN. Throws
 * as `Custody.withKey`, `prepare`, `send` and `assertFit` do, `policy.refused`, and `request.conflict`.
 */
export async function spend(spender: Spender, order: Order, withKey?: WithKey): Promise<Sent> {
  const { db, custody, guard, exclusive, audit } = spender;
  const { wallet, clientId, asked } = order;
  const before = await findAnswered(db, asked);
  if (before) {
    await confirmReplicated(db);
    return answerAgain(spender, entryOf(before));
  }
  if (wallet.archived_at) throw archived();
  const [chain, node] = await Promise.all([
    loadChain(wallet.secret_type),
    nodeFor(spender, wallet, order.customNode),
  ]);
  const signAndSend = async (held: Database, key: PrivateKey, session?: SpendingSession): Promise<Sent> => {
    for (let left = TRIES; left > 0; left--) {
      // Of an order that replaces one, that one may be waiting for exactly this.
      const replacing = order.replaces?.();
      const resend = (entries: readonly OpenEntry[]) => resendAll(spender, held, entries, replacing);
      const open = await sendOpen(held, order, node, resend);
      const draft = await order.draft({ chain, node, open, resend });
      const amounts = session && outflowOf(await chain.describe(draft));
      if (session && amounts) assertCovered(session, amounts);
      const claims = chain.claims?.(draft) ?? {};
      const effect = await effectIn(chain, draft);
      const replaced = open
        .filter((one) => isWaiting(one) && overlap(one.claims, claims))
        .map(({ id }) => id);
      const entry = await guard.run(held, async (tx) => {
        if (!session) await assertInUse(tx, wallet.id, clientId);
        const count = await guard.admitTransfer(tx, {
          wallet,
          clientId,
          draft,
          network: node.network,
          customNode: order.customNode !== undefined,
          replaced,
        });
        const signed = await chain.sign(draft, key).catch((error: unknown) => {
          throw order.unsignable?.(error) ?? error;
        });
        const added = await addEntry(
          tx,
          {
            walletId: wallet.id,
            ownerId: wallet.owner_id,
            secretType: wallet.secret_type,
            networkId: draft.network.id,
            customNode: order.customNode,
            signed,
            request: order.request,
            claims,
            draft: chain.replace ? draft : undefined,
            effect,
            // A native request replaces by its nonce.
            replaces: order.replaces?.() ?? replaced.at(-1),
          },
          asked,
          order.batch,
        );
        if (!added) return undefined;
        await order.beside?.(tx, added);
        if (session && amounts) await custody.sessions.count(tx, session.id, amounts);
        await count(added.id);
        if (session && amounts)
          await audit(tx, {
            event: 'session.used',
            accountId: asked.accountId,
            walletId: wallet.id,
            details: { session: session.id, transactionHash: signed.hash, amounts: textOf(amounts) },
          });
        return added;
      });
      if (!entry) continue;
      await send(held, spender, entry, true);
      return sentOf(entry);
    }
    throw conflict('The wallet has signed this very transaction for another request.');
  };
  const inTurn = (work: (held: Database) => Promise<Sent>): Promise<Sent> =>
    exclusive(wallet.id, async (held) => {
      const faster = await findAnswered(held, asked);
      if (!faster) return work(held);
      await confirmReplicated(held);
      return answerAgain(spender, entryOf(faster), held);
    });
  const { pincode, session } = order;
  if (session) {
    return inTurn((held) =>
      custody.withSession(held, wallet.id, session, async (key, found) => {
        assertOneLeft(found);
        return signAndSend(held, key, found);
      }),
    );
  }
  // The PIN first: hashing it must not block the wallet for others.
  const open: WithKey = withKey ?? ((work) => custody.withKey(wallet.id, pincode, work));
  return open((key) => inTurn((held) => signAndSend(held, key)));
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
async function assertInUse(tx: Database, walletId: string, clientId: string): Promise<void> {
  const { archived_at, revoked } = await tx
    .selectFrom('wallets')
    .select(({ exists, selectFrom }) => [
      'archived_at',
      exists(
        selectFrom('clients').select('id').where('id', '=', clientId).where('revoked_at', 'is not', null),
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

/** The wallet's open transactions, after sending those that no node is known to have. */
async function sendOpen(
  db: Database,
  { wallet, customNode }: Order,
  { network }: Node,
  resend: Context['resend'],
): Promise<OpenEntry[]> {
  const open = await openEntries(db, wallet.id);
  const unsent = open.filter(
    (entry) =>
      entry.state === 'signed' &&
      entry.network === network.id &&
      entry.customNode?.nodeUrl === customNode?.nodeUrl,
  );
  if (unsent.length === 0) return open;
  const taken = await resend(unsent);
  return open.filter((entry) => !unsent.includes(entry) || taken.includes(entry));
}

/** The one with the id `replacing` may stay unsent. */
async function resendAll(
  spender: Spender,
  db: Database,
  entries: readonly OpenEntry[],
  replacing: string | undefined,
): Promise<OpenEntry[]> {
  const taken: OpenEntry[] = [];
  for (const entry of entries)
    try {
      await send(db, spender, await readEntry(db, entry.id));
      taken.push(entry);
    } catch (error) {
      // Without the database nobody knows what became of it: its nonce and coins must not count as free.
      if (!(error instanceof ConnectError) || error.code === 'service.unreachable') throw error;
      if (error.code !== 'node.unreachable') continue;
      if (entry.id === replacing) {
        taken.push(entry);
        continue;
      }
      throw new ConnectError(
        'node.unreachable',
        'No node accepts the transaction that this wallet signed before this one. Nothing was signed now.',
        { ...error.details, transactionHash: undefined, before: entry.hash },
        { cause: error },
      );
    }
  return taken;
}

/** The draft of a native request. One that would fail is refused before it is signed. */
export function draftOf(request: ParsedRequest, wallet: WalletRow): Order['draft'] {
  return async ({ chain, node, open, resend }) => {
    let waiting = [...open];
    for (let left = TRIES; ; left--) {
      const taken = waiting.map(({ claims }) => claims);
      const known: Known = { used: [], own: [], reported: [], taken };
      const draft = await chain.prepare(request, wallet.address, node, known);
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
function unknownTo(open: readonly OpenEntry[], { chainId, nonce, nodeNext }: Claims): OpenEntry[] {
  if (nonce === undefined || nodeNext === undefined) return [];
  return open
    .filter(isOpen)
    .filter(({ claims }) => claims.chainId === chainId && claims.nonce !== undefined)
    .filter(({ claims }) => claims.nonce! >= nodeNext && claims.nonce! < nonce)
    .sort((a, b) => a.claims.nonce! - b.claims.nonce!);
}

/** A transaction that was not sent yet is sent now. */
async function answerAgain(spender: Spender, entry: Entry, held?: Database): Promise<Sent> {
  if (entry.state === 'refused' && entry.error) throw entry.error;
  if (entry.state === 'signed') {
    const again = async (db: Database): Promise<Sent> => {
      const now = await readEntry(db, entry.id);
      if (now.state === 'signed') await send(db, spender, now);
      else return answerAgain(spender, now, db);
      return sentOf(now);
    };
    return held ? again(held) : spender.exclusive(entry.wallet_id, again);
  }
  return sentOf(entry);
}

function sentOf({ hash, raw }: Entry): Sent {
  return { transactionHash: hash, raw };
}
