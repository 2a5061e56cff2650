/**
 * Every use of a wallet's key is checked against its policies here, in the database transaction that stores and counts what is signed. So
 * no other process counts against the same limit meanwhile, no policy changes in between, and a crash leaves all of it or nothing.
 */
import { sql, type Transaction } from 'kysely';
import type { Draft, ParsedSigning } from '../../src/chains/terms.ts';
import type { Network } from '../../src/chains/network.ts';
import type { Move, Outflow } from '../../src/chains/outflow.ts';
import { loadOutflow } from '../networks/chains.ts';
import { CARDS, coinOf, type SecretType } from '../../src/chains/secret-type.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import type { RouterSwap, TermsReader } from '../../src/swaps/router-swap.ts';
import { exchangeAt } from '../../src/swaps/terms.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import {
  type Amounts,
  amountsOf,
  type DaySums,
  needsApproval,
  type Spend,
  type SpendOrder,
  type Violation,
  violationOf,
} from './check-spend.ts';
import { signatureViolation } from './check-signature.ts';
import { findHeld, type FrozenDraft, type Holding, hold, isApprover, useHeld } from './held-transactions.ts';
import { isOpen } from './hours.ts';
import { type InForce, policiesInForce, subjectsOf } from './policy-store.ts';
import { refusal } from './refusal.ts';

/** How far the clocks of process and database may be apart. Days and hours go by the database's, which must not have been tampered with. */
const MAX_SKEW_MS = 5 * 60_000;

interface GuardedWallet {
  id: string;
  owner_id: string;
  application_id: string;
  address: string;
  secret_type: SecretType;
}

/** Who uses which wallet's key. */
export interface Use {
  wallet: GuardedWallet;
  /** Account of the application that makes the request, for itself or for a user. */
  clientId: string;
}

/** What is signed for a network. */
interface Signing extends Use {
  network: Network;
  /** Whether that is the wallet's default network. */
  byDefault: boolean;
}

export interface Transfer extends Signing {
  draft: Draft;
  customNode: boolean;
  /** Ids of the wallet's pending transactions that this one competes with: only one of them can take effect. */
  replaced: readonly string[];
  /** The order to swap between chains that it carries. */
  order?: SpendOrder | undefined;
}

/** A rule refuses. Thrown inside the transaction, and turned into the caller's error after the rollback. */
class Refused extends Error {
  constructor(
    readonly use: Use,
    readonly violation: Violation,
    readonly holding?: Holding,
  ) {
    super(violation.message);
  }
}

/** Counts the transaction, once it is stored under this id. */
export type Count = (transactionId: string) => Promise<void>;

export class Guard {
  readonly #db: Database;
  readonly #keys: KeyProvider;
  readonly #now: () => number;

  constructor(db: Database, keys: KeyProvider, now: () => number = () => Date.now()) {
    this.#db = db;
    this.#keys = keys;
    this.#now = now;
  }

