/** The GoChain chain against anvil at GoChain's fork, behind a proxy that answers as GoChain does. */
import { startGochainNetwork } from '../../demo/networks/gochain.ts';
import { gochainFlows } from './flows/gochain.ts';

// Less than a node's own: docs/decisions/tests.md says why.
gochainFlows(() => startGochainNetwork({ port: 0 }), { transfer: 32_104n, withdrawal: 23_433n });
