/**
 * Messages of Aeternity wallets in an extension, which keep announcing themselves by them:
 * https://github.com/aeternity/aepp-sdk-js/tree/develop/src/aepp-wallet-communication
 */
import type { Add } from './types.ts';

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
function announced(event: MessageEvent): { name?: unknown } | undefined {
  const { method, params } = messageOf(event) ?? {};
  if (method !== 'connection.announcePresence') return undefined;
  const info = params as { name?: unknown; type?: unknown } | undefined;
  return info?.type === 'extension' ? info : undefined;
}

export function findSuperhero(add: Add): void {
  addEventListener('message', (event) => {
    const info = announced(event);
    if (!info) return;
    // Identified by name, because its id may change on a reload.
    const by = `aeternity ${String(info.name).slice(0, 128)}`;
    add(by, { by, name: info.name, secretTypes: ['AETERNITY'] }, async (shown, host) =>
      (await import('./superhero.ts')).openSuperhero(shown, host),
    );
  });
}
