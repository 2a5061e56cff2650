/** The steps that concern both this browser's vault and the server: each is cut off before every read, write and request. */
import { expect } from '@open-wc/testing';
import { KeptCopy } from '../../../src/sync/kept-copy.ts';
import { namesIn } from './sync-world.ts';
import type { Database } from '../../../src/wallets/database.ts';
import { Keys } from '../../../src/wallets/keys.ts';
import type { Intent } from '../../../src/wallets/passkey-intent.ts';
import type { Unlocked, Vault } from '../../../src/wallets/types.ts';
import { Authenticator } from '../wallets/authenticator.ts';
import { type Setup, setup } from '../wallets/setup.ts';
import { FakeServer } from './fake-server.ts';

const URL_OF_COPIES = 'https://copies.example';
const [PIN, NEW_PIN] = ['4821', '739154'];
const IMPORTED = new Uint8Array(32).fill(7);
const TO_OPEN: Intent = { action: 'open', walletId: '', origin: '', chain: '', requestId: '', content: null };

class CutOff extends Error {}

/** What a browser does to its database and its server, until it is cut off. */
class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  next<T>(step: () => Promise<T>): Promise<T> {
    return this.#left-- > 0 ? step() : Promise.reject(new CutOff());
  }

  of(db: Database): Database {
    return {
      ...db,
      read: (stores, work) => this.next(() => db.read(stores, work)),
      write: (stores, work) => this.next(() => db.write(stores, work)),
      probe: () => this.next(() => db.probe()),
    };
  }
}

let undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo) each();
  undo = [];
});

interface Browser extends Setup {
  /** What this browser keeps, cut off after so many steps. */
  copy(most?: number): Promise<KeptCopy>;
}

class World {
  readonly authenticator = new Authenticator();
  server: FakeServer | undefined;
  #steps = new Steps(Infinity);

  constructor() {
    undo.push(this.authenticator.plug());
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) =>
      new URL(String(input), location.href).origin === URL_OF_COPIES
        ? this.#steps.next(() => this.server!.fetch(input, init))
        : real(input, init);
    undo.push(() => void (globalThis.fetch = real));
  }

  async browser(): Promise<Browser> {
    const made = await setup();
    this.server ??= new FakeServer(made.clock);
    const copy = async (most = Infinity): Promise<KeptCopy> => {
      const steps = new Steps(most);
      this.#steps = steps;
      const { db, options } = Keys.of(await made.vault.parts());
      return new KeptCopy(new Keys(steps.of(db), options), { url: URL_OF_COPIES, clock: made.clock });
    };
    return { ...made, copy };
  }

  /** With a derived and an imported wallet, whose copy is kept. */
  async keeping(): Promise<Browser> {
    const browser = await this.browser();
    const open = await browser.vault.createWithPasskey();
    await browser.vault.createWallet(open, 'ETHEREUM', 'Derived');
    await browser.vault.importWallet(open, 'ETHEREUM', IMPORTED, 'Imported');
    await (await browser.copy()).enrol(open);
    open.close();
    return browser;
  }

  async findsCopy(): Promise<string[]> {
    const found = await (await (await this.browser()).copy()).find();
    const names = namesIn(found.copy);
    found.close();
    return names;
  }
}

const byPasskey = (vault: Vault): Promise<Unlocked> => vault.unlockWithPasskey(TO_OPEN);
const names = async (vault: Vault): Promise<string[]> =>
  (await vault.wallets()).map(({ alias }) => alias).sort();

/** Every wallet's key opens. */
async function opens(vault: Vault, by: Promise<Unlocked>): Promise<void> {
  const open = await by;
  for (const { id } of await vault.wallets()) expect(await open.key(id)).to.have.length(32);
  expect(await vault.phrase(open)).to.have.length(12);
  open.close();
}

/** Runs a step in new browsers, cut off later each time, until it is not. `look` is at what is there after each. */
async function atEachStep<B>(
  prepare: () => Promise<B>,
  step: (browser: B, most: number) => Promise<unknown>,
  look: (browser: B, isDone: boolean) => Promise<unknown>,
): Promise<void> {
  for (let most = 0, isDone = false; !isDone; most++) {
    const browser = await prepare();
    isDone = await step(browser, most).then(
      () => true,
      () => false,
    );
    await look(browser, isDone);
  }
}

describe('a browser that is cut off at any step', () => {
  it('of a restore has either nothing or everything, and gets it at the next try', async () => {
    const world = new World();
    await world.keeping();
    const restore = async (browser: Browser, most?: number): Promise<void> => {
      const found = await (await browser.copy()).find();
      (await (await browser.copy(most)).restore(found, NEW_PIN)).close();
      found.close();
    };
    const states = new Set<boolean>();
    await atEachStep(
      () => world.browser(),
      restore,
      async (browser, isDone) => {
        const { exists } = await browser.vault.state();
        states.add(exists);
        expect(exists || !isDone).to.equal(true);
        if (!exists) await restore(browser);
        expect(await names(browser.vault)).to.deep.equal(['Derived', 'Imported']);
        await opens(browser.vault, byPasskey(browser.vault));
        await opens(browser.vault, browser.vault.unlock(NEW_PIN));
        expect(await (await browser.copy()).state(), 'is kept').to.include({ isCurrent: true });
      },
    );
    expect(states.size).to.equal(2);
  });

  it('of a replacement has the wallet of before or the other one, whole', async () => {
    const world = new World();
    await world.keeping();
    const before = async (): Promise<Browser> => {
      const browser = await world.browser();
      const open = await browser.vault.create(PIN);
      await browser.vault.createWallet(open, 'ETHEREUM', 'Mine');
      open.close();
      return browser;
    };
    const states = new Set<string>();
    await atEachStep(
      before,
      async (browser, most) => {
        const found = await (await browser.copy()).find();
        (await (await browser.copy(most)).replace(found)).close();
      },
      async ({ vault }, isDone) => {
        const here = await names(vault);
        states.add(String(here));
        if (String(here) === 'Mine') {
          expect(isDone).to.equal(false);
          await opens(vault, vault.unlock(PIN));
        } else {
          expect(here).to.deep.equal(['Derived', 'Imported']);
          await opens(vault, byPasskey(vault));
        }
      },
    );
    expect(states.size).to.equal(2);
  });

  it('of keeping a copy opens as before, and keeps it at the next try', async () => {
    await atEachStep(
      async () => {
        const world = new World();
        const browser = await world.browser();
        const open = await browser.vault.createWithPasskey();
        await browser.vault.createWallet(open, 'ETHEREUM', 'Mine');
        await browser.vault.choosePin(open, PIN);
        return { world, browser, open };
      },
      async ({ browser, open }, most) => (await browser.copy(most)).enrol(open),
      async ({ world, browser, open }, isDone) => {
        const { vault } = browser;
        const copy = await browser.copy();
        const isKept = (await copy.state()) !== undefined;
        expect(isKept || !isDone).to.equal(true);
        if (!isKept) await copy.enrol(open);
        await opens(vault, byPasskey(vault));
        await opens(vault, vault.unlock(PIN));
        expect(await world.findsCopy()).to.deep.equal(['Mine']);
        expect(world.authenticator.dropped).to.deep.equal([]);
      },
    );
  });
});
