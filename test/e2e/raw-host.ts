/**
 * A hostile page that speaks the protocol itself, without `connect.js`. These functions run inside the page, so they take everything they
 * need as arguments.
 */
import type { Page } from 'playwright-core';
import { evaluateIn } from './harness.ts';

export interface RawWindow {
  /** All messages of the frame, over the port and to the window. */
  heard: unknown[];
  /** How often the frame has announced itself. */
  announced: number;
  frame: Window;
  port: MessagePort;
  /** Posts to the frame's window, as any window can. */
  post(message: unknown, transfer?: Transferable[]): void;
  send(message: unknown): void;
}

/** Embeds the frame (or opens it) and waits for its first `ready`, without answering. */
export async function embed(page: Page, frame: string, how: 'iframe' | 'hidden' = 'iframe'): Promise<void> {
  await evaluateIn(page)(
    ([url, kind]) =>
      new Promise<void>((ready) => {
        const raw = { heard: [] as unknown[], announced: 0 } as unknown as RawWindow;
        window.raw = raw;
        const element = document.createElement('iframe');
        element.src = `${url}/frame/`;
        element.id = 'raw';
        element.width = '400';
        element.height = '640';
        element.style.setProperty('position', 'fixed');
        element.style.setProperty('inset', '0 auto auto 0');
        element.style.setProperty('background', '#fff');
        if (kind === 'hidden') element.style.setProperty('display', 'none');
        window.addEventListener('message', (event) => {
          if (event.source !== element.contentWindow) return;
          raw.heard.push(event.data);
          if (event.data?.type === 'carabiner:ready') {
            raw.announced++;
            ready();
          }
        });
        document.body.append(element);
        raw.frame = element.contentWindow!;
        raw.post = (message, transfer = []) => raw.frame.postMessage(message, '*', transfer);
        raw.send = (message) => raw.port.postMessage(message);
      }),
    [frame, how] as const,
  );
}

/** Replies to the frame's `ready` with an `init`. */
export async function init(page: Page, mode: 'approve' | 'read' = 'approve'): Promise<void> {
  await evaluateIn(page)((as) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => window.raw.heard.push(data);
    window.raw.port = port1;
    window.raw.post({ type: 'carabiner:init', protocol: 1, mode: as }, [port2]);
  }, mode);
}

/** Sends over the port and waits for the first answer with this id. */
export async function request(
  page: Page,
  id: string,
  action: string,
  params: unknown,
): Promise<Record<string, unknown>> {
  await evaluateIn(page)(
    ([requestId, name, body]) =>
      window.raw.send({ type: 'request', id: requestId, action: name, params: body }),
    [id, action, params] as const,
  );
  return answer(page, id);
}

export async function answer(page: Page, id: string): Promise<Record<string, unknown>> {
  const found = await page.waitForFunction(
    (requestId) =>
      window.raw.heard.findLast((message) => {
        const { id: of, type } = message as { id?: string; type?: string };
        return of === requestId && (type === 'result' || type === 'error');
      }),
    id,
  );
  return (await found.jsonValue()) as Record<string, unknown>;
}

export const heard = (page: Page): Promise<unknown[]> => evaluateIn(page)(() => window.raw.heard);

/** Waits until the frame has announced itself this many more times: by then it has processed and refused everything sent before. */
export async function stillWaiting(page: Page, times = 2): Promise<void> {
  const before = await evaluateIn(page)(() => window.raw.announced);
  await page.waitForFunction((least) => window.raw.announced >= least, before + times);
}
