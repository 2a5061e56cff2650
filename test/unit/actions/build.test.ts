import { expect } from '@open-wc/testing';
import { build } from '../../../src/actions/reads.ts';
import type { Context } from '../../../src/actions/context.ts';
import { execute, executeAll } from '../../../src/actions/requests.ts';
import type { BuildBody } from '../../../src/chains/requests.ts';
import { loadPayloads } from '../../../src/chains/index.ts';
import { aWallet } from '../channel/fixture/wallet.ts';

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const HOLDER = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('the wallet that holds a non-fungible token', () => {
  it('is named by its address, or by the id of a linked wallet', async () => {
    const asked: unknown[] = [];
    const wallets = [
      { ...aWallet('till'), id: 'till', secretType: 'ETHEREUM' },
      { ...aWallet('vault'), id: 'vault', secretType: 'ETHEREUM', address: HOLDER },
    ];
    const ask = async (_action: string, params: { body?: object; requests?: object[] }) => {
      asked.push(...(params.requests ?? [params.body ?? params]));
    };
    const context = {
      payloads: new Map([['ETHEREUM', await loadPayloads('ETHEREUM')]]),
      record: { read: () => ({ external: {} }), wallets: () => wallets },
      host: { read: ask, approve: ask },
    } as unknown as Context;
    const body = {
      type: 'NFT_TRANSFER',
      secretType: 'ETHEREUM',
      walletId: 'till',
      to: TO,
      tokenId: '7',
      tokenAddress: TO,
      from: 'vault',
    } as BuildBody;
    await build(context, body, {});
    await execute(context, body, {});
    await executeAll(context, [body], {});
    expect(asked.map((one) => (one as { from: string }).from)).to.deep.equal([HOLDER, HOLDER, HOLDER]);
    let refusal = '';
    try {
      await build(context, { ...body, from: 'another' } as BuildBody, {});
    } catch (error) {
      refusal = (error as Error).message;
    }
    expect(refusal).to.contain('from: ');
  });
});
