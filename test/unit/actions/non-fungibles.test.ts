import { expect } from '@open-wc/testing';
import type { Context } from '../../../src/actions/context.ts';
import { nonFungibles } from '../../../src/actions/reads.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { aWallet } from '../channel/fixture/wallet.ts';

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('connect.nonFungibles', () => {
  const asked: unknown[] = [];
  const wallets = [
    { ...aWallet('eth'), id: 'eth', secretType: 'ETHEREUM', network: 'ethereum-sepolia' },
    { ...aWallet('btc'), id: 'btc', secretType: 'BITCOIN' },
  ];
  const context = {
    record: { wallets: () => wallets },
    host: {
      read: async (action: string, params: unknown) => {
        asked.push([action, params]);
        return [];
      },
    },
  } as unknown as Context;
  const refusal = async (id: string, contracts?: unknown): Promise<string> => {
    try {
      await nonFungibles(context, id, contracts as string[], {});
      return 'it was asked';
    } catch (error) {
      return (error as ConnectError).message;
    }
  };

  it('asks for the tokens of the wallet’s address, on its network, in the given contracts', async () => {
    const { address } = wallets[0]!;
    const where = { secretType: 'ETHEREUM', address, network: 'ethereum-sepolia' };
    await nonFungibles(context, 'eth', undefined, {});
    await nonFungibles(context, 'eth', [CONTRACT], {});
    expect(asked).to.deep.equal([
      ['nonFungibles', where],
      ['nonFungibles', { ...where, contracts: [CONTRACT] }],
    ]);
  });

  it('refuses invalid input before any request', async () => {
    asked.length = 0;
    expect(await refusal('btc')).to.contain('ETHEREUM only');
    expect(await refusal('another')).to.contain('wallet.forbidden');
    expect(await refusal('eth', CONTRACT)).to.contain('contracts: must be a list');
    expect(await refusal('eth', [CONTRACT, 7])).to.contain('contracts.1: must be an address');
    expect(await refusal('eth', Array(101).fill(CONTRACT))).to.contain('at most 100');
    expect(asked).to.deep.equal([]);
  });
});
