/** Receipts by e-mail, if the service has an SMTP server: docs/checkout.md. */
import { mailReceipt } from '../../../src/api/receipt.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { inAccount } from '../../database/account-scope.ts';
import { tooMany } from '../../http/rate-limits.ts';
import { serve } from '../../http/serve.ts';
import { whileServing } from '../../http/while-serving.ts';
import { networkAddress } from '../../outbound/addresses.ts';
import type { Area } from '../../service.ts';
import { readPageSession } from '../sessions/read-session.ts';
import { languageOf, requestMail } from '../sessions/receipt-mail.ts';
import { DEFAULTS } from './mail-settings.ts';
import { MailServer } from './mail-server.ts';
import { sendMails } from './send-mails.ts';

const HOUR_S = 3600;
/** Receipts that one address of the network may ask for in an hour: many people share one. */
const PER_HOUR = 30;

export const receipts: Area = (app, service) => {
  const { db, limits, config } = service;
  const { mail } = config;
  if (mail) {
    const server = new MailServer(mail.server, mail.from);
    const times = { ...DEFAULTS, ...service.mails };
    whileServing(app, () => sendMails({ ...service, server, times, log: app.log }));
  }

  serve(app, mailReceipt, async ({ params, body, request }) => {
    if (!mail) throw new ConnectError('request.not-found', 'This service sends no e-mail.');
    const row = await readPageSession(db, params.page);
    if (row.payment_status !== 'paid')
      throw new ConnectError('request.not-found', 'There is no receipt: the session is not paid.');
    const key = `receipt from ${networkAddress(request.ip)}`;
    const { allowed, ttl } = await limits.take(key, PER_HOUR, { exact: true, seconds: HOUR_S });
    if (!allowed) throw tooMany(ttl);
    const language = languageOf(request.headers['accept-language']);
    const isNew = await inAccount(row.application_id, () =>
      requestMail(db, row, { address: body.email, language }),
    );
    if (!isNew) throw new ConnectError('request.conflict', 'This receipt was already sent by e-mail.');
    return { state: 'waiting' as const };
  });
};
