/** The code of the guides for pages does what they say it does: it is read from them and run, with a wallet that answers at once. */
import { expect } from '@open-wc/testing';
import * as wagmi from '@wagmi/core';
import { BrowserProvider } from 'ethers/providers';
import { createWalletClient, custom } from 'viem';
import { mainnet } from 'viem/chains';
import type { Connect } from '../../src/actions/types.ts';
import { ConnectError } from '../../src/base/errors.ts';
import * as testing from '../../src/testing/index.ts';
import { carabiner } from '../../src/wagmi.ts';
import { type FakeConnect, MAIN, RECIPIENT, TWO_NETWORKS, wallet } from './elements/fake-connect.ts';
import { settle } from './elements/page.ts';
import { ANSWERS, HASH, ProviderWorld, SIGNED } from './provider/world.ts';
import '../../src/elements/index.ts';

const PAGES = [
  'README.md',
  ...[
    'embedding',
    'errors',
    'chains',
    'swaps',
    'recipes',
    'migrating',
    'provider',
    'external-wallets',
    'testing-your-app',
  ].map((name) => `docs/${name}.md`),
];

interface Snippet {
  place: string;
  language: string;
  code: string;
}

const THEIRS = wallet('theirs', 'Other', RECIPIENT, { walletType: 'EXTERNAL' });

async function snippets(page: string): Promise<Snippet[]> {
  const source = await (await fetch(`/${page}`)).text();
  return [...source.matchAll(/^```(js|html)\n([^]*?)^```$/gm)].map(({ 1: language, 2: code, index }) => ({
    place: `${page}:${source.slice(0, index).split('\n').length + 1}`,
    language: language!,
    code: code!,
  }));
}

/** A wallet whose user approves everything, and an external one beside ours. Its calls go into `calls`. */
function willing(calls: string[]): FakeConnect {
  const world = new ProviderWorld();
  world.answers = { ...ANSWERS };
  const { connect } = world;
  connect.linked = [MAIN, THEIRS];
  connect.chainNetworks = TWO_NETWORKS;
  connect.balances['main base'] = connect.balances['main']!;
  connect.rates = () => ({ exchangeRates: [], bestRate: { exchange: 'UNISWAP', outputAmount: 1 } as never });
  const sent = { transactionHash: HASH };
  const answers: Partial<Record<keyof Connect, unknown>> = {
    linkWallets: connect.linked,
    transfer: sent,
    execute: sent,
    executeAll: [sent],
    sign: SIGNED,
    resume: sent,
    tokenBalance: { balance: '1', symbol: 'DUSD' },
    createSwap: [],
  };
  for (const [name, answer] of Object.entries(answers))
    Object.assign(connect, {
      [name]: async () => {
        calls.push(name);
        return answer;
      },
    });
  return Object.assign(connect, { provider: () => world.provider });
}

const AsyncFunction = (async () => {}).constructor as new (
  ...all: string[]
) => (...all: unknown[]) => Promise<void>;

/** What the pages' code imports, beside what is ours. */
const MODULES: Record<string, object> = {
  'carabiner/testing': testing,
  'carabiner/wagmi': { carabiner },
  '@wagmi/core': wagmi,
  ethers: { BrowserProvider },
  viem: { createWalletClient, custom },
  'viem/chains': { mainnet },
};

/** Runs it as a module of a page, whose own names are `given`. */
async function run(code: string, given: Record<string, unknown>): Promise<void> {
  const body = code
    .replaceAll(/^import (\{[^}]*\}) from '(?:carabiner|https:[^']*)';.*$/gm, 'const $1 = carabiner;')
    .replaceAll(/^import (\{[^}]*\}) from ('[^']*');.*$/gm, 'const $1 = modules[$2];')
    .replaceAll(/^import '(?:carabiner|https:)[^']*';.*$/gm, '');
  expect(body, 'an import of a whole module').not.to.match(/^import /m);
  const names = { ...given, modules: MODULES };
  // A block of its own, as a module has: what it declares hides what is given.
  await new AsyncFunction(...Object.keys(names), `{\n${body}\n}`)(...Object.values(names));
}

