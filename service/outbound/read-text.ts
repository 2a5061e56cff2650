/** Reads text or bytes from a foreign URL, within limits. Each redirect is checked like the first address. */
import { type Outbound, Redirect } from './outbound.ts';

export interface ReadLimits {
  /** Length of the answer. */
  bytes: number;
  /** For everything, from DNS and redirects to the last byte. */
  milliseconds: number;
  redirects: number;
  signal?: AbortSignal | undefined;
}

/** Throws for anything but a 200 with text within the limits. */
export async function readText(outbound: Outbound, url: string, limits: ReadLimits): Promise<string> {
  return new TextDecoder().decode(await readBytes(outbound, url, limits, 'application/json'));
}

/** As `readText`, for an answer of any type. */
export async function readBytes(
  outbound: Outbound,
  url: string,
  limits: ReadLimits,
  accept: string,
): Promise<Buffer> {
  const timeout = AbortSignal.timeout(limits.milliseconds);
  const signal = limits.signal ? AbortSignal.any([timeout, limits.signal]) : timeout;
  let address = new URL(url);
  for (let redirects = 0; ; redirects++) {
    try {
      const headers = { accept, 'accept-encoding': 'identity' };
      return await bytesOf(await outbound.fetch(address, { headers, signal }), limits.bytes);
    } catch (error) {
      if (!(error instanceof Redirect) || redirects >= limits.redirects) throw error;
      const next = new URL(error.location, address);
      if (address.protocol === 'https:' && next.protocol !== 'https:')
        throw new Error(`${address.host} redirects to an address without TLS`, { cause: error });
      address = next;
    }
  }
}

async function bytesOf(response: Response, maxBytes: number): Promise<Buffer> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`answered HTTP ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error(`answered more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
