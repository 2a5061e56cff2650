/** The call of a receipt's page, apart from those of the payment page, which is smaller without it. */
import { PayParams } from './pay.ts';
import { Receipt } from './receipt.ts';
import type { Route } from './route.ts';

/** `request.not-found` until the session is paid. */
export const readPayReceipt = {
  method: 'GET',
  path: '/pay/{page}/receipt',
  summary: 'Read what a receipt shows.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: Receipt,
} as const satisfies Route;
