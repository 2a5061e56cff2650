/** Loaded when a page sends something that no page of this release does. */
import type * as z from 'zod/mini';
import { FrameUnreachableError, RequestInvalidError, toWire } from '../base/errors.ts';
import { issuesOf } from './request-errors.ts';
import { PROTOCOLS, RequestId } from './schema.ts';

export { tooMany } from './request-errors.ts';

export function malformed(error: z.core.$ZodError): RequestInvalidError {
  return new RequestInvalidError(issuesOf(error));
}

/**
 * For a page whose script and this wallet have no protocol in common: refuses whatever it asks, in messages that no release may change. Not
 * with `frame.blocked`, after which a page forgets its request's id: a page that repeats a request made before the wallet's update must still
 * find that one's answer afterwards.
 */
export function refuseRelease(port: MessagePort, protocol: number): void {
  const error = toWire(new FrameUnreachableError(words(protocol), { reason: 'version' }));
  port.onmessage = ({ data }: MessageEvent) => {
    const id = RequestId.safeParse((data as { id?: unknown } | null)?.id);
    if (!id.success) return;
    port.postMessage({ type: 'error', id: id.data, error });
    port.postMessage({ type: 'close' });
  };
}

function words(protocol: number): string {
  const [older, mend] =
    protocol > Math.max(...PROTOCOLS)
      ? ['wallet is older than this page', 'The wallet’s operator has to update it']
      : [
          'page is older than the wallet',
          'Reload it; if that does not help, update connect.js or the npm package there',
        ];
  return `This ${older}: the page speaks protocol ${protocol}, the wallet ${PROTOCOLS.join(', ')}. ${mend}.`;
}
