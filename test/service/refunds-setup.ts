/** A shop that gives money back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Refund } from '../../src/api/refund.ts';
import type { RefundSettings } from '../../service/checkout/refunds/refund-settings.ts';
import { poll } from '../waiting.ts';
import type { Tested } from './harness.ts';

export const SOON: Partial<RefundSettings> = {
  everyMs: 50,
  firstMs: 60_000,
  againMs: 20,
  longestCardMs: 100,
  longestWalletMs: 100,
};

export interface Refunds {
  /** Status, and code of a refusal, with the body. */
  ask(
    sessionId: string,
    body?: object,
    key?: string,
  ): Promise<{ outcome: string; body: Refund & RefusedRefund }>;
  /** One that is made. */
  make(sessionId: string, body?: object, key?: string): Promise<Refund>;
  list(sessionId: string, query?: string): Promise<Refund[]>;
  /** Once it is decided: it is looked for at once. */
  settled(refund: Refund): Promise<Refund>;
}

export interface RefusedRefund {
  code: string;
  detail: string;
  details: Record<string, unknown>;
  issues: { path: string; message: string }[];
}

export function refundsOf(tested: Tested, headers: () => Record<string, string>): Refunds {
  const refunds: Refunds = {
    async ask(sessionId, body = {}, key = randomUUID()) {
      const response = await tested.post(`/checkout/sessions/${sessionId}/refunds`, body, {
        ...headers(),
        'Idempotency-Key': key,
      });
      const answer = (await response.json()) as Refund & RefusedRefund;
      return { outcome: response.status === 201 ? '201' : `${response.status} ${answer.code}`, body: answer };
    },
    async make(sessionId, body, key) {
      const { outcome, body: refund } = await refunds.ask(sessionId, body, key);
      assert.equal(outcome, '201', JSON.stringify(refund));
      return refund;
    },
    async list(sessionId, query = '') {
      const response = await tested.get(`/checkout/sessions/${sessionId}/refunds${query}`, headers());
      assert.equal(response.status, 200, await response.clone().text());
      return (await response.json()) as Refund[];
    },
    async settled({ session, id }) {
      await tested.service.db
        .updateTable('refunds')
        .set({ next_look_at: new Date() })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .execute();
      let now: Refund | undefined;
      await poll(async () => {
        const path = `/checkout/sessions/${session}/refunds/${id}`;
        now = (await (await tested.get(path, headers())).json()) as Refund;
        return now.status !== 'pending';
      }, 'the refund');
      return now!;
    },
  };
  return refunds;
}
