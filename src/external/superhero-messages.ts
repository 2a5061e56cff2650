/** https://github.com/aeternity/aepp-sdk-js/tree/develop/src/aepp-wallet-communication */

export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** What such a wallet says to the page; undefined for messages of anybody else. */
export function messageOf({ source, data }: MessageEvent): Message | undefined {
  // What an extension says comes from the page's own window. `to_aepp` is the SDK's spelling.
  if (source !== window || data?.type !== 'to_aepp' || data.data?.jsonrpc !== '2.0') return undefined;
  return data.data as Message;
}

/** Of a wallet in an extension. Those in a window or a frame of their own are others' to open. */
export function announced(event: MessageEvent): { name?: unknown } | undefined {
  const { method, params } = messageOf(event) ?? {};
  if (method !== 'connection.announcePresence') return undefined;
  const info = params as { name?: unknown; type?: unknown } | undefined;
  return info?.type === 'extension' ? info : undefined;
}
