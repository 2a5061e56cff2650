/**
 * What the page accepts from the frame. Small on purpose: the frame is trusted more than the page, so this
 * only keeps malformed messages, or those of another version, from breaking the page.
 */
import type { WireError } from '../base/errors.ts';
import type { FromFrame } from './messages.ts';

const STAGES = ['approval', 'signing', 'broadcast', 'confirmed', 'failed'];

/** Own fields only: what the page has put on `Object.prototype` is not part of a message. */
function own(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null
    ? Object.assign(Object.create(null) as Record<string, unknown>, value)
    : undefined;
}

export function isReady(data: unknown, ready: string): boolean {
  return own(data)?.['type'] === ready;
}

export function fromFrame(data: unknown): FromFrame | undefined {
  const message = own(data);
  if (!message) return undefined;
  const known = message as unknown as FromFrame;
  switch (known.type) {
    case 'close':
    case 'front':
      return known;
    case 'wallets':
      return Array.isArray(known.wallets) ? known : undefined;
    case 'replaced':
      return Array.isArray(known.replaced) ? known : undefined;
    case 'progress':
      return isId(known.id) && STAGES.includes(known.stage) ? known : undefined;
    case 'height':
      return Number.isInteger(known.height) && known.height > 0 && known.height < 10_000 ? known : undefined;
    case 'token':
    case 'window':
      return isId(known.id) ? known : undefined;
    case 'result':
      return isId(known.id) ? known : undefined;
    case 'error':
      return isId(known.id) && isWireError(known.error) ? known : undefined;
    default:
      return undefined;
  }
}

function isWireError(value: unknown): value is WireError {
  const error = own(value);
  return typeof error?.['code'] === 'string' && typeof error['message'] === 'string';
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
