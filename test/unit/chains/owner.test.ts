import { expect } from '@open-wc/testing';
import type { Chain } from '../../../src/chains/chain.ts';
import type { Draft } from '../../../src/chains/terms.ts';
import { loadChain, loadPayloads, SECRET_TYPES } from '../../../src/chains/index.ts';
import { addressOfKey, checkOwner } from '../../../src/chains/approval/owner.ts';
import type { Network } from '../../../src/chains/network.ts';
import { RequestInvalidError } from '../../../src/base/errors.ts';

const KEY = new Uint8Array(32).fill(7);
const OTHER = new Uint8Array(32).fill(8);

/** The fields of each chain's draft that make up its bytes. */
const FIELDS: Record<string, (from: string) => object> = {
  ETHEREUM: evm,
  GOCHAIN: evm,
  VECHAIN: (from) => ({
    chainTag: 39,
    blockRef: `0x${'01'.repeat(8)}`,
    expiration: 32,
    clauses: [{ to: from, value: 1n, data: '0x' }],
    gasPriceCoef: 0,
    gas: 21_000n,
    dependsOn: null,
    nonce: 1n,
    delegated: false,
  }),
  TRON: (from) => ({
    contract: { kind: 'coin', to: from, amount: 1n },
    refBlockBytes: '0x0102',
    refBlockHash: `0x${'03'.repeat(8)}`,
    expiration: 2,
    timestamp: 1,
    feeLimit: 0n,
    memo: '0x',
  }),
  AETERNITY: (from) => ({
    to: from,
    amount: 1n,
    fee: 17_000_000_000_000n,
    ttl: 0,
    nonce: 1,
    payload: '0x',
    networkId: 'ae_uat',
  }),
};

function evm(from: string): object {
  return {
    type: 0,
    chainId: 1,
    nonce: 0,
    gas: 21_000n,
    gasPrice: 1n,
    to: from,
    value: 1n,
    data: '0x',
  };
}

async function issueOf(work: Promise<unknown>): Promise<{ path: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RequestInvalidError) return error.issues[0]!;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('Keys of every chain', () => {
  for (const secretType of Object.keys(FIELDS) as (typeof SECRET_TYPES)[number][])
    it(`${secretType}: a draft is signed by its sender's key alone`, async () => {
      const chain: Chain = await loadChain(secretType);
      const from = await chain.address(KEY, 'testnet');
      const draft = { secretType, from, ...FIELDS[secretType]!(from) } as Draft;
      expect((await chain.sign(draft, KEY)).raw).to.match(/^(0x|tx_)/);
      for (let turn = 0; turn < 2; turn++) {
        const issue = await issueOf(chain.sign(draft, OTHER));
        expect(issue.path).to.equal('key');
        expect(issue.message).to.include(from);
      }
      // Again after a success, with other bytes in the same array.
      const key = KEY.slice();
      await chain.sign(draft, key);
      key.set(OTHER);
      expect((await issueOf(chain.sign(draft, key))).path).to.equal('key');
    });

  it('derives an address once for each key', async () => {
    let derived = 0;
    const how = {
      addressOf: (key: Uint8Array) => `a${key[0]}-${derived++}`,
      digest: (bytes: Uint8Array) => bytes.slice(),
    };
    const key = new Uint8Array(32).fill(1);
    expect(await addressOfKey(key, how)).to.equal('a1-0');
    expect(await addressOfKey(key, how)).to.equal('a1-0');
    expect(derived).to.equal(1);
    await checkOwner(key, 'a1-0', how);
    expect(derived).to.equal(1);
  });

  for (const secretType of SECRET_TYPES) {
    it(`${secretType}: an index is a whole number below 2^31`, async () => {
      const chain = await loadChain(secretType);
      const seed = new Uint8Array(64).fill(1);
      for (const index of [-1, 0.5, NaN, Infinity, 2 ** 31, 2 ** 32, '1' as never, undefined as never])
        expect((await issueOf(chain.deriveKey(seed, index))).path, String(index)).to.equal('index');
      expect(await chain.deriveKey(seed, 2 ** 31 - 1)).to.have.length(32);
    });

    it(`${secretType}: a sender that is not an address is named`, async () => {
      const [chain, { parseTransfer }] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
      const network = { secretType, kind: 'testnet', nodes: ['http://node.invalid'], tokens: [] };
      const own = await chain.address(KEY, 'testnet');
      const request = parseTransfer({ secretType, walletId: 'w', to: own, value: '1' });
      const node = chain.node({
        id: 'test',
        name: 'Test',
        chainId: 1,
        genesis: 'test',
        ...network,
      } as unknown as Network);
      for (const from of ['', 'nobody', '0x00', `${own}x`, undefined as never])
        expect((await issueOf(chain.prepare(request, from, node))).path, from).to.equal('from');
    });
  }
});
