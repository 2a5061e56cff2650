/** The sessions of payment pages. Anyone who has a page's address may use it: only the customer and the shop know it. */
import { inAccount } from '../../database/account-scope.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { upToDate } from './expiry.ts';
import { readPageSession } from './read-session.ts';

export type OnPage = <T>(page: { page: string }, work: (session: SessionRow) => T | Promise<T>) => Promise<T>;

/** Does `work` with the session of a page. One whose time is over is expired first. Throws `checkout.session.unknown`. */
export function onPageOf({ db, payments }: Pick<Service, 'db' | 'payments'>): OnPage {
  return async ({ page }, work) => {
    const session = await readPageSession(db, page, payments.name);
    return inAccount(session.application_id, async () => work(await upToDate(db, payments, session)));
  };
}
