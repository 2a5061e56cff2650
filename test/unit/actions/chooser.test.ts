/** "Connect a wallet", as a page without linked wallets shows it: checked by axe, and pictured for the gallery. */
import { expect } from '@open-wc/testing';
import { demoWallet } from '../../../demo/wallets/eip6963.ts';
import type { Context } from '../../../src/actions/context.ts';
import { linkWallets } from '../../../src/actions/linked-wallets.ts';
import { hostRecord } from '../../../src/channel/host-record.ts';
import { TestClock } from '../clock.ts';
import { pictures } from '../gallery.ts';
import { until } from './page.ts';

const FRAME = 'https://chooser.example';
const NAME = 'Harbour Wallet';
const RULES = { ignoredRules: ['region', 'landmark-one-main', 'page-has-heading-one', 'heading-order'] };

/** The page remembers what was announced, so all scenes have the same one. */
const theirs = demoWallet({
  name: NAME,
  rdns: 'example.harbour',
  keys: [`0x${'1'.padStart(64, '0')}`],
  chainId: 31337,
  nodes: {},
});

let ended = new AbortController();
let clock = new TestClock();
let record: ReturnType<typeof hostRecord> | undefined;
let undo = (): void => {};

const chooser = (): Promise<Element> =>
  until(() => [...document.body.children].find((it) => it.shadowRoot?.querySelector('dialog h2')));

function leave(): void {
  undo();
  ended.abort();
  record?.destroy();
  localStorage.clear();
}

async function open(theme: 'light' | 'dark'): Promise<Element> {
  leave();
  ended = new AbortController();
  clock = new TestClock();
  record = hostRecord(FRAME, clock);
  undo = theirs.announce();
  const context = {
    host: { read: async () => ({ result: { networks: [], customNodes: true } }), opensWindow: () => false },
    record,
    reachesVault: async () => false,
    payloads: new Map(),
    options: { theme },
    clock,
    ended,
    pendingListeners: new Set(),
    replacedListeners: new Set(),
  } as unknown as Context;
  linkWallets(context, {}, {}).catch(() => {});
  const host = await chooser();
  await until(() => host.shadowRoot!.textContent!.includes(NAME));
  return host;
}

pictures('chooser', 'page', ['connect a wallet'], (_, { theme }) => open(theme));

describe('the chooser', () => {
  afterEach(leave);

  for (const theme of ['light', 'dark'] as const)
    it(`has nothing for axe to say in ${theme}`, async () => {
      await expect(await open(theme)).to.be.accessible(RULES);
    });
});
