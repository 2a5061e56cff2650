import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { register } from 'tsx/esm/api';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spokenTree } from './scripts/testing/spoken-tree.mjs';
import { plainFailures } from './scripts/testing/plain-failures.mjs';
import { unitReporter } from './scripts/testing/unit-reporter.mjs';

const unregister = register();
const { findBrowser, findFirefox, findShell, FLAGS, UNSEEN } = await import('./scripts/browser.ts');
const { freePort } = await import('./demo/networks/watched.ts');
const { DEADLINE_MS } = await import('./test/waiting.ts');
const { writeCatalogues } = await import('./scripts/strings/fresh.ts');
const { webkitLauncher } = await import('./scripts/webkit-launcher.ts');
const { bundledTests, bundledWorkers, serveBundles } = await import('./scripts/bundled-tests.ts');
await writeCatalogues();
await unregister();

/**
 * No test may hold on one day, in one time zone or in one language only, so all run where nobody writes them: another date than the
 * machine's, a zone ahead of it by most of a day, another language.
 */
const ELSEWHERE = {
  date: process.env.TEST_DATE ?? '2031-01-01',
  zone: process.env.TEST_ZONE ?? 'Pacific/Auckland',
  locale: process.env.TEST_LOCALE ?? 'ja-JP',
};

/** Beside what nobody sees: what puppeteer switches off itself. */
const FEATURES = `--disable-features=Translate,AcceptCHFrame,MediaRouter,OptimizationHints,RenderDocument,${UNSEEN}`;

/** Those that are named, else all. */
function testFiles() {
  const named = process.argv.filter((name) => name.endsWith('.test.ts'));
  if (named.length) return named;
  return readdirSync('test/unit', { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test/unit', name));
}

/** Whoever watches wants to see what changed at once. */
const isWatching = process.argv.includes('--watch');

/** `npm run gallery`: the looks, as JSON. Only pictures are made then, one at a time. */
const looks = process.env.GALLERY;

let pictures = 0;

/** Of what is on the page; what is known of it goes beside it. */
function picturesPlugin() {
  return {
    name: 'pictures',
    async executeCommand({ command, payload, session }) {
      const page = session.browser.getPage(session.id);
      // `emulateMedia` of the commands leaves forced colours out.
      if (command === 'media') {
        const devTools = await page.createCDPSession();
        const features = Object.entries(payload).map(([name, value]) => ({ name, value }));
        await devTools.send('Emulation.setEmulatedMedia', { features });
        return true;
      }
      if (command !== 'picture') return undefined;
      const name = String(++pictures);
      const at = join(process.env.GALLERY_FOLDER, name);
      const { whole, clip } = payload;
      const type = process.env.GALLERY_TYPE ?? 'png';
      const tell = async () =>
        Buffer.from(
          `${(await page.accessibility.snapshot()).children.map((each) => spokenTree(each)).join('\n')}\n`,
        );
      const draw = async () =>
        Buffer.from(await page.screenshot({ type, clip, fullPage: whole, optimizeForSpeed: type === 'png' }));
      const shoot = type === 'txt' ? tell : draw;
      let picture = await shoot();
      // What comes late is in it: it is taken again until it is as before.
      for (let times = 0, before; payload.isSettled && times < 20 && !before?.equals(picture); times++) {
        before = picture;
        picture = await shoot();
      }
      writeFileSync(`${at}.${type}`, picture);
      writeFileSync(`${at}.json`, JSON.stringify({ ...payload, file: `${name}.${type}` }));
      return true;
    },
  };
}

/** In the page, before anything else: the tests' date, and nothing that an earlier file kept, as files in turn share a tab. */
function beginAfresh(by) {
  if (window === top && location.origin !== 'null')
    for (const storage of [localStorage, sessionStorage]) storage.clear();
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length) super(...given);
      else super(RealDate.now() + by);
    }
    static now() {
      return RealDate.now() + by;
    }
  };
}

/** Puppeteer's own limits are for one browser on a machine of its own. */
const PATIENT = { timeout: DEADLINE_MS, protocolTimeout: 5 * DEADLINE_MS };

/** The page asks the runner to press keys or to resize it, and would wait 20 s for the answer; esbuild has written that as 2e4 already. */
const patientCommands = {
  name: 'patient-commands',
  transform({ path, body }) {
    if (path !== '/__web-dev-server__web-socket.js') return undefined;
    const patient = body.replace(/\b(2e4|20000)\b/, String(DEADLINE_MS));
    if (patient === body) throw new Error('web-test-runner’s limit for commands is not where it was.');
    return patient;
  },
};

