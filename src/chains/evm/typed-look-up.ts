/** What the node says about a permission: whether it is for all that is held, and whether code binds who gets it. */
import type { Node } from '../chain.ts';
import type { SigningWarning } from '../approval/signing.ts';
import { readCode, readTokenBalance } from './node.ts';
import { danger, type Reading } from './typed-form.ts';

/** Where the node does not answer, nothing is said. `from`: who signs. */
export async function lookUp({ deed, owner }: Reading, from: string, node: Node): Promise<SigningWarning[]> {
  if (!deed || ![deed.kind, deed.does].some((what) => what === 'allow' || what === 'take')) return [];
  const { to, amounts } = deed;
  const limited = amounts.filter(({ unlimited, amount }) => !unlimited && amount.token && amount.raw > 0n);
  // All at once, so they go as one batch.
  const [code, ...balances] = await Promise.all([
    readCode(node, to!).catch(() => undefined),
    ...limited
      .slice(0, 20)
      .map(({ amount }) => readTokenBalance(node, amount.token!, owner ?? from).catch(() => undefined)),
  ]);
  const warnings: SigningWarning[] = [];
  for (const [i, held] of balances.entries()) {
    const limit = limited[i]!;
    if (held && limit.amount.decimals !== 0 && limit.amount.raw >= held)
      warnings.push({
        code: 'all-you-hold',
        level: 'danger',
        limit: { amount: { ...limit.amount, raw: held } },
        params: { spender: to! },
      });
  }
  if (code === '0x') warnings.push(danger('spender-is-account', { spender: to! }));
  return warnings;
}