  /** Runs `work` in a transaction of `db`. A refusal in it is logged, and thrown as `policy.refused`. */
  async run<T>(db: Database, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      throw error instanceof Refused ? await this.#answer(db, error) : error;
    }
  }

  /** Inside `run`, before the draft is signed. */
  async admitTransfer(tx: Transaction<Schema>, transfer: Transfer): Promise<Count> {
    const policies = await this.#policies(tx, transfer, { toCount: true });
    if (policies.length === 0) return async () => {};
    const refuse = (violation: Violation): never => {
      throw new Refused(transfer, violation);
    };
    const { wallet, draft, replaced, customNode, network, byDefault } = transfer;
    const now = await this.#time(tx, refuse);
    const outflow = await (await loadOutflow(wallet.secret_type))?.(draft);
    if (!outflow) return refuse({ rule: 'chain', message: 'Transactions of this chain cannot be limited.' });
    const spend: Spend = {
      secretType: wallet.secret_type,
      network: network.id,
      byDefault,
      coin: coinOf(network).symbol,
      from: wallet.address,
      customNode,
      outflow,
      swaps: await Promise.all(outflow.moves.map((move) => swapOf(move, network, wallet.secret_type))),
      order: transfer.order,
    };
    const amounts = amountsOf(spend);
    const first = await firstOf(tx, replaced);
    const sums = new Map<string, { added: Amounts; spent: DaySums }>();
    for (const subject of new Set(policies.map((policy) => policy.subject)))
      sums.set(subject, await sumsOf(tx, subject, { spend, amounts, first }));
    for (const { subject, rules } of policies) {
      const violation = violationOf(rules, spend, { now, amounts, ...sums.get(subject)! });
      if (violation) refuse({ ...violation, details: { ...violation.details, policy: subject } });
    }
    const asking = policies.filter(({ rules }) => needsApproval(rules, spend, amounts));
    // An approval pays once: it is used again only by a transaction that competes with each that has used it before.
    const rivals = first === undefined ? [] : replaced;
    const held =
      asking.length > 0
        ? await approvalOf(tx, { ...transfer, replaced: rivals }, outflow, asking)
        : undefined;
    return async (transactionId) => {
      for (const [subject, { added }] of sums)
        await record(tx, { subject, transactionId, first: first ?? transactionId, spend, added });
      if (held !== undefined) await useHeld(tx, held, transactionId);
      await this.#log(tx, transfer, 'transaction.signed', {
        transactionId,
        amounts: Object.fromEntries([...amounts].map(([asset, raw]) => [asset, String(raw)])),
      });
    };
  }

  /** Inside `run`, before data is signed. */
  async admitSignature(tx: Transaction<Schema>, use: Signing & { request: ParsedSigning }): Promise<void> {
    const policies = await this.#policies(tx, use);
    if (policies.length === 0) return;
    const now = await this.#time(tx, (violation) => {
      throw new Refused(use, violation);
    });
    const { wallet, network, byDefault } = use;
    const place = { secretType: wallet.secret_type, network: network.id, byDefault };
    for (const { subject, rules } of policies) {
      const violation =
        rules.hours && !isOpen(rules.hours, now)
          ? closed()
          : await signatureViolation(rules, place, use.request);
      if (violation)
        throw new Refused(use, { ...violation, details: { ...violation.details, policy: subject } });
    }
    await this.#log(tx, use, 'data.signed', { type: use.request.type });
  }

  /** Before a key is exported. Whoever has the key can spend without any check. */
  async admitExport(use: Use): Promise<void> {
    await this.run(this.#db, async (tx) => {
      const policies = await this.#policies(tx, use);
      const against = policies.find(({ rules }) => !rules.keyExport);
      if (against)
        throw new Refused(use, {
          rule: 'key-export',
          message: 'The key of a wallet with a policy is not exported: nothing could limit its use any more.',
          details: { policy: against.subject },
        });
      await this.#log(tx, use, 'key.exported', {});
    });
  }

  #policies(tx: Transaction<Schema>, { wallet, clientId }: Use, how = {}): Promise<InForce[]> {
    return policiesInForce(tx, subjectsOf(wallet, clientId), how);
  }

  async #time(tx: Transaction<Schema>, refuse: (violation: Violation) => never): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
    const { now } = rows[0]!;
    if (Math.abs(now.getTime() - this.#now()) > MAX_SKEW_MS)
      refuse({
        rule: 'clock',
        message:
          'The clocks of the service and its database are more than 5 minutes apart, so daily limits cannot be enforced.',
      });
    return now;
  }

  async #log(tx: Transaction<Schema>, { wallet, clientId }: Use, action: AuditAction, details: object) {
    await audit(tx, this.#keys, { actor: clientId, action, subject: `wallet:${wallet.id}`, details });
  }

  async #answer(db: Database, { use, violation, holding }: Refused): Promise<ConnectError> {
    const { rule, message, details = {} } = violation;
    return db.transaction().execute(async (tx) => {
      const transactionId = holding ? await hold(tx, this.#keys, holding) : details['transactionId'];
      await this.#log(tx, use, 'policy.refused', { rule, ...details });
      return refusal(rule, message, { ...details, ...(transactionId && { transactionId }) });
    });
  }
}

function closed(): Violation {
  return { rule: 'hours', message: 'The policy does not allow signatures at this time.' };
}

/** Id of the held transaction that a second client approved for every policy in `asking`. If there is none, it is held and refused. */
async function approvalOf(
  tx: Transaction<Schema>,
  transfer: Transfer,
  outflow: Outflow,
  asking: readonly InForce[],
): Promise<string> {
  const { wallet, clientId, network, replaced } = transfer;
  const draft: FrozenDraft = {
    secretType: wallet.secret_type,
    network: network.id,
    walletId: wallet.id,
    from: wallet.address,
    outflow,
  };
  const candidates = await findHeld(tx, draft, clientId, replaced);
  const approved = candidates.find(({ approvedBy }) =>
    asking.every((policy) => approvedBy.some((one) => one !== clientId && isApprover(policy, one))),
  );
  if (approved) return approved.id;
  const approvers = [...new Set(asking.flatMap(({ rules }) => rules.fourEyes!.approvers))].sort();
  // One that was held for others can no longer be approved by all who may do so now.
  const waiting = candidates.find((one) => isSame(one.approvers, approvers));
  throw new Refused(
    transfer,
    {
      rule: 'four-eyes',
      message:
        'The policy requires the approval of a second client. Repeat the request once it has approved.',
      details: { policy: asking[0]!.subject, ...(waiting && { transactionId: waiting.id }) },
    },
    waiting ? undefined : { ownerId: wallet.owner_id, draft, clientId, approvers },
  );
}

