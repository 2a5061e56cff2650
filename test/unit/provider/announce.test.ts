import { expect } from '@open-wc/testing';
import { BrowserProvider } from 'ethers/providers';
import { createConnect } from '../../../src/actions/connect.ts';
import { announce } from '../../../src/provider/announce.ts';
import type { EthereumProvider } from '../../../src/provider/types.ts';
import { FRAME } from '../actions/page.ts';
import { ProviderWorld } from './world.ts';
import { DEADLINE_MS } from '../../waiting.ts';

interface Detail {
  info: Record<string, string>;
  provider: EthereumProvider;
}

const WALLET = new URL('https://connect.example/frame/');
const providerOf = () => {
  const { provider } = new ProviderWorld();
  return () => provider;
};

describe('a provider that is announced (EIP-6963)', () => {
  let ended: AbortController;
  let heard: Detail[];
  const hear = (event: Event) => heard.push((event as CustomEvent<Detail>).detail);
  const request = () => dispatchEvent(new Event('eip6963:requestProvider'));
  beforeEach(() => {
    ended = new AbortController();
    heard = [];
    addEventListener('eip6963:announceProvider', hear);
  });
  afterEach(() => {
    ended.abort();
    removeEventListener('eip6963:announceProvider', hear);
  });

  it('at once and whenever it is asked for, as the same, with no other fields', () => {
    const provider = providerOf();
    announce(provider, {}, WALLET, ended.signal);
    request();
    expect(heard).to.have.length(2);
    const [first, second] = heard;
    expect(Object.keys(first!).sort()).to.deep.equal(['info', 'provider']);
    expect(Object.keys(first!.info).sort()).to.deep.equal(['icon', 'name', 'rdns', 'uuid']);
    expect([Object.isFrozen(first), Object.isFrozen(first!.info)]).to.deep.equal([true, true]);
    expect(second!.provider).to.equal(provider());
    expect(second!.info).to.deep.equal(first!.info);
    const { uuid, name, icon, rdns } = first!.info;
    expect(uuid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([name, rdns]).to.deep.equal(['Carabiner', 'example.connect']);
    // web3-onboard refuses pictures that could hold a script.
    expect(icon).to.match(/^data:image\/svg\+xml,/);
    expect(icon).not.to.match(/on[a-z]*\s*=|<script|javascript:/i);
    expect(decodeURIComponent(icon!)).not.to.match(/\bon[a-z]*\s*=|<script|javascript:/i);
    ended.abort();
    request();
    expect(heard).to.have.length(2);
  });

  it('has a square picture that the browser can draw', async () => {
    announce(providerOf(), {}, WALLET, ended.signal);
    const image = new Image();
    image.src = heard[0]!.info['icon']!;
    await image.decode();
    expect([image.naturalWidth, image.naturalHeight]).to.deep.equal([96, 96]);
  });

  it('as the page names it, and with a field at fault named', () => {
    const provider = providerOf();
    const icon = 'data:image/png;base64,iVBORw0KGgo=';
    announce(provider, { chain: 'GOCHAIN' }, new URL('http://localhost:4000'), ended.signal);
    announce(provider, { name: 'Shop', icon, rdns: 'com.shop' }, WALLET, ended.signal);
    expect(heard.map(({ info: { name, rdns } }) => [name, rdns])).to.deep.equal([
      ['Carabiner (GoChain)', 'carabiner.local.gochain'],
      ['Shop', 'com.shop'],
    ]);
    const wrong = (given: object) => () => announce(provider, given, WALLET, ended.signal);
    expect(wrong({ icon: 'https://shop.example/icon.png' })).to.throw(/^announce\.icon: must be a data: URI/);
    expect(wrong({ rdns: 'shop' })).to.throw(/^announce\.rdns: must be a domain name/);
    expect(wrong({ name: '' })).to.throw(/^announce\.name: must not be empty/);
  });

  it('before the connect is returned, so that libraries which look once find it', () => {
    const connect = createConnect({ frame: FRAME, announce: { chain: 'GOCHAIN' } });
    expect(heard.map(({ provider }) => provider)).to.deep.equal([connect.provider({ chain: 'GOCHAIN' })]);
    connect.destroy();
  });

  it('not with a field at fault, which the page reads in its console', () => {
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (...all) => errors.push(all[4]);
    const connect = createConnect({ frame: FRAME, announce: { rdns: 'shop' } });
    window.onerror = onerror;
    expect(errors.map((error) => (error as Error).message).join()).to.match(
      /^announce\.rdns: must be a domain name/,
    );
    expect(heard).to.deep.equal([]);
    connect.destroy();
  });

  it('by a connect whose page wants it, until it is destroyed, and found by ethers', async () => {
    const quiet = createConnect({ frame: FRAME });
    const connect = createConnect({ frame: FRAME, announce: { name: 'Ours' } });
    const provider = await BrowserProvider.discover({ timeout: DEADLINE_MS, anyProvider: true });
    expect(provider?.providerInfo?.name).to.equal('Ours');
    expect(new Set(heard.map(({ provider }) => provider))).to.deep.equal(
      new Set([connect.provider({ chain: 'ETHEREUM' })]),
    );
    connect.destroy();
    quiet.destroy();
    heard = [];
    request();
    expect(heard).to.deep.equal([]);
  });
});
