/** The GoChain chain against GoChain's own node. */
import { startGochainNode } from '../../demo/networks/real/gochain-node.ts';
import { gochainFlows } from '../conformance/flows/gochain.ts';

gochainFlows(() => startGochainNode({ port: 0 }));
