/** For a page whose script and this wallet have no protocol in common. */
import { FrameUnreachableError, toWire } from '../errors.ts';
import { PROTOCOLS, RequestId } from './schema.ts';

/**
 * Refuses whatever the page asks, in messages that no release may change. Not by `frame.blocked`, after which a page forgets the id of its
 * request: a page that asks again for what it asked for before the wallet was updated must find that afterwards.
 */
export function refuse(port: MessagePort, protocol: number): void {
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
