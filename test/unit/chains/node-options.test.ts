import { expect } from '@open-wc/testing';
import type { Network } from '../../../src/chains/network.ts';
import { loadChain, SECRET_TYPES, type SecretType } from '../../../src/chains/index.ts';
import { RequestInvalidError } from '../../../src/base/errors.ts';

const KEY = new Uint8Array(32).fill(7);

const networkOf = (secretType: SecretType, change: object = {}): Network => ({
  id: 'test',
  secretType,
  name: 'Test',
  kind: 'testnet',
  chainId: 5,
  genesis: 'ae_uat',
  nodes: ['https://one.example', 'https://two.example'],
  tokens: [],
  ...change,
});

describe('nodes of every chain', () => {
  for (const secretType of SECRET_TYPES) {
    it(`${secretType}: are queried with the given fetch, within the given time`, async () => {
      const chain = await loadChain(secretType);
      const asked: string[] = [];
      const node = chain.node(networkOf(secretType), {
        // oxlint-disable-next-line carabiner/waits -- what is tested, of nodes that never answer
        timeout: 20,
        fetch: (url, init) => {
          asked.push(new URL(String(url)).host);
          return new Promise((_resolve, reject) =>
            init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)),
          );
        },
      });
      const error = await chain.balance(await chain.address(KEY, 'testnet'), node).catch((e: unknown) => e);
      expect((error as { code: string }).code).to.equal('node.unreachable');
      expect(String((error as Error).cause)).to.include('did not answer in 20 ms');
      expect(new Set(asked)).to.have.all.keys('one.example', 'two.example');
    });

    it(`${secretType}: stop on the caller's signal, with its reason`, async () => {
      const chain = await loadChain(secretType);
      const control = new AbortController();
      const reason = new Error('the user left');
      let asked = 0;
      const node = chain.node(networkOf(secretType), {
        signal: control.signal,
        fetch: (_url, init) => {
          asked++;
          return new Promise((_resolve, reject) => {
            init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
            control.abort(reason);
          });
        },
      });
      const owner = await chain.address(KEY, 'testnet');
      expect(await chain.balance(owner, node).catch((e: unknown) => e)).to.equal(reason);
      const first = asked;
      expect(await chain.balance(owner, node).catch((e: unknown) => e)).to.equal(reason);
      const signed = { raw: secretType === 'AETERNITY' ? 'tx_AAAA' : '0x00', hash: '0x00' };
      expect(await chain.broadcast(signed, node).catch((e: unknown) => e)).to.equal(reason);
      expect(asked, 'nobody is asked any more').to.equal(first);
    });

    it(`${secretType}: are made from a valid network, otherwise its fields are named`, async () => {
      const { node } = await loadChain(secretType);
      const paths = (network: unknown) => {
        try {
          node(network as Network);
        } catch (error) {
          return (error as RequestInvalidError).issues.map(({ path }) => path).join();
        }
        return '';
      };
      const changed = (change: object) => paths(networkOf(secretType, change));
      expect(changed({})).to.equal('');
      expect(paths(undefined)).to.equal('network');
      expect(paths(null)).to.equal('network');
      expect(changed({ secretType: 'NEO' })).to.equal('network.secretType');
      expect(changed({ id: '', name: undefined })).to.equal('network.id,network.name');
      expect(changed({ kind: 'staging' })).to.equal('network.kind');
      expect(changed({ nodes: [] })).to.equal('network.nodes');
      expect(changed({ nodes: 'https://one.example' })).to.equal('network.nodes');
      expect(changed({ tokens: undefined })).to.equal('network.tokens');
      const urls = ['one.example', 'ws://one.example', 'https://user:pass@one.example', '', 5];
      expect(changed({ nodes: ['http://localhost:8545', ...urls] })).to.equal(
        urls.map((_, i) => `network.nodes.${i + 1}`).join(),
      );
      for (const chainId of ['1', 0, 1.5, -1]) expect(changed({ chainId })).to.equal('network.chainId');
      const signed = { ETHEREUM: 'chainId', GOCHAIN: 'chainId', VECHAIN: 'genesis', AETERNITY: 'genesis' };
      const needed = (signed as Record<string, string>)[secretType];
      expect(changed({ chainId: undefined, genesis: undefined })).to.equal(needed ? `network.${needed}` : '');
    });
  }

  it('accepts a site’s node without a chain id', async () => {
    const { node } = await loadChain('ETHEREUM');
    const custom = { custom: { name: 'Mine', host: 'one.example' }, named: [] };
    expect(node(networkOf('ETHEREUM', { chainId: undefined, ...custom })).host).to.equal('one.example');
  });
});