/** `ENGINE=firefox`: the Firefox of the system, driven by WebDriver BiDi, which has no DevTools sessions. */
const firefox = () =>
  chromeLauncher({
    launchOptions: {
      browser: 'firefox',
      executablePath: findFirefox(),
      ...PATIENT,
      env: { ...process.env, TZ: ELSEWHERE.zone },
      extraPrefsFirefox: {
        'intl.accept_languages': 'en-US',
        // Every page takes part as if it had the focus.
        'focusmanager.testmode': true,
        // `wish` of the tests cannot say so later.
        'ui.prefersReducedMotion': 1,
      },
    },
    async createPage({ browser }) {
      const page = await (await browser.createBrowserContext()).newPage();
      await page.evaluateOnNewDocument(beginAfresh, Date.parse(ELSEWHERE.date) - Date.now());
      return page;
    },
  });

const chromium = () =>
  chromeLauncher({
    launchOptions: {
      executablePath: process.env.WHOLE_BROWSER ? findBrowser() : findShell(),
      ...PATIENT,
      // Motion costs a sixth of the time; tests of motion wish for it.
      args: [...FLAGS, FEATURES, '--force-prefers-reduced-motion'],
    },
    // Files that run at the same time share neither storage nor focus.
    async createPage({ browser }) {
      const page = await (await browser.createBrowserContext()).newPage();
      const session = await page.createCDPSession();
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
      await session.send('Emulation.setTimezoneOverride', { timezoneId: ELSEWHERE.zone });
      await session.send('Emulation.setLocaleOverride', { locale: ELSEWHERE.locale });
      await page.evaluateOnNewDocument(beginAfresh, Date.parse(ELSEWHERE.date) - Date.now());
      if (looks) await page.evaluateOnNewDocument(`globalThis.GALLERY = ${looks}`);
      return page;
    },
  });

const ENGINES = {
  chromium,
  firefox,
  /** WebKitGTK by the older WebDriver. It has no scripts before the page's: the date comes with the page. */
  webkit: () => webkitLauncher([`TZ=${ELSEWHERE.zone}`, 'LANG=en_US.UTF-8']),
};
const { ENGINE: engine = 'chromium' } = process.env;
if (!ENGINES[engine]) throw new Error(`ENGINE is ${engine}. There are: ${Object.keys(ENGINES).join(', ')}.`);

const FEATURES_OF_WISHES = {
  colorScheme: 'prefers-color-scheme',
  reducedMotion: 'prefers-reduced-motion',
  forcedColors: 'forced-colors',
};

/** For `wish` of the tests. Only Chromium can be told while it runs. */
function wishesPlugin() {
  return {
    name: 'wishes',
    async executeCommand({ command, payload, session }) {
      if (command !== 'wish') return undefined;
      if (engine !== 'chromium') return true;
      const features = Object.entries(payload).map(([of, value]) => ({
        name: FEATURES_OF_WISHES[of],
        value,
      }));
      const page = session.browser.getPage(session.id);
      // Puppeteer itself knows no forced colors.
      if (payload.forcedColors) await forceColors(page, payload.forcedColors);
      else await page.emulateMediaFeatures(features);
      return true;
    },
  };
}

/** A session that ends would take its emulation along. */
const painters = new WeakMap();

async function forceColors(page, value) {
  if (!painters.has(page)) painters.set(page, await page.createCDPSession());
  const features = [{ name: 'forced-colors', value }];
  await painters.get(page).send('Emulation.setEmulatedMedia', { features });
}

/** For `testRunnerHtml`: with the tests' date from the start, and taking part as if it had the focus, which only a window manager gives. */
function datedPage(testFramework) {
  const by = Date.parse(ELSEWHERE.date) - Date.now();
  return `<!doctype html><script>document.hasFocus = () => true; (${beginAfresh})(${by})</script><script type="module" src="${testFramework}"></script>`;
}

export default {
  files: 'test/unit/**/*.test.ts',
  // The runner's own choice is the first free port from 8000 on, which another run may take before it listens.
  port: await freePort(),
  nodeResolve: { exportConditions: ['browser', 'development'], browser: true },
  // With three tabs of Firefox, tests that wait to be seen run out of time.
  concurrency: engine !== 'chromium' ? 1 : looks ? 2 : 3,
  browsers: [ENGINES[engine]()],
  ...(engine === 'webkit' && { testRunnerHtml: datedPage }),
  middleware: [serveBundles],
  plugins: [
    esbuildPlugin({ ts: true, json: true, target: 'es2022', tsconfig: 'tsconfig.json' }),
    patientCommands,
    plainFailures(),
    wishesPlugin(),
    ...(looks ? [picturesPlugin()] : []),
    bundledWorkers('src/wallets/pin-worker.ts'),
    ...(isWatching ? [] : [bundledTests(testFiles())]),
  ],
  reporters: [defaultReporter({ reportTestProgress: false }), unitReporter()],
  // Against hanging only. A test may wait for several things, a file has many tests, and what was awaited says so before its test ends.
  testFramework: { config: { timeout: String(5 * DEADLINE_MS), ...(looks && { grep: '^pictures of ' }) } },
  browserStartTimeout: 2 * DEADLINE_MS,
  testsStartTimeout: 2 * DEADLINE_MS,
  testsFinishTimeout: 10 * DEADLINE_MS,
};
