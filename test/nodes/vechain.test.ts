/** The VeChain chain against VeChain's own node. */
import { after, before, describe } from 'node:test';
import { startThor } from '../../demo/networks/real/thor.ts';
import type { VechainPlace } from '../../demo/networks/vechain-place.ts';
import { vechainFlows } from '../conformance/flows/vechain.ts';
import { vechainBaseFee } from '../conformance/flows/vechain-strict.ts';
import { onNode } from './on-node.ts';

onNode('VeChain on Thor', () => {
  vechainFlows(() => startThor({ port: 0, delegator: true }));

  describe('the base fee', () => {
    const GAS_LIMIT = 2_000_000;
    let small: VechainPlace;
    before(async () => {
      small = await startThor({ port: 0, gasLimit: GAS_LIMIT });
    });
    after(() => small?.close());
    vechainBaseFee(() => small, GAS_LIMIT);
  });
});
