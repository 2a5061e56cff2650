/** What the service refuses to sign, because nobody approves it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertFit } from '../../service/transactions/fit.ts';
import type { ChainRequest } from '../../src/chains/terms.ts';
import type { Summary } from '../../src/chains/approval/summary.ts';

const BTC = { symbol: 'BTC', decimals: 8 };
const amount = (raw: bigint) => ({ raw, ...BTC });

it('a payment that needs too many coins for one transaction is refused with the amount that can be sent', () => {
  const summary = {
    shortOf: { amount: amount(1n), need: 2n, have: 1n },
    warnings: [
      {
        code: 'many-coins',
        level: 'danger',
        params: { coins: '300', atOnce: '100' },
        amount: amount(993_100n),
      },
    ],
    fee: { expected: amount(0n), maximum: amount(0n) },
  } as unknown as Summary;
  assert.throws(() => assertFit(summary, { type: 'TRANSFER', walletId: 'w' } as ChainRequest), {
    code: 'transaction.insufficient-funds',
    message: /300 coins are enough.*at most 100: up to 0\.009931 BTC can be sent now/,
    details: { reason: 'many-coins', maxSpendable: '993100' },
  });
});
