import { expect } from '@open-wc/testing';
import { loadPayloads } from '../../../../src/chains/load.ts';
import { SECRET_TYPES } from '../../../../src/chains/secret-type.ts';
import { NATIVE_TYPES } from '../../../../src/chains/transaction-types.ts';
import type { RequestInvalidError } from '../../../../src/base/errors.ts';
import type { Frame } from '../../../../src/frame/frame.ts';
import { judgeRequest } from '../../../../src/frame/approve/no-wallet.ts';

const frame = { payloads: loadPayloads } as unknown as Frame;

async function pathsOf(judged: Promise<void>): Promise<string[]> {
  const error = await judged.then(
    () => undefined,
    (reason: RequestInvalidError) => reason,
  );
  expect(error?.code).to.equal('request.invalid');
  return error!.issues.map(({ path }) => path);
}

describe('a request for a wallet that nobody has looked for', () => {
  for (const chain of SECRET_TYPES)
    it(`is judged by its values on ${chain}`, async () => {
      const payloads = await loadPayloads(chain);
      for (const type of Object.keys(payloads.transactions)) {
        const request = {
          type,
          walletId: 'nobody',
          ...(!Object.hasOwn(NATIVE_TYPES, type) && { secretType: chain }),
          to: 'x!',
        };
        const paths = await pathsOf(judgeRequest(frame, 'execute', request));
        expect(paths.length, type).to.be.greaterThan(0);
        expect(paths, type).to.not.include('walletId');
      }
      for (const type of Object.keys(payloads.signatures)) {
        const request = { type, walletId: 'nobody', data: 'x!' };
        const paths = await pathsOf(judgeRequest(frame, 'sign', request));
        expect(paths, type).to.include('data');
      }
      const transfer = { secretType: chain, walletId: 'nobody', to: 'x!', value: 'x' };
      expect(await pathsOf(judgeRequest(frame, 'transfer', transfer))).to.include('value');
    });

  it('has to name its chain', async () => {
    for (const [action, request, path] of [
      ['execute', { type: 'TRANSFER' }, 'type'],
      ['executeAll', { type: 'nonsense' }, 'type'],
      ['transfer', { secretType: 'nonsense' }, 'secretType'],
      ['sign', { type: 'nonsense' }, 'type'],
    ] as const)
      expect(await pathsOf(judgeRequest(frame, action, request))).to.deep.equal([path]);
  });
});
