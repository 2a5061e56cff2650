/** The GoChain chain against GoChain's own node. */
import { startGochainNode } from '../../demo/networks/real/gochain-node.ts';
import { gochainFlows } from '../conformance/flows/gochain.ts';
import { onNode } from './on-node.ts';

onNode('GoChain on its own node', () => gochainFlows(() => startGochainNode({ port: 0 })));
