/** The page at `/read/`, which any site may embed invisibly. It only queries nodes: it has no vault, no views and no approvals. */
import { loadChain, loadPayloads } from '../../chains/load.ts';
import { loadNetworks } from '../../chains/nodes/networks.ts';
import { connectHost } from '../../channel/frame-end.ts';
import type { HostRequest } from '../../channel/link.ts';
import { systemClock } from '../../base/clock.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import { isRead, read } from './reads.ts';

// In the parent of the page's folder, wherever the operator serves it.
const loading = loadNetworks(new URL('../networks.json', location.href));
loading.catch(() => {});

void start();

async function start(): Promise<void> {
  const link = await connectHost();

  async function answer(request: HostRequest): Promise<void> {
    try {
      const networks = await loading;
      if (!isRead(request.action))
        throw new RequestInvalidError([{ path: 'action', message: 'is not answered by this page' }]);
      await read({ link, networks, clock: systemClock, chain: loadChain, payloads: loadPayloads }, request);
    } catch (error) {
      request.reject(error);
    }
  }
  link.onRequest = (request) => void answer(request);
}
