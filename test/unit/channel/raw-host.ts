/** A page that talks to the fixture frame by hand, so that it can send what no honest page sends. */
import type { FromFrame } from '../../../src/channel/messages.ts';
import { turns } from '../turns.ts';

export const INIT = { type: 'carabiner:init', protocol: 1, mode: 'approve', unlinked: [] };
export const TRANSFER = { walletId: 'wallet-1', to: '0x1', value: '1', secretType: 'ETHEREUM' };

export interface RawHost {
  iframe: HTMLIFrameElement;
  window: Window;
  /** The frame's first message, before any page has answered. */
  announced: unknown;
  /** Messages of the frame over the port, in order. */
  heard: FromFrame[];
  /** Posts `init` with a new port from this page and uses that port from then on. */
  init(message?: unknown): MessagePort;
  say(message: unknown): void;
  request(id: string, params?: unknown, action?: string): void;
  /** The first matching message, already received or still to come. */
  hear(fits: (message: FromFrame) => boolean): Promise<FromFrame>;
  answer(id: string): Promise<FromFrame>;
  /** What the frame reports that it was told. */
  told(): Promise<Record<string, unknown>[]>;
}

export async function rawHost(): Promise<RawHost> {
  const iframe = document.createElement('iframe');
  iframe.src = new URL('fixture/frame/', import.meta.url).href;
  const ready = new Promise<unknown>((resolve) => {
    addEventListener('message', function listen({ source, data }) {
      if (source !== iframe.contentWindow || data?.type !== 'carabiner:ready') return;
      removeEventListener('message', listen);
      resolve(data);
    });
  });
  document.body.append(iframe);
  const announced = await ready;
  const heard: FromFrame[] = [];
  const listeners = new Set<() => void>();
  let port: MessagePort;
  const host: RawHost = {
    iframe,
    window: iframe.contentWindow!,
    announced,
    heard,
    init(message = INIT) {
      const { port1, port2 } = new MessageChannel();
      port = port1;
      port.onmessage = ({ data }) => {
        heard.push(data);
        for (const listener of listeners) listener();
      };
      host.window.postMessage(message, location.origin, [port2]);
      return port;
    },
    say: (message) => port.postMessage(message),
    request: (id, params = TRANSFER, action = 'transfer') =>
      port.postMessage({ type: 'request', id, action, params }),
    hear: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.find(fits);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    answer: (id) => host.hear((it) => (it.type === 'result' || it.type === 'error') && it.id === id),
    async told() {
      const id = `told${Math.random().toString(36).slice(2)}`;
      host.request(id, { secretType: 'ETHEREUM', address: 'told' }, 'balance');
      const answer = (await host.answer(id)) as { result: { symbol: string } };
      return JSON.parse(answer.result.symbol);
    },
  };
  return host;
}

/** Lets every message that is on its way arrive, and the answers to it: messages take turns with these. */
export const quiet = (): Promise<void> => turns(30);
