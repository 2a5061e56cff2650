import { expect } from '@open-wc/testing';
import { readParams } from '../../../../src/channel/read-schema.ts';
import { loadChain, loadPayloads } from '../../../../src/chains/index.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import type { Reader } from '../../../../src/frame/frame.ts';
import { read } from '../../../../src/frame/reads/reads.ts';
import { NETWORK } from '../../chains/fake-node.ts';
import { RECIPIENT, settled, world } from '../world.ts';

const FRAME = {
  link: { origin: 'https://shop.example' },
  networks: { customNodes: false, networks: [NETWORK], reported: [] },
  chain: loadChain,
  payloads: loadPayloads,
} as unknown as Reader;

function built(body: object): Promise<Record<string, unknown>> {
  const params = readParams('build', { body, address: RECIPIENT });
  return new Promise((resolve, reject) => {
    void read(FRAME, { action: 'build', params, resolve, reject } as unknown as HostRequest);
  });
}

describe('a built request', () => {
  it('has every field of its type, and is executed as it is', async () => {
    const w = await world();
    const request = await built({
      type: 'TRANSFER',
      secretType: 'ETHEREUM',
      walletId: w.wallet.id,
      to: RECIPIENT,
      value: '0.25',
    });
    expect(request).to.deep.equal({
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      pincode: null,
      gasPrice: null,
      gas: null,
      nonce: null,
      network: null,
      value: '250000000000000000',
      to: RECIPIENT,
      data: null,
    });
    const asked = w.ask('execute', request);
    await w.approve();
    await settled(asked);
    expect(w.chain.signed[0]?.request).to.deep.equal({
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      value: 250_000_000_000_000_000n,
      to: RECIPIENT,
    });
  });
});