describe('the code in the docs', () => {
  let connect: FakeConnect;
  const calls: string[] = [];
  let button: HTMLButtonElement;
  const logged: unknown[] = [];
  const realLog = console.log;
  const realFetch = window.fetch;
  beforeEach(() => {
    calls.length = 0;
    connect = willing(calls);
    button = document.createElement('button');
    logged.length = 0;
    console.log = (...all) => void logged.push(...all);
  });
  afterEach(() => {
    console.log = realLog;
    window.fetch = realFetch;
  });

  const given = (): Record<string, unknown> => ({
    carabiner: { connect, createConnect: () => connect, ConnectError },
    connect,
    button,
    wallet: MAIN,
    walletId: MAIN.id,
    to: RECIPIENT,
    dusd: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    params: { type: 'ETHEREUM_RAW', walletId: MAIN.id, data: '0x01' },
    data: '0x01',
    Certificate: { of: () => ({ verify() {} }) },
    types: {},
    primaryType: 'Mail',
    domain: {},
    message: {},
    deliver: () => {},
    offerButton: () => {},
    // The page's own server.
    fetch: async () => ({ json: async () => ({ nonce: 'n', message: 'm' }) }),
  });

  for (const page of PAGES)
    it(`runs: ${page}`, async () => {
      const found = (await snippets(page)).filter(({ language }) => language === 'js');
      expect(found.length).to.be.greaterThan(0);
      for (const { place, code } of found) {
        try {
          await run(code, given());
          await button.onclick?.(new MouseEvent('click') as PointerEvent);
        } catch (error) {
          throw new Error(`${place}: ${error}`, { cause: error });
        }
        button.onclick = null;
      }
    });

  it('links and sends in the README’s click, and sends nothing for a user who closes the wallet', async () => {
    const code = (await snippets('README.md')).find((each) => each.code.includes('createConnect'))!.code;
    await run(code, given());
    await button.onclick!(new MouseEvent('click') as PointerEvent);
    expect(calls).to.deep.equal(['linkWallets', 'transfer']);
    calls.length = 0;
    connect.linkWallets = async () => [];
    await button.onclick!(new MouseEvent('click') as PointerEvent);
    expect(calls).to.deep.equal([]);
  });

  it('of errors names what the README’s reader gets', async () => {
    const code = (await snippets('docs/errors.md'))[0]!.code;
    connect.transfer = () => Promise.reject(new ConnectError('transaction.insufficient-funds', 'x'));
    await run(code, given());
    const { docsUrl } = new ConnectError('transaction.insufficient-funds', 'x');
    expect(code).to.include(`error.docsUrl; // '${docsUrl}'`);
  });

  it('in HTML is made of elements that there are, with attributes that they have', async () => {
    const main = document.createElement('main');
    document.body.append(main);
    for (const page of [...PAGES, 'docs/troubleshooting.md'])
      for (const { place, language, code } of await snippets(page)) {
        if (language !== 'html') continue;
        main.innerHTML = code;
        for (const each of main.querySelectorAll('*')) {
          if (!each.localName.includes('-')) continue;
          const type = customElements.get(each.localName) as { observedAttributes?: string[] } | undefined;
          const known = [...(type?.observedAttributes ?? []), 'id', 'class', 'slot'];
          const unknown = each.getAttributeNames().filter((name) => !known.includes(name));
          expect([place, each.localName, !!type, unknown]).to.deep.equal([place, each.localName, true, []]);
        }
      }
    main.remove();
  });

  it('makes a button of the words in the tag', async () => {
    const { code } = (await snippets('docs/embedding.md')).find((each) => each.language === 'html')!;
    const main = document.createElement('main');
    document.body.append(main);
    main.innerHTML = code;
    const dialog = main.querySelector('transfer-dialog')!;
    Object.assign(dialog, { connect });
    await settle(dialog);
    const trigger = dialog.shadowRoot!.querySelector('button')!;
    const [slotted] = trigger.querySelector('slot')!.assignedNodes();
    expect(slotted!.textContent!.trim()).to.equal('Pay 1.5 ETH');
    trigger.click();
    await settle(dialog);
    expect(dialog.open, 'a form with the linked wallet').to.equal(true);
    dialog.open = false;
    dialog.walletId = MAIN.id;
    trigger.click();
    await settle(dialog);
    expect(calls).to.deep.equal(['transfer']);
    main.remove();
  });
});
