/** For web-test-runner: WebKit, one file after the other in one window. */
import type { WebDriverSession } from './webdriver.ts';
import { startWebKit, type WebKit } from './webkit.ts';

interface Launcher {
  name: string;
  /** The runner's commands use a page through this interface; of a `webdriver` they support less. */
  type: 'playwright';
  concurrency: number;
  startSession(id: string, url: string): Promise<void>;
  isActive(id: string): boolean;
  getBrowserUrl(id: string): Promise<string | undefined>;
  stopSession(id: string): Promise<object>;
  startDebugSession(): Promise<never>;
  stop(): Promise<void>;
  getPage(): Page;
}

/** The part of Playwright's page that the tests' commands use. */
interface Page {
  setViewportSize(size: Size): Promise<void>;
  keyboard: {
    type(text: string): Promise<void>;
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    down(options: Button): Promise<void>;
    up(options: Button): Promise<void>;
  };
}

interface Size {
  width: number;
  height: number;
}

interface Button {
  button?: 'left' | 'middle' | 'right';
}

/** As in the other launchers. */
const VIEWPORT: Size = { width: 800, height: 600 };

/** Opened without the browser's bars, which would keep it wider than a phone. */
const WINDOW = "() => void open('about:blank', '', 'popup,width=800,height=600')";

/** Runs in the page. False until the element is there. */
const CLEAR = `async (url) => {
  if (location.href !== url || document.readyState !== 'complete') return false;
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((done) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = request.onerror = request.onblocked = done;
    });
  return true;
}`;

const BUTTONS = ['left', 'middle', 'right'];

export function webkitLauncher(env: readonly string[]): Launcher {
  let webkit: Promise<WebKit> | undefined;
  let started: Promise<WebDriverSession> | undefined;
  /** The window that tests run in. */
  let own: string | undefined;
  let active: string | undefined;
  /** After a file. The next one starts before its end if the file ran out of time. */
  let clearing = Promise.resolve();
  // Test pages need not load completely, and open windows without a click.
  const session = (): Promise<WebDriverSession> =>
    (started ??= (webkit ??= startWebKit(...env)).then(async (all) => {
      const args = ['--javascript-can-open-windows-automatically=true'];
      const driver = await all.start({ pageLoadStrategy: 'none', args });
      const [first] = await driver.get<string[]>('window/handles');
      await driver.execute(WINDOW);
      own = (await driver.get<string[]>('window/handles')).find((handle) => handle !== first)!;
      await closeOthers(driver);
      return driver;
    }));

  async function closeOthers(driver: WebDriverSession): Promise<void> {
    for (const handle of await driver.get<string[]>('window/handles'))
      if (handle !== own) {
        await driver.post('window', { handle });
        await driver.close();
      }
    await driver.post('window', { handle: own });
  }

  async function setViewportSize({ width, height }: Size): Promise<void> {
    const driver = await session();
    // The browser's own part of the window.
    for (let round = 0; round < 2; round++) {
      const [more, higher] = await driver.execute<[number, number]>(
        '() => [outerWidth - innerWidth, outerHeight - innerHeight]',
      );
      await driver.post('window/rect', { width: width + more, height: height + higher });
    }
  }

  /** Clears what one test file leaves for the next: windows and storage. A new browser would take seconds. */
  async function clear(driver: WebDriverSession): Promise<void> {
    await closeOthers(driver);
    const url = new URL('/cleared', await driver.get<string>('url')).href;
    await driver.post('url', { url });
    for (let look = 0; !(await driver.execute<boolean>(CLEAR, [url])); look++)
      if (look === 100) throw new Error(`WebKit did not navigate to ${url}`);
  }

  /** The driver runs one browser at a time, and is killed along with one that hangs. */
  async function end(): Promise<void> {
    const ended = started;
    started = undefined;
    try {
      await (await ended)?.end();
    } catch {
      const hung = webkit;
      webkit = undefined;
      await (await hung)?.close();
    }
  }

  const keys = async (...all: Parameters<WebDriverSession['keys']>) => (await session()).keys(...all);
  const mouse = async (...actions: object[]) => (await session()).mouse(...actions);
  const pointer = (x: number, y: number) => ({ type: 'pointerMove', x, y, duration: 0 });
  const press = (type: 'pointerDown' | 'pointerUp', { button = 'left' }: Button = {}) => ({
    type,
    button: BUTTONS.indexOf(button),
  });
  const page: Page = {
    setViewportSize,
    keyboard: {
      type: (text) => keys([...text]),
      press: (key) => keys([key]),
      down: (key) => keys([key], 'keyDown'),
      up: (key) => keys([key], 'keyUp'),
    },
    mouse: {
      move: (x, y) => mouse(pointer(x, y)),
      click: (x, y) => mouse(pointer(x, y), press('pointerDown'), press('pointerUp')),
      down: (options) => mouse(press('pointerDown', options)),
      up: (options) => mouse(press('pointerUp', options)),
    },
  };

  return {
    name: 'WebKit',
    type: 'playwright',
    concurrency: 1,
    async startSession(id, url) {
      await clearing;
      const driver = await session();
      active = id;
      await setViewportSize(VIEWPORT);
      await driver.post('url', { url });
    },
    isActive: (id) => id === active,
    getBrowserUrl: async () => (await session()).get('url'),
    async stopSession() {
      active = undefined;
      clearing = session().then(clear).catch(end);
      await clearing;
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('WebKit is not debugged from here.')),
    async stop() {
      await end();
      await (await webkit)?.close();
    },
    getPage: () => page,
  };
}
