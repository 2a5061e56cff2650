/** Chromium and Firefox, as Debian has them, by WebDriver BiDi. */
import {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Frame,
  launch,
  type LaunchOptions,
  type Page,
} from 'puppeteer-core';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { findBrowser, findFirefox, FLAGS, UNSEEN } from '../../scripts/browser.ts';
import type { Engine, Find, Tab } from './engine.ts';

const VIEWPORT = { width: 1000, height: 800 };

/** What puppeteer sets otherwise than people have it. */
const AS_PEOPLE_HAVE_IT = {
  // Blocks windows that no click asked for.
  'dom.disable_open_during_load': true,
  // Total Cookie Protection: storage by site.
  'network.cookie.cookieBehavior': 5,
};

const OPTIONS: Record<'chromium' | 'firefox', () => LaunchOptions> = {
  chromium: () => ({
    browser: 'chrome',
    executablePath: findBrowser(),
    args: [...FLAGS, `--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades,${UNSEEN}`],
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  }),
  firefox: () => ({
    browser: 'firefox',
    executablePath: findFirefox(),
    extraPrefsFirefox: {
      ...AS_PEOPLE_HAVE_IT,
      'intl.accept_languages': 'en-US',
      // Every window takes part as if it had the focus.
      'focusmanager.testmode': true,
      // As the other tests: nothing moves.
      'ui.prefersReducedMotion': 1,
    },
  }),
};

export async function openPuppeteer(kind: keyof typeof OPTIONS): Promise<Engine> {
  const browser = await launch({
    ...OPTIONS[kind](),
    headless: true,
    defaultViewport: VIEWPORT,
    timeout: DEADLINE_MS,
  });
  return {
    name: await browser.version(),
    seesCover: kind === 'chromium',
    async visit(url) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(DEADLINE_MS);
      await page.goto(url);
      return new PuppeteerTab(context, page, page.mainFrame());
    },
    close: () => close(browser),
  };
}

async function close(browser: Browser): Promise<void> {
  await browser.close();
}

class PuppeteerTab implements Tab {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #frame: Frame;

  constructor(context: BrowserContext, page: Page, frame: Frame) {
    this.#context = context;
    this.#page = page;
    this.#frame = frame;
  }

  async goto(url: string): Promise<void> {
    // Its own command never ends in Firefox once the page has opened a window and goes to another site.
    await this.evaluate((to) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => location.assign(to);
      port2.postMessage('after the answer');
    }, url);
    const isThere = (to: string): boolean =>
      location.href.startsWith(to) && document.readyState !== 'loading';
    await poll(
      () =>
        this.evaluate(isThere, url).then(
          (there) => there || undefined,
          () => undefined,
        ),
      `the page ${url}`,
    );
  }

  evaluate<A extends unknown[], R>(work: (...given: A) => R, ...given: A): Promise<Awaited<R>> {
    return this.#frame.evaluate(call(work, given)) as Promise<Awaited<R>>;
  }

  finds<A extends unknown[]>(find: Find<A>, ...given: A): Promise<boolean> {
    return this.#frame.evaluate(`!!${call(find, given)}`) as Promise<boolean>;
  }

  async click<A extends unknown[]>(find: Find<A>, ...given: A): Promise<void> {
    await (await this.#element(find, given)).click();
  }

  async type<A extends unknown[]>(text: string, find: Find<A>, ...given: A): Promise<void> {
    await (await this.#element(find, given)).type(text);
  }

  async inside<A extends unknown[]>(find: Find<A>, ...given: A): Promise<Tab> {
    const frame = await (await this.#element(find, given)).contentFrame();
    if (!frame) throw new Error('What was found is no frame.');
    return new PuppeteerTab(this.#context, this.#page, frame);
  }

  async others(): Promise<Tab[]> {
    const pages = await this.#context.pages();
    return pages
      .filter((page) => page !== this.#page)
      .map((page) => new PuppeteerTab(this.#context, page, page.mainFrame()));
  }

  isClosed(): Promise<boolean> {
    return Promise.resolve(this.#page.isClosed());
  }

  async #element<A extends unknown[]>(find: Find<A>, given: A): Promise<ElementHandle> {
    const element = (await this.#frame.evaluateHandle(call(find, given))).asElement();
    if (!element) throw new Error(`Nothing was found for ${JSON.stringify(given)}.`);
    return element as ElementHandle;
  }
}

function call(work: (...given: never[]) => unknown, given: unknown[]): string {
  return `(${work})(...${JSON.stringify(given)})`;
}
