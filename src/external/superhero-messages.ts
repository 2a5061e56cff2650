/** https://github.com/aeternity/aepp-sdk-js/tree/develop/src/aepp-wallet-communication */

export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A message of such a wallet to the page; undefined for any other message. */
export function messageOf({ source, data }: MessageEvent): Message | undefined {
  // An extension's messages come from the page's own window. `to_aepp` is the SDK's spelling.
  if (source !== window || data?.type !== 'to_aepp' || data.data?.jsonrpc !== '2.0') return undefined;
  return data.data as Message;
}

/** The announcement of a wallet in an extension. Those in a window or a frame are not for us to open. */
export function announced(event: MessageEvent): { name?: unknown } | undefined {
  const { method, params } = messageOf(event) ?? {};
  if (method !== 'connection.announcePresence') return undefined;
  const info = params as { name?: unknown; type?: unknown } | undefined;
  return info?.type === 'extension' ? info : undefined;
}