function isSame(held: readonly string[], current: readonly string[]): boolean {
  return held.length === current.length && current.every((id) => held.includes(id));
}

/** What a call to a listed router swaps; `null` if it is not a plain swap, undefined for other calls. */
async function swapOf(
  move: Move,
  network: Network,
  secretType: SecretType,
): Promise<RouterSwap | null | undefined> {
  if (move.kind !== 'call' || !CARDS[secretType].contracts) return undefined;
  const { contract: to, value, data } = move;
  const exchange = exchangeAt(network, to);
  if (!exchange) return undefined;
  const { readSwap } = (await import(`../../src/swaps/exchanges/${exchange.kind}/terms.ts`)) as TermsReader;
  return readSwap({ to, value, data }, exchange.wrapped.toLowerCase()) ?? null;
}

/**
 * The first of a chain of transactions that all compete with each other and with this one. Undefined if one of them may take effect beside
 * this one: a transaction that spends the coins of two others replaces either, while those two do not compete.
 */
async function firstOf(tx: Transaction<Schema>, replaced: readonly string[]): Promise<string | undefined> {
  if (replaced.length === 0) return undefined;
  const rows = await tx
    .selectFrom('policy_spends')
    .select(['first_id', 'transaction_id'])
    .distinct()
    .where('first_id', 'in', (from) =>
      from
        .selectFrom('policy_spends')
        .select('first_id')
        .where('transaction_id', 'in', [...replaced]),
    )
    .execute();
  const first = rows[0]?.first_id;
  const excludeEachOther = rows.every(
    (row) => row.first_id === first && replaced.includes(row.transaction_id),
  );
  return excludeEachOther ? first : undefined;
}

const DAY = sql`interval '24 hours'`;

/**
 * Of the last 24 hours. A replacement adds only the difference, because only one of the two takes effect. Rows without a network are of an
 * older version, and count on each.
 */
async function sumsOf(
  tx: Transaction<Schema>,
  subject: string,
  { spend: { network }, amounts, first }: { spend: Spend; amounts: Amounts; first: string | undefined },
): Promise<{ added: Amounts; spent: DaySums }> {
  const { rows } = await sql<{ asset: string; home: string; there: string; replaced: string }>`
    select asset, coalesce(sum(raw) filter (where by_default), 0)::text as home,
      coalesce(sum(raw) filter (where coalesce(network, ${network}) = ${network}), 0)::text as there,
      coalesce(sum(raw) filter (where first_id = ${first ?? ''}), 0)::text as replaced
    from policy_spends
    where subject = ${subject} and asset = any(${sql.val([...amounts.keys()])}::text[])
      and spent_at > clock_timestamp() - ${DAY}
    group by asset`.execute(tx);
  const counted = new Map(rows.map((row) => [row.asset, BigInt(row.replaced)]));
  const more = (asset: string, raw: bigint): bigint => {
    const before = counted.get(asset) ?? 0n;
    return raw > before ? raw - before : 0n;
  };
  return {
    spent: {
      byDefault: new Map(rows.map((row) => [row.asset, BigInt(row.home)])),
      there: new Map(rows.map((row) => [row.asset, BigInt(row.there)])),
    },
    added: new Map([...amounts].map(([asset, raw]) => [asset, more(asset, raw)])),
  };
}

/** What was signed counts, whatever happens to it: whoever has the bytes can broadcast them. */
async function record(
  tx: Transaction<Schema>,
  {
    subject,
    transactionId,
    first,
    spend: { network, byDefault },
    added,
  }: { subject: string; transactionId: string; first: string; spend: Spend; added: Amounts },
): Promise<void> {
  await tx
    .insertInto('policy_spends')
    .values(
      [...added].map(([asset, raw]) => ({
        subject,
        asset,
        network,
        by_default: byDefault,
        transaction_id: transactionId,
        raw: String(raw),
        first_id: first,
        spent_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute();
}
