/** "Pay with a wallet" in Bitcoin and Litecoin: the customer chooses one, and a new wallet in the frame pays the session's own address. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KeyChain } from '../../src/api/secret-type.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { UtxoRail } from '../service/utxo-rails.ts';
import { PayWorld } from './wallet-payment-chains.ts';

const COINS = [
  { secretType: 'BITCOIN', symbol: 'BTC', choice: 'BTC Local Bitcoin' },
  { secretType: 'LITECOIN', symbol: 'LTC', choice: 'LTC Local Litecoin' },
] as const;
const missing = litecoindPath() ? false : 'litecoind is not installed';

let pay: PayWorld;
const rails = new Map<KeyChain, UtxoRail>();

before(async () => {
  if (missing) return;
  pay = await PayWorld.open(['BITCOIN', 'LITECOIN']);
  for (const { secretType } of COINS) {
    const rail = new UtxoRail(secretType, pay.local<LocalUtxo>(secretType));
    // The wallet waits for the block in which its payment is.
    rail.local.mining = true;
    rails.set(secretType, rail);
    await pay.till.receiveAtKey({ secretType, key: rail.newKey(), confirmations: 1 });
  }
});
after(() => pay?.close());

for (const coin of COINS)
  test(`${coin.symbol}: the wallet shows who signed the order, and pays exactly its price`, {
    skip: missing,
  }, async () => {
    const rail = rails.get(coin.secretType)!;
    const { payment } = await pay.payNew({ ...coin, gifts: [coin.symbol], isSigned: true });
    assert.equal(await rail.balance([payment.to]), parseUnits(payment.amount, 8));
  });
