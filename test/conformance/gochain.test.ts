/** The GoChain chain against anvil at GoChain's fork, behind a proxy that answers as GoChain does. */
import { startGochainNetwork } from '../../demo/networks/gochain.ts';
import { gochainFlows } from './flows/gochain.ts';

gochainFlows(() => startGochainNetwork({ port: 0 }));
