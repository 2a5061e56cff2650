/** Rules of a registration that its schema cannot check: where events may be sent, and which header may carry a key. */
import { invalid } from '../../src/chains/requests/payloads.ts';
import { isAllowed } from '../outbound/addresses.ts';
import { type Outbound, RefusedAddress } from '../outbound/outbound.ts';

/** Headers that HTTP, the connection or the signature use themselves: a key in one of them would break or fake it. */
const TAKEN = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const TAKEN_FAMILIES = /^(?:webhook-|proxy-|sec-|x-forwarded-|:)/;

export function checkHeaderName(name: string): void {
  const small = name.toLowerCase();
  if (TAKEN.has(small) || TAKEN_FAMILIES.test(small))
    throw invalid('authenticationMethod.headerName', `must not be ${name}: that header has another purpose`);
}

/** Every connection is checked again: a name may resolve to something else tomorrow. */
export async function checkReceiver(outbound: Outbound, text: string): Promise<void> {
  if (!URL.canParse(text)) throw invalid('url', 'must be a URL such as https://shop.example/events');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw invalid('url', 'must begin with https://');
  if (url.username || url.password)
    throw invalid('url', 'must not have a user name or password: put them into authenticationMethod');
  let addresses: string[] = [];
  try {
    addresses = await outbound.addresses(url);
  } catch (error) {
    if (error instanceof RefusedAddress || /(?:^|\.)localhost\.?$/.test(url.hostname))
      throw invalid('url', 'must point to the public internet');
    // The name may be registered later, or DNS may fail for a moment.
  }
  const inside = addresses.length > 0 && !addresses.some((address) => isAllowed(address));
  if (url.protocol === 'http:' && !inside)
    throw invalid('url', 'must begin with https://: credentials must not be sent unencrypted');
}
