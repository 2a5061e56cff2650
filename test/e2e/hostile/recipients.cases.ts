/**
 * Attempts on VeChain: to get a recipient paid whom the user has not seen, by a transaction of several clauses, the last of which is far
 * below the visible part; and to get a certificate signed in another site's name. The same scripts without the trick go through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { hexlify, toUtf8Bytes } from 'ethers';
import type { LocalNetwork } from '../../../demo/networks/local-network.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { CertificateSignature } from '../../../src/chains/terms.ts';
import type { SignResult, TransactionResult } from '../../../src/channel/messages.ts';
import { CASES } from '../chain-cases.ts';
import { poll } from '../../waiting.ts';
import { openWorld, PIN, surfaces, type Visitor, type WalletView, type World } from '../harness.ts';
import { pathOf } from '../hosts.ts';
import { unchanged } from './unmoved.ts';
import { core, variant } from '../parts.ts';

const { holds, fresh } = CASES.VECHAIN;
const VET = 10n ** 18n;

let world: World;
before(async () => void (world = await openWorld({ chains: ['VECHAIN'] })));
after(() => world.close());

for (const where of surfaces('popup'))
  describe(`VeChain, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let local: LocalNetwork;
    before(async () => {
      local = world.local.VECHAIN!;
      visitor = await world.visit(where, pathOf('VECHAIN'));
      wallet = await visitor.createWallet('VECHAIN');
      for (const asset of ['VET', 'VTHO']) await local.give(asset, wallet.address);
    });
    after(() => visitor.close());
    afterEach(() => visitor.startAgain());

    const held = async (): Promise<string> => String(await holds(local, wallet.address));
    const ask = (recipients: string[]): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params as never), {
        type: 'VET_TRANSACTION',
        walletId: wallet.id,
        clauses: recipients.map((to, i) => ({ to, amount: String(i ? 3n * VET : VET) })),
      });

    core(
      'a recipient out of sight, the last of five clauses: it is not approved before it was seen, by no key and no click; once seen it is',
      async () => {
        const recipients = await Promise.all(Array.from({ length: 5 }, () => fresh()));
        const last = recipients.at(-1)!;
        const view = await ask(recipients);
        await unchanged(held, async () => {
          await view.text('See every recipient first').waitFor();
          await view.type('PIN', PIN);
          await view.box('PIN').press('Enter');
          await view.approval().click({ force: true });
          await view.text('See every recipient first').waitFor();
          assert.equal(await holds(local, last), 0n);
        });
        await view.seeAll();
        await view.consent('Approve');
        const { value, error } = await visitor.answer<TransactionResult>();
        assert.equal(error, undefined);
        assert.ok(value!.transactionHash);
        await poll(async () => (await holds(local, last)) === 3n * VET || undefined, 'the last payment');
      },
    );

    const certificate = (text: string, more: object = {}) => ({
      type: 'VECHAIN_CERTIFICATE',
      walletId: wallet.id,
      data: hexlify(toUtf8Bytes(text)),
      purpose: 'agreement',
      ...more,
    });
    const certify = (text: string): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.sign(params as never), certificate(text));
    const annexOf = async (): Promise<CertificateSignature['annex']> => {
      const { value, error } = await visitor.answer<SignResult>();
      assert.equal(error, undefined);
      return (value!.result as CertificateSignature).annex;
    };

    variant(
      'a certificate with another site’s domain and another time: it is refused; without them it names this site and now',
      async () => {
        const before = await holds(local, wallet.address);
        const annex = { domain: 'bank.example', timestamp: 1 };
        await visitor.run(
          (connect, params) => connect.sign(params as never),
          certificate('I agree.', { annex }),
        );
        const { error } = await visitor.answer();
        assert.equal(error?.code, 'request.invalid');
        assert.deepEqual(
          error?.issues?.map(({ path }) => path),
          ['annex'],
        );
        await visitor.startAgain();
        const since = Math.floor(Date.now() / 1000);
        const view = await certify('I agree.');
        await view.approve();
        const { domain, timestamp } = await annexOf();
        assert.equal(domain, new URL(visitor.page.url()).host);
        assert.ok(timestamp >= since, String(timestamp));
        assert.equal(await holds(local, wallet.address), before, 'nothing moved');
      },
    );

    variant(
      'a certificate that signs in at another site: it needs a tick; one for this site does not',
      async () => {
        const before = await holds(local, wallet.address);
        const { host } = new URL(visitor.page.url());
        const signIn = (site: string): string =>
          `${site} wants you to sign in with your VeChain account:\n${wallet.address}`;
        const trick = await certify(signIn('bank.example'));
        await trick.root.getByRole('checkbox').waitFor();
        await trick.text('Tick the box first').waitFor();
        await visitor.startAgain();
        const honest = await certify(signIn(host));
        assert.equal(await honest.root.getByRole('checkbox').count(), 0);
        await honest.approve();
        assert.equal((await annexOf()).domain, host);
        assert.equal(await holds(local, wallet.address), before, 'nothing moved');
      },
    );
  });
