/** Transactions that a chain has and a restored database has not, and what they have in common with one that is about to be signed. */
import type { Claims } from '../../src/chains/approval/claims.ts';
import type { Draft, Node } from '../../src/chains/terms.ts';
import type { Contract, TronDraft } from '../../src/chains/tron/draft.ts';

export interface MissingTransaction {
  hash: string;
  /** What it does, apart from fee and nonce, in the form of `effectsOf`. */
  effects: string[];
}

export interface Missing {
  /** How many; null where the chain cannot tell. */
  count: number | null;
  /** Those of them that were found. */
  transactions: MissingTransaction[];
  /** Why it cannot tell. */
  why?: string;
}

export const NONE: Missing = { count: 0, transactions: [] };

/** What the database has of a wallet’s transactions on the chain. */
export interface KnownTransaction {
  hash: string;
  state: string;
  claims: Claims;
}

/** Compares one wallet with the chain. */
export type Compare = (address: string, known: readonly KnownTransaction[]) => Promise<Missing>;

/** Prepares to compare wallets on the node’s network with what it has had since that time, in milliseconds since 1970. */
export type Comparer = (node: Node, since: number) => Promise<Compare>;

/** So far may clocks be apart, and a node behind. What was made before the back-up is known, and does not count. */
export const MARGIN_MS = 5 * 60_000;

interface Call {
  to: string | null;
  value: bigint;
  data: string;
}

export function effectOfCall({ to, value, data }: Call): string {
  return `${(to ?? 'new').toLowerCase()} ${value} ${data.toLowerCase()}`;
}

export function effectOfOutput({ script, value }: { script: string; value: bigint }): string {
  return `${script.toLowerCase()} ${value}`;
}

/** Of Tron. */
export function effectOfContract(contract: Contract): string {
  const { kind, to } = contract;
  if (kind === 'call') return `call ${to} ${contract.value} ${contract.data.toLowerCase()}`;
  return `${kind === 'asset' ? contract.token : kind} ${to} ${contract.amount}`;
}

/** Undefined for chains whose transactions are not searched. */
export function effectsOf(draft: Draft): string[] | undefined {
  if (draft.secretType === 'TRON') return [effectOfContract((draft as TronDraft).contract)];
  const fields = draft as Draft &
    Partial<Call> & { clauses?: Call[]; outputs?: { script: string; value: bigint }[] };
  if (fields.clauses) return fields.clauses.map(effectOfCall);
  // The second is the change.
  if (fields.outputs) return fields.outputs.slice(0, 1).map(effectOfOutput);
  const { to, value, data } = fields;
  return to !== undefined && value !== undefined && data !== undefined
    ? [effectOfCall({ to, value, data })]
    : undefined;
}
