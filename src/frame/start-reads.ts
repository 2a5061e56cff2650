/** A hidden frame in a page that may embed the wallet: answers reads, including those of the journal, and draws nothing. */
import type { HostLink } from '../channel/link.ts';
import { acknowledge } from './approve/outcome/delivery.ts';
import { readOwn } from './own-reads.ts';
import { reader } from './reader.ts';

export async function serveReads(link: HostLink): Promise<void> {
  const frame = await reader(link);
  // Actions that need the user never reach a hidden frame: its end of the channel rejects them.
  link.onRequest = (request) => void readOwn(frame, request);
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});
}
