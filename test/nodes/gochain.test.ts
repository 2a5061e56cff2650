/** The GoChain chain against GoChain's own node. */
import { startGochainNode } from '../../demo/networks/real/gochain-node.ts';
import { gochainFlows } from '../conformance/flows/gochain.ts';
import { onNode } from './on-node.ts';

onNode('GoChain on its own node', () =>
  gochainFlows(() => startGochainNode({ port: 0 }), { transfer: 36_304n, withdrawal: 15_333n }),
);
