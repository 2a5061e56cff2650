/** The VeChain chain against VeChain's own node. */
import { startThor } from '../../demo/networks/real/thor.ts';
import { vechainFlows } from '../conformance/flows/vechain.ts';

vechainFlows(() => startThor({ port: 0, delegator: true }));
