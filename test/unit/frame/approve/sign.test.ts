import { expect } from '@open-wc/testing';
import type {
  CertificateSigning,
  SignInMessage,
  SignInSigning,
  TypedSigning,
} from '../../../../src/chains/approval/signing.ts';
import { visibleText } from '../../../../src/ui/text.ts';
import { html, render } from 'lit';
import { addressIn, deepAll, named } from '../scene.ts';
import {
  ORIGIN,
  PIN,
  RECIPIENT,
  settled,
  unreachable,
  until,
  world,
  type Asked,
  type World,
} from '../world.ts';

const ask = (w: World, id?: string): Asked =>
  w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e20696e' }, id);

describe('signing', () => {
  it('shows the message with its line breaks, and answers the signature', async () => {
    const w = await world();
    w.chain.signing = { kind: 'text', text: 'Sign in\n\nNonce: 4f', hex: '0x' };
    const asked = ask(w, 'sign-0001');
    await w.approval();
    const message = await until(() => deepAll<HTMLElement>(w.shell, '.message')[0]);
    expect(message.innerText).to.equal('Sign in\n\nNonce: 4f');
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({
      success: true,
      result: { r: '0x01', s: '0x02', v: '0x1b', signature: '0x01021b' },
    });
    expect(asked.progress).to.deep.equal(['approval', 'signing']);
    expect([...w.chain.keys[0]!]).to.deep.equal(Array(32).fill(0));
    const again = ask(w, 'sign-0001');
    await settled(again);
    expect(again.result).to.deep.equal(asked.result);
    expect(w.chain.signed).to.have.length(1);
    await w.closed();
  });

  it('needs a tick before the PIN for unreadable data', async () => {
    const w = await world();
    w.chain.signing = { kind: 'blind', hex: '0x1c8a', reason: 'hash' };
    const asked = ask(w);
    await until(() => w.text().includes('You cannot read what you sign'));
    expect(named(w.shell, 'Data to sign').textContent).to.equal('0x1c8a');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk and trust shop.example')).click();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('draws a raw transaction like any other', async () => {
    const w = await world();
    const summary = await w.chain.describe({ from: w.wallet.address, nonce: 0, maximum: 4n } as never);
    w.chain.signing = { kind: 'transaction', summary };
    ask(w);
    await until(() => w.text().includes('0.2 ETH'));
    expect(w.text()).to.include('shop.example can send this transaction at any time once you sign it.');
    expect(w.text()).to.include('Maximum fee');
  });

  it('can be rejected, refuses invalid requests, and waits for its node', async () => {
    const w = await world();
    const bad = w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: 'hello' });
    await settled(bad);
    expect(bad.error?.code).to.equal('request.invalid');
    const describeSigning = w.chain.chain.describeSigning;
    let down = true;
    w.frame.chain = async () => ({
      ...w.chain.chain,
      describeSigning: (...given) => (down ? Promise.reject(unreachable()) : describeSigning!(...given)),
    });
    const asked = ask(w);
    await w.title('Cannot reach Ethereum');
    down = false;
    await w.press('Retry');
    await w.approval();
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(w.chain.signed).to.have.length(0);
    expect(await w.vault.journal.get(ORIGIN, asked.request.id)).to.equal(undefined);
  });

  it('counts wrong PINs', async () => {
    const w = await world();
    const asked = ask(w);
    await w.approve('9999');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    await w.approve(PIN);
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });
});

describe('a message with marks that hide or reorder words', () => {
  it('shows each as a box with its name', () => {
    const box = document.createElement('div');
    render(html`${visibleText('pay\u202eeno\u0000 \u200bme\r\nnow\ttab')}`, box);
    const marks = [...box.querySelectorAll('.unseen')].map((mark) => [
      mark.getAttribute('aria-label'),
      mark.textContent,
    ]);
    expect(marks).to.deep.equal([
      ['U+202E', 'U+202E'],
      ['U+0000', '␀'],
      ['U+200B', 'U+200B'],
      ['U+0009', '␉'],
    ]);
    expect(box.textContent).to.include('me\nnow');
  });
});

const limit = (raw: bigint, unlimited?: true) => ({
  amount: { raw, decimals: 6, symbol: 'USDC', token: RECIPIENT },
  ...(unlimited && { unlimited }),
});
const typedData = (more: Partial<TypedSigning> = {}): TypedSigning => ({
  kind: 'typed',
  primaryType: 'Permit',
  deed: { kind: 'allow', amounts: [limit(500_000_000n)], to: RECIPIENT, until: 1_800_000_000n },
  terms: [
    { code: 'limit', limit: limit(500_000_000n) },
    { code: 'sign-before', time: 'never' },
  ],
  domain: [{ name: 'name', type: 'string', value: 'USD\u202eC' }],
  message: [
    { name: 'spender', type: 'address', value: RECIPIENT },
    { name: 'note', type: 'string', value: 'x'.repeat(500) },
    { name: 'list', type: 'uint8[]', value: [{ name: '0', type: 'uint8', value: 7n }] },
  ],
  names: { [RECIPIENT.toLowerCase()]: { name: 'Openbook', kind: 'exchange' } },
  digests: {
    digest: `0x${'d1'.repeat(32)}`,
    domainHash: `0x${'d2'.repeat(32)}`,
    messageHash: `0x${'d3'.repeat(32)}`,
  },
  warnings: [],
  ...more,
});

