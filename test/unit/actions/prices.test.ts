import { expect } from '@open-wc/testing';
import type { Context } from '../../../src/actions/context.ts';
import { prices, swapOutcome } from '../../../src/actions/reads.ts';
import { MAIN, VAULT } from '../elements/fake-connect.ts';

/** What the wallet is asked. */
function context(options: object = {}): { asked: unknown[]; context: Context } {
  const asked: unknown[] = [];
  const record = { wallets: () => [{ ...MAIN, network: 'sepolia' }, VAULT] };
  const host = {
    read: async (action: string, params: object) =>
      void asked.push({ action, ...JSON.parse(JSON.stringify(params)) }),
  };
  return { asked, context: { record, host, options } as unknown as Context };
}

describe('a page that asks for prices', () => {
  it('gets them in the currency of the call, else in that of its connect, else in that of its language', async () => {
    const ofFrancs = context({ currency: 'CHF', locale: 'de-DE' });
    await prices(ofFrancs.context, 'main', 'EUR', {});
    await prices(ofFrancs.context, 'main', undefined, {});
    const ofNone = context({ locale: 'de-DE' });
    await prices(ofNone.context, 'vault', undefined, {});
    const where = { action: 'prices', secretType: 'ETHEREUM', network: 'sepolia', language: 'de-DE' };
    expect([...ofFrancs.asked, ...ofNone.asked]).to.deep.equal([
      { ...where, currency: 'EUR' },
      { ...where, currency: 'CHF' },
      { action: 'prices', secretType: 'ETHEREUM', language: 'de-DE' },
    ]);
  });

  it('does not tell the wallet’s address, and gets none for a wallet that it does not know', async () => {
    const { asked, context: of } = context();
    await prices(of, 'main', undefined, {});
    expect(JSON.stringify(asked)).not.to.include(MAIN.address);
    const refusal = await prices(of, 'other', undefined, {}).catch((error: Error) => error.message);
    expect(refusal).to.include('not linked');
  });
});

describe('a page that asks for the end of a swap', () => {
  it('names who paid and who received', async () => {
    const { asked, context: of } = context();
    const swap = { walletId: 'main', exchange: 'Uniswap V3', fromToken: '', toToken: '0x1' };
    await swapOutcome(of, '0xab', swap, {});
    await swapOutcome(of, '0xab', { ...swap, destinationWalletId: 'vault' }, {});
    expect(asked).to.deep.equal(
      [MAIN.address, VAULT.address].map((recipient) => ({
        action: 'swapOutcome',
        secretType: 'ETHEREUM',
        network: 'sepolia',
        address: MAIN.address,
        recipient,
        hash: '0xab',
        exchange: 'Uniswap V3',
        fromToken: '',
        toToken: '0x1',
      })),
    );
  });
});
