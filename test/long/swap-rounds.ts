/** Random pools on a chain with exchanges: rates match the contracts, and swaps deliver what they promise. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Place, startPlace } from '../conformance/swaps-places.ts';

const COUNT = 200;
/** Set by `SWAPS_SEED=… npm run test:long swaps-ethereum`. */
const SEED = Number(process.env['SWAPS_SEED'] ?? 20_243);

export function swapRounds(chain: Parameters<typeof startPlace>[0]): void {
  describe(`${COUNT} random swaps on ${chain}, seed ${SEED}`, () => {
    let place: Place;
    before(async () => void (place = await startPlace(chain, COUNT, SEED)));
    after(() => place?.close());

    test('rates', async () => {
      let found = 0;
      for (let i = 0; i < COUNT; i++) found += await place.market.compare(place.market.case());
      assert.ok(found > COUNT / 3, `only ${found} pairs had a rate`);
    });

    test('swaps', async () => {
      for (let done = 0; done < COUNT; )
        if (await place.market.swap(place.market.case(), place.fee, place.carryOut)) done++;
    });
  });
}
