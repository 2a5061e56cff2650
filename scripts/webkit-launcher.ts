/** For web-test-runner: WebKit, one file after the other in one window. */
import type { WebDriverSession } from './webdriver.ts';
import { startWebKit, type WebKit } from './webkit.ts';

interface Launcher {
  name: string;
  /** As its commands for keys and mouse know it. */
  type: 'webdriver';
  concurrency: number;
  startSession(id: string, url: string): Promise<void>;
  isActive(id: string): boolean;
  getBrowserUrl(id: string): Promise<string | undefined>;
  stopSession(id: string): Promise<object>;
  startDebugSession(): Promise<never>;
  stop(): Promise<void>;
  sendKeys(id: string, keys: string[]): Promise<void>;
  /** `down` and `up` alone, which its own command leaves out. */
  sendKey(key: string, way: 'keyDown' | 'keyUp'): Promise<void>;
  setViewport(size: Size): Promise<void>;
  resetMouse(): Promise<void>;
  sendMouseMove(id: string, x: number, y: number): Promise<void>;
  sendMouseClick(id: string, x: number, y: number): Promise<void>;
}

interface Size {
  width: number;
  height: number;
}

/** As the other launchers have it. */
const VIEWPORT: Size = { width: 800, height: 600 };

export function webkitLauncher(env: readonly string[]): Launcher {
  let webkit: Promise<WebKit> | undefined;
  let started: Promise<WebDriverSession> | undefined;
  let active: string | undefined;
  // Pages of tests need not load to their end.
  const session = (): Promise<WebDriverSession> =>
    (started ??= (webkit = startWebKit(...env)).then((all) => all.start('none')));

  async function setViewport({ width, height }: Size): Promise<void> {
    const driver = await session();
    // The window is larger than the page by its bars.
    for (let round = 0; round < 2; round++) {
      const [more, higher] = await driver.execute<[number, number]>(
        '() => [outerWidth - innerWidth, outerHeight - innerHeight]',
      );
      await driver.post('window/rect', { width: width + more, height: height + higher });
    }
  }

  const pointer = (x: number, y: number): object => ({ type: 'pointerMove', x, y, duration: 0 });
  return {
    name: 'WebKit',
    type: 'webdriver',
    concurrency: 1,
    async startSession(id, url) {
      const driver = await session();
      active = id;
      await setViewport(VIEWPORT);
      await driver.post('url', { url });
    },
    isActive: (id) => id === active,
    getBrowserUrl: async () => (await session()).get('url'),
    async stopSession() {
      active = undefined;
      await (await session()).post('url', { url: 'about:blank' });
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('WebKit is not debugged from here.')),
    async stop() {
      await (await started)?.end();
      await (await webkit)?.close();
    },
    sendKeys: async (_, keys) => (await session()).keys(keys),
    sendKey: async (key, way) => (await session()).keys([key], way),
    setViewport,
    resetMouse: async () => (await session()).mouse(pointer(0, 0)),
    sendMouseMove: async (_, x, y) => (await session()).mouse(pointer(x, y)),
    sendMouseClick: async (_, x, y) =>
      (await session()).mouse(
        pointer(x, y),
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ),
  };
}

/** Commands of the tests that web-test-runner does not have for this engine. */
export function webkitCommands(): object {
  return {
    name: 'webkit-commands',
    async executeCommand({ command, payload, session }: Command) {
      const { browser } = session;
      if (command === 'set-viewport') {
        await browser.setViewport(payload as Size);
        return true;
      }
      if (command !== 'send-keys') return undefined;
      const { down, up } = payload as { down?: string; up?: string };
      const key = down ?? up;
      if (key === undefined) return undefined;
      await browser.sendKey(key, down === undefined ? 'keyUp' : 'keyDown');
      return true;
    },
  };
}

interface Command {
  command: string;
  payload: unknown;
  session: { browser: Launcher };
}
