/**
 * Sends the receipts that are due, by any number of processes. At most once each: `sending` is stored before the server gets the message, and
 * what is found in that state after its lease may have arrived. It is marked `unknown`, and not sent again. Before, an attempt that failed or
 * whose process ended is repeated. An address is deleted with the outcome.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { Repeated } from '../../concurrency/repeated.ts';
import { acrossAccounts, inAccount } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { ReceiptMailRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { nextDelay } from '../../webhooks/backoff.ts';
import { receiptOf } from '../page/receipt-data.ts';
import { MailError, type MailServer } from './mail-server.ts';
import type { MailTimes } from './mail-settings.ts';
import { mailText } from './mail-text.ts';

const BATCH = 10;

export interface Sending extends Pick<Service, 'db' | 'clock' | 'networks'> {
  server: MailServer;
  times: MailTimes;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

export function sendMails(sending: Sending): Repeated {
  const round = async (isStopped: () => boolean): Promise<void> => {
    await sending.clock.doubt();
    await giveUpUnknown(sending);
    for (let mails = await claim(sending); mails.length; mails = await claim(sending))
      for (const mail of mails) {
        if (isStopped()) return;
        await inAccount(mail.application_id, () => attempt(sending, mail)).catch((error: unknown) =>
          sending.log.warn({ err: error, session: mail.session_id }, 'a receipt could not be sent'),
        );
      }
  };
  return new Repeated(
    (isStopped) =>
      round(isStopped).catch((error: unknown) =>
        sending.log.warn({ err: error }, 'receipts to send could not be read'),
      ),
    sending.times.everyMs,
  );
}

function claim({ db, times }: Sending): Promise<ReceiptMailRow[]> {
  const now = new Date(times.now());
  const until = new Date(times.now() + times.leaseMs);
  return acrossAccounts('due-mails', async () => {
    const { rows } = await sql<ReceiptMailRow>`
      update receipt_mails set leased_until = ${until} where session_id in (
        select session_id from receipt_mails
        where state = 'waiting' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})
        order by next_attempt_at limit ${BATCH} for update skip locked
      ) returning *`.execute(db);
    return rows;
  });
}

/** Whoever sent them did not live to see the outcome. */
async function giveUpUnknown({ db, times, log }: Sending): Promise<void> {
  const now = new Date(times.now());
  const lost = await acrossAccounts('due-mails', () =>
    db
      .updateTable('receipt_mails')
      .set({ state: 'unknown', address: null, next_attempt_at: null, leased_until: null, settled_at: now })
      .where('state', '=', 'sending')
      .where('leased_until', '<=', now)
      .returning('session_id')
      .execute(),
  );
  for (const { session_id } of lost)
    log.warn({ session: session_id }, 'a receipt may have been sent or not: it is not sent again');
}

/** Writes only while the lease is ours. */
async function settle(db: Database, mail: ReceiptMailRow, changes: object): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('receipt_mails')
    .set(changes)
    .where('session_id', '=', mail.session_id)
    .where('leased_until', '=', mail.leased_until)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function attempt(sending: Sending, mail: ReceiptMailRow): Promise<void> {
  const { db, server, times, log } = sending;
  const about = { session: mail.session_id };
  const session = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', mail.session_id)
    .executeTakeFirstOrThrow();
  let lease = mail.leased_until;
  const hold = async (changes: object): Promise<boolean> =>
    settle(db, { ...mail, leased_until: lease }, changes);
  const begin = async (): Promise<void> => {
    const until = new Date(times.now() + times.leaseMs);
    if (!(await hold({ state: 'sending', leased_until: until })))
      throw new MailError('not-sent', 'it took longer than its lease');
    lease = until;
  };
  let state: ReceiptMailRow['state'] = 'sent';
  let next: Date | null = null;
  try {
    const receipt = await receiptOf(sending, session);
    const text = await mailText(receipt, mail.language);
    const messageId = `<receipt-${receipt.number}@${server.domain}>`;
    await server.send({ ...text, to: mail.address!, messageId }, begin);
  } catch (error) {
    const isBegun = lease !== mail.leased_until;
    if (isBegun && !(error instanceof MailError)) throw error;
    const kind = error instanceof MailError ? error.kind : 'not-sent';
    const { message: reason } = error as Error;
    const delay = nextDelay(mail.attempts + 1, undefined);
    if (kind !== 'not-sent') state = kind;
    else if (delay === undefined) state = 'given-up';
    else [state, next] = ['waiting', new Date(times.now() + delay)];
    const again = next === null ? {} : { again: next };
    log.warn({ ...about, reason, ...again }, 'a receipt was not sent');
  }
  await hold({
    state,
    attempts: mail.attempts + 1,
    next_attempt_at: next,
    leased_until: null,
    ...(next === null && { address: null, settled_at: new Date(times.now()) }),
  });
}
