/** A wallet window as a page sees it; the test speaks for the wallet. */
import type { FromFrame } from '../../../src/channel/messages.ts';
import type { FromHost } from '../../../src/channel/schema.ts';
import type { Surface } from '../../../src/channel/surface.ts';
import { turns } from '../turns.ts';

export const FRAME = 'https://connect.example';

export class FakeFrame {
  alive = true;
  closed = 0;
  /** How often the page brought it to the front. */
  presented = 0;
  /** Messages of the page, in order. */
  readonly heard: FromHost[] = [];
  #port: MessagePort | undefined;

  readonly surface: Surface = {
    kind: 'popup',
    window: {
      postMessage: (_message: unknown, _target: string, [port]: MessagePort[]) => {
        this.#port = port!;
        port!.onmessage = ({ data }) => this.heard.push(data);
      },
    } as unknown as Window,
    alive: () => this.alive,
    ready() {},
    present: () => void this.presented++,
    hide() {},
    close: () => void this.closed++,
  };

  /** The page hears `ready`, and answers with its port. */
  ready(): void {
    const event = { origin: FRAME, source: this.surface.window, data: { type: 'carabiner:ready' } };
    dispatchEvent(Object.assign(new Event('message'), event));
  }

  say(message: FromFrame): void {
    this.#port!.postMessage(message);
  }

  /** Resolves once every message in flight has arrived. */
  settle(): Promise<void> {
    return turns(5);
  }

  requests(): string[] {
    return this.heard.flatMap((message) => (message.type === 'request' ? [message.id] : []));
  }
}
