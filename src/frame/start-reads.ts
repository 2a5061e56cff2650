/** A hidden frame: answers reads, draws nothing. */
import type { HostLink } from '../channel/link.ts';
import { acknowledge } from './flows/delivery.ts';
import { isRead, read } from './flows/reads.ts';
import { reader } from './reader.ts';

export async function serveReads(link: HostLink): Promise<void> {
  const frame = await reader(link);
  link.onRequest = (request) => {
    // Actions that need the user never reach a hidden frame: its end of the wire refuses them.
    if (isRead(request.action)) void read(frame, request);
  };
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});
}
