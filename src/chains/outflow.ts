/**
 * The maximum that a draft can take from the wallet, read from its signed fields alone: `outflow.ts` of a
 * chain's folder. The service checks spending policies with it; browsers never load it.
 */
import type { Draft } from './terms.ts';
import { folderOf, partOf } from './modules.ts';
import { CARDS, type SecretType } from './secret-type.ts';

/** An amount or an item that is sent or, with `allowance`, that `to` may take from now on. */
export interface GivenAsset {
  /** Contract or id; absent for the coin. */
  token?: string | undefined;
  /** Smallest units; absent for an item. */
  raw?: bigint | undefined;
  /** Absent if it goes into a trade. */
  to?: string | undefined;
  allowance?: true | undefined;
}

export type Move =
  /** The coin, or a token without a contract. */
  | { kind: 'pay'; token?: string | undefined; raw: bigint; to: string }
  | {
      kind: 'call';
      contract: string;
      /** Of the coin, sent with it. */
      value: bigint;
      data: string;
      /** It is a single function of a token's own contract, and moves or allows exactly what `given` says. */
      plain: boolean;
      /** What it gives away, as far as that is readable. */
      given: readonly GivenAsset[];
    }
  | { kind: 'creation'; value: bigint };

export interface Outflow {
  moves: readonly Move[];
  /** At most. In the coin if `token` is absent. */
  fee: { raw: bigint; token?: string | undefined };
  /** Every signed field except those that go stale: nonce, block reference, lifetime, price, and the wallet's own coins and change. */
  fixed: object;
}

export type ReadOutflow<D extends Draft = Draft> = (draft: D) => Outflow | Promise<Outflow>;

/** Undefined for a chain whose card says that its drafts cannot be limited. Rejects with `chain.not-supported`. */
export async function loadOutflow(secretType: SecretType): Promise<ReadOutflow | undefined> {
  const folder = folderOf(secretType);
  if (CARDS[secretType].outflow === false) return undefined;
  const module = import(`./${folder}/outflow.ts`);
  const { readOutflow } = await partOf<{ readOutflow: ReadOutflow }>(secretType, 'outflow', module);
  return readOutflow;
}
