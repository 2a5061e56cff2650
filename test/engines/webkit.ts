/** WebKit by WebDriver: one browser a profile, and one window or frame at a time that commands are for. */
import { startWebKit, type WebKit } from '../../scripts/webkit.ts';
import { type Reference, WebDriverError, type WebDriverSession } from '../../scripts/webdriver.ts';
import { poll } from '../waiting.ts';
import type { Engine, Find, Tab } from './engine.ts';

export async function openWebKit(): Promise<Engine> {
  const webkit = await startWebKit('LANG=en_US.UTF-8');
  let session: WebDriverSession | undefined;
  const fresh = async (): Promise<WebDriverSession> => {
    await session?.end();
    return (session = await webkit.start());
  };
  const { version } = await fresh().catch((error: unknown) => closeAfter(webkit, error));
  return {
    name: `WebKitGTK/${version}`,
    seesCover: false,
    async visit(url) {
      const own = await fresh();
      await own.post('window/rect', { width: 1000, height: 850 });
      const tab = new WebKitTab(own, await own.get('window'));
      await tab.goto(url);
      return tab;
    },
    async close() {
      await session?.end();
      await webkit.close();
    },
  };
}

async function closeAfter(webkit: WebKit, error: unknown): Promise<never> {
  await webkit.close();
  throw error;
}

class WebKitTab implements Tab {
  readonly #session: WebDriverSession;
  readonly #handle: string;
  readonly #frame: Reference | undefined;

  constructor(session: WebDriverSession, handle: string, frame?: Reference) {
    this.#session = session;
    this.#handle = handle;
    this.#frame = frame;
  }

  async goto(url: string): Promise<void> {
    await this.#turnHere();
    await this.#session.post('url', { url });
  }

  async evaluate<A extends unknown[], R>(work: (...given: A) => R, ...given: A): Promise<Awaited<R>> {
    await this.#turnHere();
    return this.#session.execute<Awaited<R>>(String(work), given);
  }

  async finds<A extends unknown[]>(find: Find<A>, ...given: A): Promise<boolean> {
    await this.#turnHere();
    return this.#session.execute(`(...given) => !!(${find})(...given)`, given);
  }

  async click<A extends unknown[]>(find: Find<A>, ...given: A): Promise<void> {
    // What still moves into place is missed. Then nothing was clicked.
    const click = async (): Promise<true | undefined> => {
      try {
        await this.#session.press(await this.#element(find, given));
        return true;
      } catch (error) {
        if (error instanceof WebDriverError && error.code === 'element click intercepted') return undefined;
        throw error;
      }
    };
    await poll(click, `a click on ${JSON.stringify(given)}`);
  }

  async type<A extends unknown[]>(text: string, find: Find<A>, ...given: A): Promise<void> {
    await this.#session.type(await this.#element(find, given), text);
  }

  async inside<A extends unknown[]>(find: Find<A>, ...given: A): Promise<Tab> {
    return new WebKitTab(this.#session, this.#handle, await this.#element(find, given));
  }

  async others(): Promise<Tab[]> {
    const handles = await this.#session.get<string[]>('window/handles');
    return handles
      .filter((handle) => handle !== this.#handle)
      .map((handle) => new WebKitTab(this.#session, handle));
  }

  async isClosed(): Promise<boolean> {
    return !(await this.#session.get<string[]>('window/handles')).includes(this.#handle);
  }

  async #turnHere(): Promise<void> {
    await this.#session.post('window', { handle: this.#handle });
    await this.#session.post('frame', { id: null });
    if (this.#frame) await this.#session.post('frame', { id: this.#frame });
  }

  async #element<A extends unknown[]>(find: Find<A>, given: A): Promise<Reference> {
    await this.#turnHere();
    const element = await this.#session.execute<Reference | null>(String(find), given);
    if (!element) throw new WebDriverError('no such element', JSON.stringify(given));
    return element;
  }
}
