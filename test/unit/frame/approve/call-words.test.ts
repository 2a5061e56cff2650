/** The operator's words on an approval: from the one file that was listed, beside all that the wallet says itself. */
import { expect } from '@open-wc/testing';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { withWords } from '../../../../src/frame/approve/call-words.ts';
import { named } from '../scene.ts';
import { ether, NETWORKS, RECIPIENT, until, world } from '../world.ts';

const POOL = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const DATA = encodeCall('claimReward77', ['address', 'uint256'], [RECIPIENT, 5n]);
const real = window.fetch;
/** Each test has a file of its own: what was read is kept. */
let count = 0;

function fileOf(more: object = {}): string {
  count += 1;
  return JSON.stringify({
    $comment: String(count),
    context: { contract: { deployments: [{ chainId: 31337, address: POOL }] } },
    metadata: { owner: 'Pool Labs' },
    display: {
      formats: {
        'claimReward77(address to, uint256 sum)': {
          intent: 'Claim reward',
          fields: [
            { path: 'to', label: 'Goes to', format: 'addressName' },
            { path: 'sum', label: 'Reward', format: 'amount' },
          ],
        },
      },
    },
    ...more,
  });
}

function listing(text: string, more: object = {}): { network: Network; hash: string } {
  const hash = bytesToHex(sha256(utf8ToBytes(text)));
  const entry = {
    file: `descriptors/${hash}.json`,
    sha256: hash,
    address: POOL,
    codeHash: `0x${'ab'.repeat(32)}`,
    ...more,
  };
  return { network: { ...NETWORKS.networks[0]!, descriptors: [entry] }, hash };
}

const summary = (descriptor: string, more: Partial<Summary> = {}): Summary => ({
  kind: 'call',
  networkName: 'Local Ethereum',
  chainId: 31337,
  amount: ether(0),
  from: RECIPIENT,
  to: POOL,
  call: { name: null, arguments: [], data: DATA, descriptor },
  fee: { expected: ether(0), maximum: ether(0) },
  total: ether(0),
  balance: ether(12),
  warnings: [{ code: 'unknown-call', level: 'danger', tick: true, params: { address: POOL } }],
  ...more,
});

/** Serves one text for whatever is asked; remembers the addresses. */
function serving(text: string, status = 200): URL[] {
  const urls: URL[] = [];
  window.fetch = async (url) => {
    urls.push(new URL(String(url), location.href));
    return new Response(text, { status });
  };
  return urls;
}

describe('the operator’s words for a call', () => {
  afterEach(() => void (window.fetch = real));

  it('come from the wallet’s own origin, once', async () => {
    const text = fileOf();
    const { network, hash } = listing(text);
    const urls = serving(text);
    const before = summary(hash);
    const worded = await withWords(systemClock, network, before);
    expect(worded.call!.words).to.include({ intent: 'Claim reward', owner: 'Pool Labs' });
    expect({ ...worded, call: before.call }).to.deep.equal(before);
    await withWords(systemClock, network, before);
    expect(
      urls.map(({ origin, pathname }) => [origin, pathname.endsWith(`/descriptors/${hash}.json`)]),
    ).to.deep.equal([[location.origin, true]]);
  });

  it('are left out where the file is another one, or is not there, and asked for at no other origin', async () => {
    const text = fileOf();
    const { network, hash } = listing(text);
    const before = summary(hash);
    serving(`${text} `);
    expect(await withWords(systemClock, network, before)).to.equal(before);
    serving(text, 404);
    expect(await withWords(systemClock, network, before)).to.equal(before);
    window.fetch = async () => {
      throw new TypeError('offline');
    };
    expect(await withWords(systemClock, network, before)).to.equal(before);
    const urls = serving(text, 404);
    for (const file of ['//evil.example/x.json', 'https://evil.example/x.json'])
      await withWords(systemClock, listing(text, { file }).network, before);
    expect(urls.map(({ origin }) => origin)).to.deep.equal([location.origin, location.origin]);
    serving(text);
    expect(
      (await withWords(systemClock, network, before)).call!.words,
      'the next draft asks again',
    ).to.not.equal(undefined);
  });

  it('are left out for another chain, another contract, and a file that turns out to be for neither', async () => {
    const text = fileOf();
    const { network, hash } = listing(text);
    serving(text);
    for (const more of [{ chainId: 1 }, { to: RECIPIENT }, { to: null }]) {
      const before = summary(hash, more);
      expect(await withWords(systemClock, network, before)).to.equal(before);
    }
    const foreign = fileOf({ context: { contract: { deployments: [{ chainId: 1, address: POOL }] } } });
    serving(foreign);
    const other = listing(foreign);
    expect((await withWords(systemClock, other.network, summary(other.hash))).call!.words).to.equal(
      undefined,
    );
  });

  it('of an exchange stand beside what the wallet says of exchanges', async () => {
    const text = fileOf();
    const { network, hash } = listing(text);
    const exchange = {
      kind: 'uniswap-v2',
      name: 'Pool Swap',
      factory: RECIPIENT,
      router: POOL,
      wrapped: RECIPIENT,
    };
    const w = await world({
      networks: {
        ...NETWORKS,
        networks: [{ ...network, exchanges: [{ ...exchange, bases: [], fee: 0.3 }] }],
      },
    });
    const { networkName: _, from: __, fee: ___, balance: ____, ...said } = summary(hash);
    w.chain.summary = said;
    serving(text);
    w.transfer();
    await until(() => w.text().includes('Claim reward'), 'the words');
    expect(w.text()).to.include('This is not one plain swap');
  });

  it('stand under a heading of their own, and take no danger and no tick away', async () => {
    const text = fileOf();
    const { network, hash } = listing(text);
    const w = await world({ networks: { ...NETWORKS, networks: [network] } });
    const { networkName: _, from: __, fee: ___, balance: ____, ...said } = summary(hash);
    w.chain.summary = said;
    serving(text);
    w.transfer();
    await until(() => w.text().includes('Claim reward'), 'the words');
    const shown = w.text();
    const place = (words: string): number => {
      expect(shown).to.include(words);
      return shown.indexOf(words);
    };
    expect(place('You cannot read this call')).to.be.below(place('In the words of this wallet’s operator'));
    for (const words of [
      'Unknown call',
      'Claim reward · Pool Labs',
      'Goes to',
      RECIPIENT,
      'Reward',
      '0.000000000000000005 ETH',
    ])
      place(words);
    place('I understand the risk of a call I cannot read');
    const [heading] = w.shell.shadowRoot!.querySelectorAll('h1');
    expect(heading?.textContent ?? '').to.not.include('Claim');
    expect(named(w.shell, 'Approve')?.textContent).to.not.include('Claim');
  });
});
