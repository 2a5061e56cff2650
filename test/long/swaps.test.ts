/** On each chain that has exchanges: 200 random pools, 200 rates as the contracts tell them, 200 swaps that give what they promise. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Place, startPlace } from '../conformance/swaps-places.ts';

const COUNT = 200;
/** As `SWAPS_SEED=… npm run test:long` wants it. */
const SEED = Number(process.env['SWAPS_SEED'] ?? 20_243);

for (const name of ['ETHEREUM', 'GOCHAIN', 'VECHAIN'] as const)
  describe(`${name}, seed ${SEED}`, () => {
    let place: Place;
    before(async () => void (place = await startPlace(name, COUNT, SEED)));
    after(() => place?.close());

    test('rates', async () => {
      let found = 0;
      for (let i = 0; i < COUNT; i++) found += await place.market.compare(place.market.case());
      assert.ok(found > COUNT / 3, `only ${found} had a rate`);
    });

    test('swaps', async () => {
      for (let done = 0; done < COUNT; )
        if (await place.market.swap(place.market.case(), place.fee, place.carryOut)) done++;
    });
  });
