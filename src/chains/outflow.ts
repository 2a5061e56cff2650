/**
 * What a draft lets go of, at most, by its signed fields alone: `outflow.ts` of a chain's folder. The service's spending policies are
 * checked by it; nothing that a browser loads is.
 */
import type { Draft } from './chain.ts';
import type { SecretType } from './secret-type.ts';

/** Of an amount or an item: a gift, or with `allowance` what `to` may take from now on. */
export interface Given {
  /** Contract or id; absent for the coin. */
  token?: string | undefined;
  /** Smallest units; absent where it is no amount, as of an item. */
  raw?: bigint | undefined;
  /** Absent where a trade takes it. */
  to?: string | undefined;
  allowance?: true | undefined;
}

export type Move =
  /** The coin, or a token that is no contract. */
  | { kind: 'pay'; token?: string | undefined; raw: bigint; to: string }
  | {
      kind: 'call';
      contract: string;
      /** Of the coin, sent with it. */
      value: bigint;
      data: string;
      /** It is one function of the contract's own token, and moves or allows what `given` says and nothing else. */
      plain: boolean;
      /** What it gives, as far as it can be read. */
      given: readonly Given[];
    }
  | { kind: 'creation'; value: bigint };

export interface Outflow {
  moves: readonly Move[];
  /** At most. Without `token` in the coin. */
  fee: { raw: bigint; token?: string | undefined };
  /** Every field that is signed, but for those that age: nonce, place, lifetime, price, and the wallet's coins and change. */
  fixed: object;
}

export type ReadOutflow<D extends Draft = Draft> = (draft: D) => Outflow | Promise<Outflow>;

/** Undefined for a chain without one: its drafts cannot be limited. */
export async function loadOutflow(secretType: SecretType): Promise<ReadOutflow | undefined> {
  try {
    const { readOutflow } = (await import(`./${secretType.toLowerCase()}/outflow.ts`)) as {
      readOutflow: ReadOutflow;
    };
    return readOutflow;
  } catch {
    return undefined;
  }
}
