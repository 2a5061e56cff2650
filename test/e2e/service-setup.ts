/** The demo with its wallet service, and a customer who signs in and has wallets there. */
import { rmSync } from 'node:fs';
import { JsonRpcProvider } from 'ethers';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../demo/start.ts';
import type { Connect } from '../../src/actions/types.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';
import { within } from '../waiting.ts';
import {
  evaluateIn,
  knowsPlace,
  launch,
  newProfile,
  openingIn,
  PIN,
  passMinute,
  WalletView,
} from './harness.ts';
import { sharedAnvil } from './places.ts';

export interface ServiceWorld {
  demo: Demo;
  browser: Browser;
  /** The chain itself, bypassing every proxy. */
  chain: JsonRpcProvider;
  /** A new browser profile. */
  profile(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export async function openServiceWorld(chains: readonly SecretType[] = ['ETHEREUM']): Promise<ServiceWorld> {
  const folder = temporaryFolder();
  const service = { DATA_DIR: dataIn(folder) };
  const demo = await within(startDemo({ chains, service, anvil: await sharedAnvil() }), 'the demo');
  const chain = new JsonRpcProvider(demo.local.ETHEREUM!.network.nodes[0], undefined, { cacheTimeout: -1 });
  const browser = await launch();
  return {
    demo,
    browser,
    chain,
    profile: () => newProfile(browser, { viewport: { width: 1280, height: 860 } }),
    async close() {
      chain.destroy();
      await within(browser.close(), 'the end of the browser');
      await within(demo.close(), 'the end of the demo');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Outcome = { value?: unknown; code?: string; details?: Record<string, unknown> };

export interface Arrival {
  /** `popup`: on a host name that is cross-site with the frame. */
  where?: 'iframe' | 'popup';
  /** The page's fragment: chain and scenario. */
  at?: string;
  context?: BrowserContext;
}

/** A customer on a page of the demo. */
export class Customer {
  /** The wallet's window that the page opened last. */
  #window: Page | undefined;

  private constructor(
    readonly world: ServiceWorld,
    readonly page: Page,
    readonly where: 'iframe' | 'popup',
  ) {
    page.on('popup', (opened) => (this.#window = opened));
  }

  /** Without signing in. */
  static async visit(
    world: ServiceWorld,
    { where = 'iframe', at = 'ethereum/service-wallet', context }: Arrival = {},
  ): Promise<Customer> {
    const page = await (context ?? (await world.profile())).newPage();
    const origin = where === 'iframe' ? world.demo.demo : world.demo.demo.replace('localhost', '127.0.0.1');
    await page.goto(`${origin}/qa#/${at}`);
    if (where === 'iframe') await knowsPlace(page);
    return new Customer(world, page, where);
  }

  static async signIn(
    world: ServiceWorld,
    { name = 'Ada', ...arrival }: Arrival & { name?: string } = {},
  ): Promise<Customer> {
    const customer = await Customer.visit(world, arrival);
    const { page } = customer;
    await page.getByRole('banner').getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(`^Continue as ${name}`) }).click();
    await page.getByText(`${name.toLowerCase()}@demo.example`, { exact: true }).waitFor();
    await customer.log('ready').waitFor();
    return customer;
  }

  log(text: string | RegExp): Locator {
    return this.page.getByRole('log', { name: 'Event log' }).getByText(text).last();
  }

  button(name: string | RegExp, inside: Pick<Page, 'getByRole'> = this.page): Locator {
    return inside.getByRole('button', { name, exact: true });
  }

  /** The page's main part, which shows the scenario. */
  get main(): Locator {
    return this.page.getByRole('main');
  }

  async go(scenario: string): Promise<void> {
    await this.page.getByRole('link', { name: scenario, exact: true }).first().click();
  }

  /** Runs something that opens the wallet, and returns its view. */
  async opening(act: () => Promise<unknown>): Promise<WalletView> {
    if (this.where === 'iframe') {
      await act();
      return this.dialog;
    }
    return openingIn(this.page, () => (this.#window?.isClosed() ? undefined : this.#window), act);
  }

  /** The wallet in the dialog of this page. */
  get dialog(): WalletView {
    return new WalletView(this.page.locator('dialog[open] iframe').contentFrame(), this.page);
  }

  /** Calls a method of the page's `connect`; `outcome()` returns its outcome. */
  async call(method: keyof Connect, ...given: unknown[]): Promise<void> {
    await evaluateIn(this.page)(
      async ([script, name, all]) => {
        const { connect } = (await import(script)) as {
          connect: Record<string, (...all: unknown[]) => Promise<unknown>>;
        };
        const kept = window as unknown as { outcome: Promise<Outcome> };
        kept.outcome = connect[name]!(...all).then(
          (value) => ({ value }),
          ({ code, details }: Required<Outcome>) => ({ code, details }),
        );
      },
      [`${this.world.demo.frame}/connect.js`, method as string, given] as const,
    );
  }

  /** `linkWallets` on a page without a linked wallet, which first asks how to begin. */
  async link(): Promise<void> {
    await this.call('linkWallets', {});
    await this.page.getByRole('button', { name: 'I have one', exact: true }).click();
  }

  outcome(): Promise<Outcome> {
    return within(
      this.page.evaluate(() => (window as unknown as { outcome: Promise<Outcome> }).outcome),
      'the end of the request',
    );
  }

  /** A call that opens nothing. */
  async read<T>(method: keyof Connect, ...given: unknown[]): Promise<T> {
    await this.call(method, ...given);
    return (await this.outcome()).value as T;
  }

  passMinute(): Promise<void> {
    return passMinute(this.page, this.world.demo.frame);
  }

  async close(): Promise<void> {
    await within(this.page.context().close(), 'the end of a browser profile');
  }
}

/** Creates a customer's first wallet at the service, up to its recovery code. */
export async function firstAtService(view: WalletView): Promise<void> {
  await view.clickAtRest('Create wallet');
  await view.button('At the wallet service').click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.type('Confirm PIN', PIN);
  await view.button('Continue').click();
  await view.heading('Your recovery code').waitFor();
}

/** Creates a further one, on any chain. */
export async function nextAtService(view: WalletView): Promise<void> {
  await view.clickAtRest('Create wallet');
  await view.button('At the wallet service').click();
  await view.type('PIN', PIN);
  await view.press('Continue');
}
