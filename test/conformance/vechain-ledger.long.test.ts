/** The VeChain chain against a ledger that accepts what VeChain's own SDK reads, and refuses in a node's words. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { PROTOTYPE } from '../../demo/networks/vechain-prototype.ts';
import { vechainFlows } from './flows/vechain.ts';
import { vechainBaseFee } from './flows/vechain-strict.ts';
import { chain, failure, newAddress, refused, toolsOn, VET, vet } from './flows/vechain-tools.ts';

vechainFlows(() => startVechainNetwork({ port: 0, delegator: true }));

let local: LocalVechain;
const { nodeOf, newWallet, prepare, send, decided, holds } = toolsOn(() => local);

before(async () => {
  local = await startVechainNetwork({ port: 0 });
});
after(() => local?.close());

describe('a network without dynamic fees', () => {
  it('gets the legacy form', async () => {
    const old = await startVechainNetwork({ port: 0, galactica: false });
    try {
      const at = chain.node(old.network);
      const wallet = await newWallet(1000n * VET, 100n * VET, old);
      const to = newAddress();
      const { draft, summary, signed } = await send(vet([{ to, amount: 9 }]), wallet, at);
      assert.equal(draft.gasPriceCoef, 0);
      assert.equal(signed.raw.startsWith('0x51'), false);
      const { fee } = await decided(signed.hash, at);
      assert.equal(fee, 21_000n * 10n ** 15n);
      assert.equal(summary.fee.maximum.raw, fee);
      assert.equal((await holds(to, at)).vet, 9n);
      await refused(
        chain.broadcast(
          await chain.sign(
            { ...draft, gasPriceCoef: undefined, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
            wallet.key,
          ),
          at,
        ),
        'tx rejected: transaction type not supported',
      );
    } finally {
      await old.close();
    }
  });
});

describe('sending', () => {
  it('says that a transaction has failed once no block can take it', async () => {
    const wallet = await newWallet();
    local.automine = false;
    try {
      const { draft, signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet);
      assert.equal(await chain.status(signed.hash, nodeOf()), 'pending');
      local.ledger.skip(draft.expiration + 7);
      // The node has forgotten it: its bytes tell until when it could be processed.
      assert.equal(await chain.status(signed.hash, nodeOf()), 'unknown');
      assert.equal(await chain.status(signed.hash, nodeOf(), signed.raw), 'failed');
    } finally {
      local.automine = true;
    }
    assert.equal(await chain.status(`0x${'12'.repeat(32)}`, nodeOf()), 'unknown');
  });
});

describe('a price below the base fee', () => {
  it('is refused at its field', async () => {
    const wallet = await newWallet();
    local.ledger.best.baseFee *= 3n;
    try {
      const { code, details } = await failure(
        prepare(vet([{ to: newAddress(), amount: 1 }], { gasPriceCoef: 0 }), wallet),
      );
      assert.deepEqual(
        [code, (details['issues'] as { path: string }[])[0]!.path],
        ['request.invalid', 'gasPriceCoef'],
      );
    } finally {
      await local.advance(20);
    }
  });
});

describe('the base fee', () => {
  const GAS_LIMIT = 2_000_000;
  let small: LocalVechain;
  before(async () => {
    small = await startVechainNetwork({ port: 0, gasLimit: BigInt(GAS_LIMIT) });
  });
  after(() => small?.close());
  vechainBaseFee(() => small, GAS_LIMIT);
});

describe('the local network', () => {
  it('says to a contract that its Prototype can only be called by clauses', async () => {
    // CALL with all gas, and REVERT with what came back.
    const data = `0x5f5f5f5f5f73${PROTOTYPE.slice(2)}5af13d5f5f3e3d5ffd`;
    const body = JSON.stringify({ clauses: [{ to: null, value: '0x0', data }] });
    const answer = await fetch(`${local.url}/accounts/*`, { method: 'POST', body });
    const [output] = (await answer.json()) as [{ data: string; reverted: boolean }];
    assert.equal(output.reverted, true);
    assert.match(
      Buffer.from(output.data.slice(2), 'hex').toString(),
      /the local Prototype can only be called by clauses/,
    );
  });
});