describe('signing typed data', () => {
  it('says what it does in words, with names, and keeps every field by its own name', async () => {
    const w = await world();
    w.chain.signing = typedData();
    const asked = ask(w);
    await w.title('Allow up to 500 USDC');
    const shown = w.text();
    for (const words of [
      'Openbook',
      'Known exchange',
      'Limit',
      '500 USDC',
      'Can be used until',
      'no end date',
    ])
      expect(shown).to.include(words);
    const all = named(w.shell, 'Data to sign');
    for (const name of ['Permit', 'spender', 'note', 'list', 'domain', 'name'])
      expect([...all.querySelectorAll('.mono')].map((each) => each.textContent)).to.include(name);
    expect(addressIn(all).textContent).to.equal(RECIPIENT);
    expect(all.querySelector('.unseen')!.getAttribute('aria-label')).to.equal('U+202E');
    expect(all.textContent).to.include('Show all 500 characters').and.to.not.include('x'.repeat(500));
    all.querySelector<HTMLElement>('.long > summary')!.click();
    await until(() => all.textContent!.includes('x'.repeat(500)));
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('needs a tick for an unlimited allowance', async () => {
    const w = await world();
    const all = limit(2n ** 160n, true);
    w.chain.signing = typedData({
      deed: { kind: 'allow', amounts: [all], to: RECIPIENT },
      warnings: [{ code: 'unlimited', level: 'danger', limit: all, params: { spender: RECIPIENT } }],
    });
    const asked = ask(w);
    await w.title('Allow unlimited USDC');
    expect(w.text()).to.include('Openbook could take all your USDC');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk: I could lose all my USDC')).click();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('draws an unknown form field by field', async () => {
    const w = await world();
    w.chain.signing = typedData({
      deed: undefined,
      terms: [],
      warnings: [{ code: 'unknown-form', level: 'danger' }],
    });
    ask(w);
    await w.title('Sign data');
    expect(w.text()).to.include('Carabiner does not know this form');
    expect(named(w.shell, 'Data to sign').closest('details')).to.equal(null);
    await w.find('I understand the risk: what can be lost is not known');
  });

  it('has the three digests in Details, by the terms of ERC-8213', async () => {
    const w = await world();
    w.chain.signing = typedData();
    ask(w);
    await w.title('Allow up to 500 USDC');
    (
      await until(() => deepAll<HTMLElement>(w.shell, 'summary').find((one) => one.innerText === 'Details'))
    ).click();
    const rows = (await until(() =>
      deepAll(w.shell, 'dl').find((list) => list.textContent!.includes('Digest')),
    ))!;
    expect([...rows.querySelectorAll('dt')].map((term) => term.textContent)).to.deep.equal([
      'EIP-712 Digest',
      'Domain Hash',
      'Message Hash',
    ]);
    expect(rows.querySelector('dd')!.textContent!.trim()).to.equal(`0x${'d1'.repeat(32)}`);
  });
});

describe('signing in', () => {
  const message: SignInMessage = {
    domain: 'shop.example',
    address: RECIPIENT,
    statement: 'I accept the terms.',
    uri: 'https://shop.example/login',
    chainId: '31337',
    nonce: '4f19c2a8',
    issuedAt: '2026-11-21T10:04:00Z',
    resources: ['https://shop.example/orders'],
  };
  const signIn = (more: Partial<SignInSigning> = {}): SignInSigning => ({
    kind: 'sign-in',
    text: 'shop.example wants …\nNonce: 4f19c2a8',
    hex: '0x',
    message,
    mismatches: [],
    ...more,
  });

  it('shows the requesting site and the one that the message names, and needs a tick', async () => {
    const w = await world();
    const mismatch = { what: 'domain', named: 'bank.example', actual: ORIGIN } as const;
    w.chain.signing = signIn({ message: { ...message, domain: 'bank.example' }, mismatches: [mismatch] });
    const asked = ask(w);
    await w.title('Sign in to another site');
    const shown = w.text();
    expect(shown).to.include('This sign-in is for bank.example');
    expect(shown).to.include(
      'The site that asks is shop.example. With your signature it could enter your account at bank.example.',
    );
    expect(shown).to.match(
      /The message names\s*bank\.example\s*The site that asks\s*https:\/\/shop\.example/,
    );
    expect(shown).to.not.include('the site that asks\n');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk: shop.example could enter my account')).click();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('says that it fits, and shows every field', async () => {
    const w = await world();
    w.chain.signing = signIn();
    const asked = ask(w);
    await w.title('Sign in');
    for (const words of [
      'The message names shop.example, the site that asks',
      'I accept the terms.',
      'https://shop.example/login',
      '4f19c2a8',
      'https://shop.example/orders',
    ])
      expect(w.text()).to.include(words);
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  for (const [what, title] of [
    ['uri', 'This sign-in is for a page of another site'],
    ['address', 'This sign-in is for another wallet'],
    ['network', 'This sign-in is for another network'],
    ['expired', 'This sign-in is no longer valid'],
    ['not-yet', 'This sign-in is not valid yet'],
  ] as const)
    it(`takes a tick: ${title}`, async () => {
      const w = await world();
      const time = '2026-11-21T10:04:00Z';
      const [named_, actual] = {
        uri: ['https://bank.example/', ORIGIN],
        address: [RECIPIENT, w.wallet.address],
        network: ['1', '31337'],
        expired: [time, time],
        'not-yet': [time, time],
      }[what] as [string, string];
      w.chain.signing = signIn({ mismatches: [{ what, named: named_, actual }] });
      ask(w);
      await w.title('Sign in');
      expect(w.text()).to.include(title);
      expect(w.text()).to.not.include('The message names shop.example');
      await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    });

  it('is a danger if it only looks like one', async () => {
    const w = await world();
    w.chain.signing = signIn({ message: undefined });
    ask(w);
    await w.title('Sign a message');
    expect(w.text()).to.include('This reads like a sign-in, but is not one');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
  });

  it('says when text is signed without its prefix', async () => {
    const w = await world();
    w.chain.signing = { kind: 'text', text: 'Hello', hex: '0x', unprefixed: true };
    ask(w);
    await until(() => w.text().includes('This is not marked as a message'));
  });

  it('compares with the origin from the browser, at the time of the wallet’s clock', async () => {
    const w = await world();
    let scene: unknown;
    w.frame.chain = async () => ({
      ...w.chain.chain,
      describeSigning: async (...given) => {
        scene = given[4];
        return signIn();
      },
    });
    ask(w);
    await w.title('Sign in');
    expect(scene).to.deep.include({ origin: ORIGIN, now: w.frame.clock.date() });
  });
});

describe('signing a message of another chain', () => {
  it('tells the site that asks from the one that a sign-in names, and takes a tick', async () => {
    const w = await world();
    w.chain.signing = {
      kind: 'sign-in',
      text: 'bank.example wants you to sign in with your Bitcoin account:\nbc1q',
      hex: '0x',
      mismatches: [{ what: 'domain', named: 'bank.example', actual: ORIGIN }],
    };
    const asked = ask(w);
    await w.title('Sign in to another site');
    const shown = w.text();
    expect(shown).to.include('This sign-in is for bank.example');
    expect(shown).to.include('your account at bank.example');
    expect(shown).to.include('wants you to sign in with your Bitcoin account');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk: shop.example could enter my account')).click();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });
});

describe('signing a certificate', () => {
  const CERTIFICATE = {
    type: 'VECHAIN_CERTIFICATE',
    walletId: '',
    data: '0x49206167726565',
    purpose: 'agreement',
    annex: null,
  } as const;
  const shown: CertificateSigning = {
    kind: 'certificate',
    purpose: 'agreement',
    text: 'I agree\u202e.',
    domain: 'shop.example',
  };

  /** A world whose requests are certificates, and what it signed. */
  async function certificates(summary: CertificateSigning = shown) {
    const w = await world();
    const signed: unknown[] = [];
    w.chain.signing = summary;
    const payloads = await w.frame.payloads('ETHEREUM');
    const request = { ...CERTIFICATE, walletId: w.wallet.id };
    w.frame.payloads = async () => ({ ...payloads, parseSigning: () => request as never });
    w.frame.chain = async () => ({
      ...w.chain.chain,
      async signData(given) {
        signed.push(given);
        return { annex: { domain: '', timestamp: 0, signer: '' }, signature: '0x' };
      },
    });
    return { w, signed, request };
  }

  it('shows the whole text and for whom it is, and signs it for the site that the browser tells, now', async () => {
    const { w, signed, request } = await certificates();
    const asked = ask(w);
    await w.title('Agree to a text');
    expect(w.text()).to.include('I agree').and.to.include('shop.example');
    expect(deepAll(w.shell, '.message .unseen')[0]!.getAttribute('aria-label')).to.equal('U+202E');
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({
      success: true,
      result: { annex: { domain: '', timestamp: 0, signer: '' }, signature: '0x' },
    });
    const timestamp = Math.floor(w.frame.clock.date() / 1000);
    expect(signed).to.deep.equal([{ ...request, annex: { domain: new URL(ORIGIN).host, timestamp } }]);
  });

  it('says what identification is for', async () => {
    const { w } = await certificates({ ...shown, purpose: 'identification' });
    ask(w);
    await w.title('Identify yourself');
    expect(w.text()).to.include('shows shop.example that this wallet is yours');
  });

  it('takes a tick where its text signs in elsewhere', async () => {
    const { w } = await certificates({
      ...shown,
      mismatches: [{ what: 'domain', named: 'bank.example', actual: ORIGIN }],
    });
    ask(w);
    await w.title('Sign in to another site');
    expect(w.text()).to.include('This sign-in is for bank.example');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
  });
});
