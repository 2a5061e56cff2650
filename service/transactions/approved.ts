/** Signs exactly what a user approved in the frame, or nothing. */
import { draftFromJson } from '../../src/api/draft-json.ts';
import type { ApprovedRequest } from '../../src/api/transaction.ts';
import type { Draft } from '../../src/chains/terms.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { WalletRow } from '../database/schema.ts';
import { readApproved, wrong } from './approved-draft.ts';
import { type OpenTransaction, isWaiting } from './journal.ts';
import type { Context, SpendRequest } from './spending.ts';

/** Throws `request.invalid` at `draft` and `replaces`, `request.conflict` when the wallet has used the nonce or a coin since. */
export function approvedDraft(
  body: ApprovedRequest,
  wallet: WalletRow,
): Required<Pick<SpendRequest, 'draft' | 'replaces'>> {
  let replacedId: string | undefined;
  const draft = async ({ chain, node, open }: Context): Promise<Draft> => {
    const approved = await readApproved(body.draft, { chain, node, address: wallet.address });
    const claims = chain.claims?.(approved) ?? {};
    const replaced = open.find(({ hash }) => hash === body.replaces);
    if (body.replaces !== undefined && !(replaced && isWaiting(replaced) && overlap(claims, replaced.claims)))
      throw new ConnectError(
        'request.conflict',
        'The transaction that this one was to replace is no longer waiting.',
        { reason: 'replaces' },
      );
    if (takesFromOthers(claims, open, replaced))
      throw new ConnectError(
        'request.conflict',
        'The wallet has signed another transaction since. Prepare and approve this one again.',
        { reason: 'draft' },
      );
    replacedId = replaced?.id;
    return approved;
  };
  return { draft, replaces: () => replacedId };
}

/** The id of the network that a draft says it is on; undefined for a text that is no draft. */
export function draftNetwork({ draft }: Pick<ApprovedRequest, 'draft'>): string | undefined {
  try {
    const { network } = draftFromJson(draft) as { network?: { id?: unknown } };
    return typeof network?.id === 'string' ? network.id : undefined;
  } catch {
    return undefined;
  }
}

/** Signers trust drafts that our code made; this one comes from outside. */
export function unsignable(error: unknown): unknown {
  return error instanceof ConnectError ? error : wrong('cannot be signed by the wallet');
}

/** Whether the claims are those of an open transaction that `replaced` does not stand in the way of, too. */
export function takesFromOthers(
  claims: Claims,
  open: readonly OpenTransaction[],
  replaced: OpenTransaction | undefined,
): boolean {
  const others = replaced ? open.filter((entry) => !overlap(entry.claims, replaced.claims)) : open;
  return others.some((entry) => overlap(entry.claims, claims));
}

/** Only one of two such transactions can take effect. */
export function overlap(a: Claims, b: Claims): boolean {
  if (a.nonce !== undefined && a.nonce === b.nonce && a.chainId === b.chainId) return true;
  return a.coins?.some((coin) => b.coins?.includes(coin)) ?? false;
}
