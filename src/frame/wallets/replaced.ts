/** Reports replacements of a site's transactions to that site only: its page tracks them by hash. */
import type { Replaced } from '../../channel/messages.ts';
import type { ActivityRecord, Vault } from '../../wallets/types.ts';
import type { Reader } from '../frame.ts';

/** As long as a page tracks its transactions. */
const FOLLOWED_MS = 7 * 24 * 60 * 60 * 1000;

export async function tellReplaced(
  { link, clock }: Pick<Reader, 'link' | 'clock'>,
  vault: Vault,
): Promise<void> {
  const wallets = await vault.linked(link.origin, true);
  const lists = await Promise.all(wallets.map(({ id }) => vault.activity.list(id)));
  const replaced = lists.flatMap((records) =>
    records
      .filter(({ origin, at }) => origin === link.origin && clock.date() - at < FOLLOWED_MS)
      .flatMap((record) => successors(record, records)),
  );
  if (replaced.length) link.sendReplaced(replaced);
}

/** All successive replacements, if it was replaced more than once. */
function successors(first: ActivityRecord, records: readonly ActivityRecord[]): Replaced[] {
  const found: Replaced[] = [];
  let last: ActivityRecord | undefined = first;
  while (last?.replacedBy !== undefined && found.length < records.length) {
    const by: string = last.replacedBy;
    found.push({ transactionHash: first.hash, by, how: last.replacedTo ?? 'speed-up' });
    last = records.find(({ hash }) => hash === by);
  }
  return found;
}
