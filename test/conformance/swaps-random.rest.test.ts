/** Random swaps in random pools on GoChain and VeChain: prices match router and quoter, and swaps deliver what they promise. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Place, type PlaceName, startPlace } from './swaps-places.ts';

interface Size {
  pools: number;
  /** How many rates are compared, and how many swaps carried out. */
  rates: number;
  swaps: number;
}

/** The local VeChain takes a fraction of a second per call; `test/long` runs the full number. */
const SIZES: { [P in PlaceName]?: Size } = {
  GOCHAIN: { pools: 100, rates: 40, swaps: 4 },
  VECHAIN: { pools: 40, rates: 12, swaps: 3 },
};

for (const [name, { pools, rates, swaps }] of Object.entries(SIZES) as [PlaceName, Size][])
  describe(name, () => {
    let place: Place;
    before(async () => void (place = await startPlace(name, pools, 20_242)));
    after(() => place?.close());

    test(`the rates of ${rates} random swaps are what the contracts answer, and the best is the best`, async () => {
      let found = 0;
      for (let i = 0; i < rates; i++) found += await place.market.compare(place.market.case());
      assert.ok(found > rates / 3, `only ${found} had a rate`);
    });

    test(`${swaps} random swaps give the destination what was promised, and take no more`, async () => {
      for (let done = 0; done < swaps; )
        if (await place.market.swap(place.market.case(), place.fee, place.carryOut)) done++;
    });
  });
