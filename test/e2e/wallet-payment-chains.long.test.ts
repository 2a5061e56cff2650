/** "Pay with a wallet" on Tron and Aeternity: a new wallet in the frame pays the payment page's price. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decode } from '@aeternity/aepp-sdk';
import { parseUnits } from '../../src/base/amount.ts';
import type { LocalAeternity } from '../../demo/networks/aeternity.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import { AE_RECEIVER, TRON_RECEIVER } from '../service/wallet-payments-rails.ts';
import { PayWorld } from './wallet-payment-chains.ts';

let pay: PayWorld;

before(async () => {
  pay = await PayWorld.open(['TRON', 'AETERNITY']);
});
after(() => pay?.close());

test('a TRC-20 token, with TRX for the fee', async () => {
  const { contracts } = pay.local<LocalTron>('TRON');
  await pay.till.receive({ secretType: 'TRON', address: TRON_RECEIVER, tokenAddress: contracts['DUSD'] });
  const { payment } = await pay.payNew({ secretType: 'TRON', symbol: 'DUSD', gifts: ['TRX', 'DUSD'] });
  assert.match(payment.transactionHash, /^[0-9a-f]{64}$/);
});

test('AE, to a merchant whose name is verified: the payment names the session in its payload', async () => {
  const { ledger } = pay.local<LocalAeternity>('AETERNITY');
  await pay.till.receive({ secretType: 'AETERNITY', address: AE_RECEIVER });
  let looks = 0;
  const { session, payment } = await pay.payNew({
    secretType: 'AETERNITY',
    symbol: 'AE',
    gifts: ['AE', 'AE'],
    seal() {
      // A few looks after each key block, so that its transactions are in a micro block first.
      if (looks++ % 20 === 19) ledger.mineKeyBlock();
    },
    isSigned: true,
  });
  const transaction = ledger.transactions.get(payment.transactionHash)!;
  assert.equal(Buffer.from(decode(transaction.payload as `ba_${string}`)).toString(), session.id);
  assert.equal(ledger.accounts.get(AE_RECEIVER)!.balance, parseUnits(payment.amount, 18));
});
