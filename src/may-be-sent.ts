import type { ConnectError } from './errors.ts';

/** Whether what the user approved may have been sent: the wallet is asked by `details.requestId`, and nothing is requested anew. */
export function mayBeSent({ code, details }: Pick<ConnectError, 'code' | 'details'>): boolean {
  return (
    (code === 'frame.unreachable' || code === 'node.unreachable') &&
    typeof details?.['requestId'] === 'string'
  );
}
