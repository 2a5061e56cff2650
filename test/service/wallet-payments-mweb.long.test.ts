/** Payments out of private balances of Litecoin: no memory pool shows them, and a block has them in its last transaction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networks } from 'bitcoinjs-lib';
import { startLocalUtxo } from '../../demo/networks/esplora.ts';
import { LITECOIN_REGTEST, startLitecoind } from '../../demo/networks/litecoind.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { parseUnits } from '../../src/base/amount.ts';
import { UtxoRail } from './utxo-rails.ts';
import { startMarket } from './wallet-payments-rails.ts';
import { openTill } from './wallet-payments-setup.ts';

/** The block after this one is the first with an extension block, which must not be empty. */
const LAST_WITHOUT = 431;
/** As litecoind has it in regtest unless it is told otherwise. */
const FROM_SIGNALS = '-vbparams=mweb:1601450001:9223372036854775807';

test('LTC: a payment out of a private balance pays', {
  skip: litecoindPath() ? false : 'litecoind is not installed',
}, async () => {
  const local = await startLocalUtxo({
    asset: 'LTC',
    gift: 10n ** 8n,
    network: { id: 'litecoin-local', secretType: 'LITECOIN', name: 'Local Litecoin', kind: 'local' },
    encodings: [LITECOIN_REGTEST, { ...networks.regtest, bech32: 'rltc' }],
    start: () => startLitecoind(FROM_SIGNALS),
    port: 0,
    setting: 'LITECOIN_PORT',
  });
  const rail = new UtxoRail('LITECOIN', local);
  const market = await startMarket();
  const till = await openTill([{ ...local.network, prices: market.prices(local.network) }] as never);
  const { node } = local;
  /** One wallet at a time is the one that is asked. */
  const become = async (name: string): Promise<void> => {
    const [other] = await node.rpc<string[]>('listwallets');
    if (other !== undefined) await node.rpc('unloadwallet', other);
    await node.rpc('loadwallet', name);
  };
  try {
    await rail.mine(LAST_WITHOUT - (await node.rpc<number>('getblockcount')));
    await node.rpc('unloadwallet', 'miner');
    await node.rpc('createwallet', 'private');
    const own = await node.rpc<string>('getnewaddress', '', 'mweb');
    await become('miner');
    await node.rpc('sendtoaddress', own, 10);
    await rail.mine(2);
    await till.receiveAtKey({ secretType: 'LITECOIN', key: rail.newKey(), confirmations: 2 });
    const session = await till.session();
    const quote = await till.quote(session);
    const price = parseUnits(quote.amount, 8);
    await become('private');
    await node.rpc('sendtoaddress', quote.to, quote.amount);
    await become('miner');
    await rail.mine();
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    await rail.mine();
    await till.paid(session);
    const [payment, ...others] = await till.received(`?session=${session.id}`);
    assert.deepEqual(others, []);
    assert.equal(parseUnits(payment!.amount, 8), price);
    assert.equal(payment!.from, null);
  } finally {
    await till.close();
    await Promise.all([market.close(), local.close()]);
  }
});
