/** Debian's WebKit: the browser of WebKitGTK's own tests, on a virtual screen. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startWatched, untilItAnswers, type Watched } from '../demo/networks/watched.ts';
import { missingOf, startVirtualScreen, XVFB } from './virtual-screen.ts';
import { WebDriverSession } from './webdriver.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
/** By architecture, as Debian names its folders. */
const FOLDERS: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};
const BROWSER = `/usr/lib/${FOLDERS[process.arch]}/webkit2gtk-4.1/MiniBrowser`;

/** No GPU, no desktop services. Root has no sandbox. */
const SETTINGS = [
  'WEBKIT_DISABLE_COMPOSITING_MODE=1',
  'WEBKIT_DISABLE_DMABUF_RENDERER=1',
  'WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1',
  'LIBGL_ALWAYS_SOFTWARE=1',
  'NO_AT_BRIDGE=1',
  'GSETTINGS_BACKEND=memory',
];

/** Why WebKit cannot run here. */
export function webkitMissing(): string | undefined {
  const missing = missingOf([DRIVER, XVFB, BROWSER]);
  return missing.length
    ? `${missing.join(', ')} not found. Debian: apt-get install --no-install-recommends webkit2gtk-driver xvfb`
    : undefined;
}

/** A home for GTK's settings, to reduce motion as the driver does in the other engines. */
function stillHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'carabiner-webkit-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  return home;
}

export interface WebKit {
  /** A browser with its own profile. The driver runs one at a time. */
  start(options?: Options): Promise<WebDriverSession>;
  close(): Promise<void>;
}

interface Options {
  pageLoadStrategy?: 'normal' | 'none';
  /** Of the browser. */
  args?: readonly string[];
}

/** `env`: for the browser, as `NAME=value`. */
export async function startWebKit(...env: string[]): Promise<WebKit> {
  const why = webkitMissing();
  if (why) throw new Error(why);
  const screen = await startVirtualScreen();
  const home = stillHome();
  let driver: Watched | undefined;
  const close = async (): Promise<void> => {
    await driver?.close();
    await screen.close();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    const settings = [...SETTINGS, ...env, `XDG_CONFIG_HOME=${home}`, `DISPLAY=${screen.display}`];
    driver = startWatched(['env', ...settings, DRIVER, '--host=127.0.0.1', `--port=${port}`]);
    const url = `http://127.0.0.1:${port}`;
    await untilItAnswers('WebKitWebDriver', driver, () => fetch(`${url}/status`));
    return {
      start: ({ pageLoadStrategy = 'normal', args = [] } = {}) =>
        WebDriverSession.start(url, {
          pageLoadStrategy,
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', ...args] },
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
