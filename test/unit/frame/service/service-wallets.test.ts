import { expect } from '@open-wc/testing';
import type { HistoryEntry } from '../../../../src/api/history.ts';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { Draft } from '../../../../src/chains/terms.ts';
import { activity } from '../../../../src/frame/wallets/activity-flow.ts';
import { CODE, FakeService, NEXT_CODE, serviceWallet } from '../../wallets/service/fake-service.ts';
import { deepAll, type } from '../scene.ts';
import { type Asked, NETWORKS, ORIGIN, RECIPIENT, settled, until, world, type World } from '../world.ts';

const APPROVED = '/api/transactions/approved';
const SERVICE_PIN = '739154';
const HASH = `0x${'1'.padStart(64, 'e')}`;
const ids = (wallets: unknown): string[] => (wallets as Wallet[]).map(({ id }) => id);

describe('service wallets in the frame', () => {
  let w: World;
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  /** A user with a PIN, this device enrolled, and one wallet linked to the page. */
  async function user(options: Parameters<typeof world>[0] = {}): Promise<void> {
    service.pin = SERVICE_PIN;
    service.wallets = [serviceWallet('savings', { primary: true, alias: 'Savings' })];
    service.links.add('savings');
    w = await world({ service, ...options });
    const vault = await w.frame.vault();
    await vault.service!.enrol(SERVICE_PIN, CODE);
    service.calls.length = 0;
  }
  const transfer = (id?: string, more: object = {}): Asked =>
    w.ask(
      'transfer',
      { walletId: 'savings', secretType: 'ETHEREUM', to: RECIPIENT, value: '0.2', ...more },
      id,
    );
  const code = async (text = CODE, label = 'Recovery code'): Promise<void> =>
    type((await w.find<HTMLTextAreaElement>(label)) as unknown as HTMLInputElement, text);

  it('list in their activity what another device sent', async () => {
    await user();
    service.sent = [
      {
        transactionHash: HASH,
        secretType: 'ETHEREUM',
        network: 'local',
        status: 'pending',
        createdAt: new Date(w.clock.date()).toISOString(),
      },
    ];
    const vault = await w.frame.vault();
    const leave = new AbortController();
    const options = { signal: leave.signal, requestId: 'activity-1' };
    const done = activity(w.frame, vault, service.wallets[0]!, options).catch(() => {});
    await until(() => w.text().includes('Sent from elsewhere'), 'what was sent');
    expect(deepAll<HTMLAnchorElement>(w.shell, 'a.event')[0]!.href).to.equal(
      `https://explorer.example/tx/${HASH}`,
    );
    service.sent = [{ ...service.sent[0]!, status: 'confirmed' }];
    expect(w.text()).to.include('Waiting');
    await w.clock.pass(60_000);
    await until(() => !w.text().includes('Waiting'), 'what became of it');
    leave.abort();
    await done;
  });

  it('list the coins that the service saw come, and leave tokens to the nodes', async () => {
    await user();
    const entry = (hash: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
      transactionHash: `0x${hash.padStart(64, '0')}`,
      secretType: 'ETHEREUM',
      network: 'local',
      direction: 'in',
      status: 'confirmed',
      mined: null,
      createdAt: new Date(w.clock.date() - 60_000).toISOString(),
      from: RECIPIENT,
      amount: { value: '10', raw: '10000000000000000000', decimals: 18, symbol: 'ETH' },
      ...more,
    });
    service.received = [
      entry('a1'),
      entry('a2', {
        status: 'pending',
        amount: { value: '3', raw: `3${'0'.repeat(18)}`, decimals: 18, symbol: 'ETH' },
      }),
      entry('a3', { amount: { value: '1', raw: '1', decimals: 0, symbol: 'T', tokenAddress: RECIPIENT } }),
      entry('a4', { amount: { value: null, raw: 'ten', decimals: 18, symbol: 'ETH' } }),
    ];
    let balances = 0;
    w.chain.chain.incoming = async () => ({
      findIncoming: async () => ({ items: [] }),
      findCoins: async () => {
        balances++;
        return { items: [], looks: [] };
      },
    });
    const vault = await w.frame.vault();
    const leave = new AbortController();
    const options = { signal: leave.signal, requestId: 'activity-1' };
    const done = activity(w.frame, vault, service.wallets[0]!, options).catch(() => {});
    await until(() => w.text().includes('+10 ETH'), 'what came');
    const rows = deepAll(w.shell, '.event').map((row) => row.textContent!.replace(/\s+/g, ' ').trim());
    expect(rows).to.have.length(2);
    expect(rows[0]).to.match(/^Receiving Waiting from 0x8f3C…A063 · .* \+3 ETH$/);
    expect(rows[1]).to.match(/^Received from 0x8f3C…A063 · .* \+10 ETH$/);
    expect(balances, 'the service reads the blocks').to.equal(0);
    leave.abort();
    await done;
  });

  it('offer no way back while the service makes a new recovery code: the old one is void by then', async () => {
    await user();
    let answer = (): void => {};
    const vault = await w.frame.vault();
    const { renewCode } = vault.service!;
    vault.service!.renewCode = async (...of) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return renewCode.apply(vault.service, of);
    };
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Settings');
    await w.press('New recovery code');
    await w.pin(SERVICE_PIN);
    await w.press('Continue');
    const back = (): HTMLButtonElement => deepAll<HTMLButtonElement>(w.shell, '[aria-label="Back"]')[0]!;
    await until(() => back().disabled, 'no way back');
    answer();
    await w.title('Your recovery code');
  });

  describe('a transfer', () => {
    it('is signed by the service exactly as drawn, and then sent like any transfer', async () => {
      await user();
      const asked = transfer('order-0001');
      await w.approval();
      await until(() => w.text().includes('Service wallet'));
      await w.approve(SERVICE_PIN);
      await settled(asked);
      expect(asked.result).to.deep.equal({ transactionHash: HASH });
      await w.title('Sent');
      await until(() => asked.progress.includes('confirmed'));
      expect(asked.progress).to.deep.equal(['approval', 'signing', 'broadcast', 'confirmed']);
      const [call] = service.to(APPROVED);
      expect(call!.key).to.equal('order-0001');
      expect(call!.body['pincode']).to.equal(SERVICE_PIN);
      expect(JSON.parse(call!.body['draft'] as string)).to.deep.include({
        nonce: 0,
        from: w.wallet ? service.wallets[0]!.address : '',
      });
      expect(w.chain.signed).to.have.length(0);
      expect((await w.vault.journal.get(ORIGIN, 'order-0001'))?.state).to.equal('done');
      expect((await w.vault.activity.get(HASH))?.state).to.equal('confirmed');
      const kept = JSON.stringify(await w.vault.journal.get(ORIGIN, 'order-0001'));
      expect(kept).not.to.contain(SERVICE_PIN);
      expect(kept).not.to.contain('token-');
    });

    it('is not sent with a wrong PIN, can be rejected afterwards, and leaves nothing pending', async () => {
      await user();
      const asked = transfer('order-0001');
      await w.approve('111111');
      await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
      expect(asked.progress).to.deep.equal(['approval', 'signing', 'approval']);
      expect(await w.vault.journal.get(ORIGIN, 'order-0001')).to.equal(undefined);
      await w.press('Reject');
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
      expect(service.signed.size).to.equal(0);
    });

    it('is drawn again when another device was faster', async () => {
      await user();
      service.fails[APPROVED] = { status: 409, code: 'request.conflict', details: { reason: 'draft' } };
      const asked = transfer('order-0001');
      await w.approve(SERVICE_PIN);
      await until(() => w.text().includes('The transaction changed meanwhile.'));
      service.fails = {};
      await w.approve(SERVICE_PIN);
      await settled(asked);
      expect(asked.result).to.deep.equal({ transactionHash: HASH });
    });

    it('is retried under the same key when the answer got lost', async () => {
      await user();
      service.loses[APPROVED] = 1;
      const asked = transfer('order-0001');
      await w.approve(SERVICE_PIN);
      await w.title('No answer yet');
      expect(asked.settled).to.equal(false);
      await w.press('Try again');
      await settled(asked);
      expect(asked.result).to.deep.equal({ transactionHash: HASH });
      expect(service.to(APPROVED).map(({ key }) => key)).to.deep.equal(['order-0001', 'order-0001']);
      expect(service.signed.size).to.equal(1);
    });

    it('left for later is pending, and resume reports what became of it', async () => {
      await user();
      service.loses[APPROVED] = 1;
      const asked = transfer('order-0001');
      await w.approve(SERVICE_PIN);
      await w.title('No answer yet');
      await w.press('Later');
      await settled(asked);
      expect(asked.error?.code).to.equal('frame.unreachable');
      expect(asked.error?.details['requestId']).to.equal('order-0001');

      const pending = w.ask('pending', { requestIds: ['order-0001'] });
      await settled(pending);
      expect(pending.result).to.deep.equal([
        { requestId: 'order-0001', action: 'transfer', state: 'unsent' },
      ]);
      const resumed = w.ask('resume', { requestId: 'order-0001' });
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await settled(resumed);
      expect(resumed.result).to.deep.equal({ transactionHash: HASH });
      expect(service.signed.size).to.equal(1);
      const again = transfer('order-0001');
      await settled(again);
      expect(again.result).to.deep.equal({ transactionHash: HASH });
      expect(service.to(APPROVED)).to.have.length(2);
    });

    it('that the service never got is signed when it is resumed', async () => {
      await user();
      const asked = transfer('order-0001');
      await until(() => w.text().includes('0.2 ETH'));
      service.down = true;
      await w.approve(SERVICE_PIN);
      await w.title('No answer yet');
      await w.press('Later');
      await settled(asked);
      service.down = false;
      expect(service.signed.size).to.equal(0);
      const resumed = transfer('order-0001');
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await settled(resumed);
      expect(resumed.result).to.deep.equal({ transactionHash: HASH });
    });

    it('that a policy refuses ends with the rule, also when its answer was left for later', async () => {
      await user();
      const asked = transfer('order-0001');
      await until(() => w.text().includes('0.2 ETH'));
      service.down = true;
      await w.approve(SERVICE_PIN);
      await w.title('No answer yet');
      await w.press('Later');
      await settled(asked);
      service.down = false;
      service.fails[APPROVED] = { status: 403, code: 'policy.refused', details: { rule: 'daily-limit' } };
      const resumed = transfer('order-0001');
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await settled(resumed);
      expect(resumed.error?.code).to.equal('policy.refused');
      expect(resumed.error?.details['rule']).to.equal('daily-limit');
    });

    it('waits for a service that is down, with Try again', async () => {
      await user();
      service.down = true;
      await (await w.frame.vault()).service!.reload();
      const asked = transfer();
      await w.title('Cannot reach the wallet service');
      service.down = false;
      await w.press('Try again');
      await w.approval();
      await w.press('Reject');
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
    });

    it('goes on after its token expired, renewed once', async () => {
      await user();
      const asked = transfer();
      await until(() => w.text().includes('0.2 ETH'));
      service.expired.add(service.token);
      const before = service.tokens.length;
      await w.approve(SERVICE_PIN);
      await settled(asked);
      expect(asked.result).to.deep.equal({ transactionHash: HASH });
      expect(service.tokens.slice(before)).to.deep.equal([true]);
    });

    it('of a wallet that the site does not see is forbidden', async () => {
      await user();
      service.links.clear();
      await (await w.frame.vault()).service!.reload();
      const asked = transfer();
      await settled(asked);
      expect(asked.error?.code).to.equal('wallet.forbidden');
    });

    it('in a list has its own key, and a lost answer in the middle is recovered', async () => {
      await user();
      const one = { type: 'ETH_TRANSACTION', walletId: 'savings', to: RECIPIENT, value: '1' };
      const requests = [one, { ...one, value: '2' }];
      const asked = w.ask('executeAll', { requests }, 'list-00001');
      await w.press('Continue');
      await w.approve(SERVICE_PIN);
      await until(() => w.text().includes('2 of 2'));
      service.loses[APPROVED] = 1;
      await w.approve(SERVICE_PIN);
      await w.title('No answer yet');
      await w.press('Later');
      await settled(asked);
      expect(asked.error?.code).to.equal('frame.unreachable');
      expect((await w.vault.journal.get(ORIGIN, 'list-00001'))?.asked?.key).to.equal('list-00001.1');
      const resumed = w.ask('resume', { requestId: 'list-00001' });
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await settled(resumed);
      const hashes = [...service.signed.values()].map(({ transactionHash }) => ({ transactionHash }));
      expect(resumed.result).to.deep.equal(hashes);
      expect([...service.signed.keys()]).to.deep.equal(['list-00001', 'list-00001.1']);
    });

    it('that replaces another names it to the service', async () => {
      await user();
      const asked = transfer('order-0001');
      await w.approve(SERVICE_PIN);
      await settled(asked);
      await w.press('Done');
      await w.vault.activity.put({
        ...(await w.vault.activity.get(HASH))!,
        state: 'pending',
        draft: {
          secretType: 'ETHEREUM',
          network: NETWORKS.networks[0],
          from: service.wallets[0]!.address,
          request: {},
          nonce: 0,
          maximum: 1n,
        } as unknown as Draft,
      });
      w.chain.known.set(HASH, 'pending');
      void w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('More for Savings');
      await w.press('Activity');
      (await until(() => deepAll<HTMLElement>(w.shell, 'button.event')[0])).click();
      await w.press('Speed up');
      await w.approve(SERVICE_PIN);
      await until(() => service.to(APPROVED).length === 2);
      expect(service.to(APPROVED)[1]!.body['replaces']).to.equal(HASH);
      expect(service.to(APPROVED)[1]!.key).not.to.equal('order-0001');
    });

    it('that combines its coins is offered in the menu, shown, and signed as any other', async () => {
      await user();
      const { chain } = w.chain;
      let coins = 150;
      chain.combine = {
        find: async () => coins,
        prepare: (own, node) => chain.prepare({ type: 'combine' } as never, own, node, {} as never),
      };
      void w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('More for Savings');
      await w.press('Combine coins');
      expect(await until(() => w.text().includes('holds 150 coins'))).to.equal(true);
      await w.press('Combine');
      await w.approve(SERVICE_PIN);
      coins = 120;
      await w.title('Sent');
      const [call] = service.to(APPROVED);
      expect(JSON.parse(call!.body['draft'] as string)).to.deep.include({ request: { type: 'combine' } });
      await w.press('Done');
      // There are more than one payment takes still.
      await w.press('More for Savings');
      await w.press('Combine coins');
      expect(await until(() => w.text().includes('holds 120 coins'))).to.equal(true);
    });

    it('leaves browser wallets alone', async () => {
      await user();
      const asked = w.transfer();
      await w.approve();
      await settled(asked);
      expect(w.chain.signed).to.have.length(1);
      expect(service.to(APPROVED)).to.have.length(0);
    });
  });

  it('locks, and the recovery code gives a new PIN and a new code', async () => {
    await user();
    const asked = transfer('order-0001');
    for (let i = 0; i < 4; i++) {
      await w.approve('111111');
      await until(() => w.text().includes(`${4 - i} attempt`));
    }
    await w.approve('111111');
    await w.title('Locked for a while');
    await w.press('Use recovery code');
    await code('not a code'.padEnd(40, 'x'));
    await w.press('Continue');
    await choosePin('846207');
    await until(() => w.text().includes('This is not your recovery code.'));
    await code(CODE.toLowerCase());
    await w.press('Continue');
    await choosePin('846207');
    await writeDown(NEXT_CODE);
    await w.approval();
    await w.approve('846207');
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
  });

  async function choosePin(pin: string): Promise<void> {
    await w.title('Choose a PIN');
    await w.pin(pin);
    await w.press('Continue');
    await w.title('Enter the PIN again');
    await w.pin(pin, 'Confirm PIN');
    await w.press('Continue');
  }

  async function writeDown(of: string): Promise<void> {
    await w.title('Your recovery code');
    expect(w.text()).not.to.contain(of.slice(0, 4));
    await w.press('Show code');
    await until(() => of.split('-').every((group) => w.text().includes(group)));
    await w.press('I wrote it down');
    const groups = of.split('-');
    await w.title('Check your copy');
    await w.pin('WXYZ', 'Group 3');
    await until(() => w.text().includes('That is not group 3.'));
    await w.pin(groups[2]!.toLowerCase(), 'Group 3');
    await w.pin(groups[6]!, 'Group 7');
    await w.press('Finish');
  }

  describe('manage', () => {
    it('creates the first wallet there: PIN, recovery code, link', async () => {
      w = await world({ service, wallets: 0 });
      const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('Create wallet');
      await w.press('At the wallet service');
      await choosePin(SERVICE_PIN);
      await writeDown(CODE);
      await settled(asked);
      const made = asked.result as Wallet;
      expect(made).to.include({ walletType: 'THREEWAY_SHARED', alias: 'Ethereum service wallet' });
      expect('network' in made).to.equal(false);
      expect([...service.links]).to.deep.equal([made.id]);
      await until(() => w.link.sent.some((sent) => ids(sent).includes(made.id)));
      const [call] = service.to('/api/wallets').filter(({ method }) => method === 'POST');
      expect(call!.body).to.include({ network: 'local', walletType: 'THREEWAY_SHARED' });
      expect(call!.device).not.to.equal(undefined);
    });

    it('creates another with the PIN, and says who holds which key', async () => {
      await user();
      const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
      await until(() => w.text().includes('Service wallet'));
      expect(w.text()).to.contain('the wallet service keeps the key');
      await w.press('Create wallet');
      await w.press('At the wallet service');
      await w.pin('111111');
      await w.press('Continue');
      await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await settled(asked);
      expect((asked.result as Wallet).id).to.equal('made-2');
      expect([...service.links]).to.deep.equal(['savings', 'made-2']);
    });

    it('creates one in the browser as before', async () => {
      await user({ wallets: 0 });
      const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('Create wallet');
      await w.press('In this browser');
      await choosePin('846207');
      await w.title('Back up your wallet');
      await w.press('Remind me later');
      await settled(asked);
      expect((asked.result as Wallet).walletType).to.equal('BROWSER');
    });

    it('shows the browser’s wallets and one line while the service is down', async () => {
      await user();
      service.down = true;
      await (await w.frame.vault()).service!.reload();
      const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
      await until(() => w.text().includes('The wallet service does not answer.'));
      expect(w.text()).not.to.contain('Savings');
      service.down = false;
      await w.press('Try again');
      await until(() => w.text().includes('Savings'));
      expect(w.text()).not.to.contain('does not answer');
      await w.press(`Use on this site: ${w.wallet.alias}`);
      await settled(asked);
      expect((asked.result as Wallet).id).to.equal(w.wallet.id);
    });

    it('exports a key with the PIN', async () => {
      await user();
      void w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('More for Savings');
      await w.press('Export');
      (await until(() => deepAll<HTMLInputElement>(w.shell, 'input[type=checkbox]')[0])).click();
      await w.pin(SERVICE_PIN);
      await w.press('Show private key');
      await until(() => service.to('/api/wallets/savings/export').length === 1);
      await w.title('Private key of Savings');
    });
  });

  describe('link', () => {
    it('links both, on a device that it first enrols with PIN and recovery code', async () => {
      service.pin = SERVICE_PIN;
      service.wallets = [serviceWallet('savings', { alias: 'Savings' })];
      w = await world({ service });
      const asked = w.ask('linkWallets', {});
      await w.press('Use them here');
      await w.title('Use your service wallets here');
      await code();
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await until(() => w.text().includes('Service wallet'));
      deepAll<HTMLInputElement>(w.shell, 'input[id="savings"]')[0]!.click();
      await w.press('Link wallets');
      await settled(asked);
      expect(ids(asked.result)).to.deep.equal([w.wallet.id, 'savings']);
      expect([...service.links]).to.deep.equal(['savings']);
      expect(service.devices.size).to.equal(1);
    });

    it('withdraws consent', async () => {
      await user();
      const asked = w.ask('linkWallets', {});
      await w.find('Link wallets');
      deepAll<HTMLInputElement>(w.shell, 'input[id="savings"]')[0]!.click();
      await w.press('Link wallets');
      await settled(asked);
      expect(ids(asked.result)).to.deep.equal([w.wallet.id]);
      expect(service.links.size).to.equal(0);
    });
  });

  describe('wallets that this browser did not make', () => {
    /** Somebody else with the user's token came first: their PIN, their device, their wallets, linked to the page. */
    beforeEach(async () => {
      service.pin = SERVICE_PIN;
      service.devices.add('of somebody else');
      service.wallets = [serviceWallet('savings', { alias: 'Savings' })];
      service.links.add('savings');
      w = await world({ service });
    });

    it('are shown to no page', async () => {
      const vault = await w.frame.vault();
      expect(ids(await vault.wallets())).to.deep.equal([w.wallet.id]);
      const read = w.ask('pending', { requestIds: [] });
      await settled(read);
      expect(ids(await vault.linked(ORIGIN))).not.to.include('savings');
      expect(w.link.sent.flatMap(ids)).not.to.include('savings');
    });

    for (const [action, params] of [
      ['linkWallets', {}],
      ['manageWallets', { chain: 'ETHEREUM' }],
    ] as const)
      it(`are not there to receive on or to link in ${action}`, async () => {
        void w.ask(action, params);
        await until(() => w.text().includes('These wallets were made elsewhere'));
        const { address } = service.wallets[0]!;
        for (const hidden of ['Savings', address, address.slice(0, 6)])
          expect(w.text()).not.to.contain(hidden);
        expect(deepAll(w.shell, '[id="savings"], [id="more-savings"]')).to.have.length(0);
        await w.press('Use them here');
        await w.title('Use your service wallets here');
        await w.press('Back');
        await until(() => w.text().includes('These wallets were made elsewhere'));
        expect([...service.links]).to.deep.equal(['savings']);
        await w.press('Use them here');
        await code();
        await w.pin(SERVICE_PIN);
        await w.press('Continue');
        await until(() => w.text().includes('Savings'));
        expect(w.text()).not.to.contain('made elsewhere');
      });

    it('stay as they are when only wallets of the browser are linked', async () => {
      const asked = w.ask('linkWallets', {});
      await w.press('Link wallets');
      await settled(asked);
      expect(ids(asked.result)).to.deep.equal([w.wallet.id]);
      expect(service.to('/api/links').filter(({ method }) => method === 'PUT')).to.have.length(0);
    });

    it('pay after PIN and recovery code, for the page that they are linked to', async () => {
      const asked = transfer('order-0001');
      await w.title('Use your service wallets here');
      await code();
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await w.approval();
      await w.approve(SERVICE_PIN);
      await settled(asked);
      expect(asked.result).to.deep.equal({ transactionHash: HASH });
    });
  });

  it('signs data by the service', async () => {
    await user();
    const asked = w.ask(
      'sign',
      { walletId: 'savings', type: 'ETHEREUM_RAW', data: '0x5369676e20696e' },
      'sign-00001',
    );
    await w.approve('111111');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    await w.approve(SERVICE_PIN);
    await settled(asked);
    expect((asked.result as { result: unknown }).result).to.deep.equal({
      r: '0x0a',
      s: '0x0b',
      v: '0x1c',
      signature: '0x0a0b1c',
    });
    expect(service.to('/api/signatures').map(({ key }) => key)).to.deep.equal(['sign-00001', 'sign-00001']);
  });

  it('asks the service for a certificate of the site and of the moment of the first approval', async () => {
    await user();
    const payloads = await w.frame.payloads('ETHEREUM');
    const request = {
      type: 'VECHAIN_CERTIFICATE',
      walletId: 'savings',
      data: '0x4869',
      purpose: 'agreement',
      annex: null,
    };
    w.frame.payloads = async () => ({ ...payloads, parseSigning: () => request as never });
    w.chain.signing = { kind: 'certificate', purpose: 'agreement', text: 'Hi', domain: 'shop.example' };
    const { describeSigning } = w.chain.chain;
    w.chain.chain.describeSigning = (...of) => {
      expect(of[4]!.refusesElsewhere, 'what the service refuses is not shown').to.equal(true);
      return describeSigning!(...of);
    };
    const asked = w.ask('sign', { walletId: 'savings', type: 'ETHEREUM_RAW', data: '0x4869' }, 'sign-00002');
    await w.title('Agree to a text');
    const now = () => Math.floor(w.frame.clock.date() / 1000);
    const shown = now();
    await w.approve('111111');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    const refused = now();
    await w.clock.pass(60_000);
    await w.approve(SERVICE_PIN);
    await settled(asked);
    const bodies = service.to('/api/signatures').map(({ body }) => body as { annex: { timestamp: number } });
    const { timestamp } = bodies[0]!.annex;
    expect(timestamp).to.be.within(shown, refused);
    const annex = { domain: new URL(ORIGIN).host, timestamp };
    expect(bodies).to.deep.equal([
      { ...request, annex, pincode: '111111' },
      { ...request, annex, pincode: SERVICE_PIN },
    ]);
  });

  describe('an e-mail recipient', () => {
    const LENA = 'lena@mail.example';
    const rejected = async (asked: Asked): Promise<unknown> => {
      await settled(asked);
      const { code: named, shortMessage, details } = asked.error!;
      return { named, shortMessage, details, progress: asked.progress };
    };

    it('is shown with the full address, and gets the coins', async () => {
      await user();
      service.emails[LENA] = RECIPIENT;
      const asked = transfer(undefined, { to: LENA });
      await until(() => w.text().includes(LENA));
      await w.approve(SERVICE_PIN);
      await settled(asked);
      const draft = JSON.parse(service.to(APPROVED)[0]!.body['draft'] as string) as {
        request: { to: string };
      };
      expect(draft.request.to).to.equal(RECIPIENT);
    });

    it('tells the page nothing when nobody has the address', async () => {
      await user();
      const unknown = transfer(undefined, { to: 'nobody@mail.example' });
      await w.title('No wallet found for this e-mail');
      await w.press('Close');
      const nobody = await rejected(unknown);
      service.emails[LENA] = RECIPIENT;
      const known = transfer(undefined, { to: LENA });
      await w.approval();
      await w.press('Reject');
      expect(nobody).to.deep.equal(await rejected(known));
    });

    it('is found for browser wallets, too', async () => {
      await user();
      service.emails[LENA] = RECIPIENT;
      const asked = w.ask('transfer', {
        walletId: w.wallet.id,
        secretType: 'ETHEREUM',
        to: LENA,
        value: '0.2',
      });
      await w.approve();
      await settled(asked);
      expect(w.chain.signed[0]!.request['to']).to.equal(RECIPIENT);
    });
  });

  it('shows app wallets of an application’s token, and approves with their PIN alone', async () => {
    service.isApplication = true;
    service.pin = SERVICE_PIN;
    service.wallets = [serviceWallet('savings', { walletType: 'WHITE_LABEL', hasCustomPin: true })];
    service.links.add('savings');
    w = await world({ service });
    const asked = transfer();
    await until(() => w.text().includes('App wallet'));
    await w.approve(SERVICE_PIN);
    await settled(asked);
    expect(asked.result).to.deep.equal({ transactionHash: HASH });
  });

  it('changes the PIN and the recovery code in the settings', async () => {
    await user();
    void w.ask('linkWallets', {});
    await w.press('Settings');
    await w.press('Change service PIN');
    await w.pin(SERVICE_PIN);
    await w.press('Continue');
    await choosePin('846207');
    await until(() => service.pin === '846207');
    await w.press('New recovery code');
    await w.pin('846207');
    await w.press('Continue');
    await writeDown(NEXT_CODE);
    await w.title('Settings');
  });

  describe('the devices of the account', () => {
    const list = (): string[] => deepAll(w.shell, '.rows .strong').map((name) => name.textContent!.trim());

    async function open(): Promise<void> {
      await user();
      service.devices.add('of-a-lost-phone');
      void w.ask('linkWallets', {});
      await w.press('Settings');
      await w.press('Show devices');
      await w.title('Devices');
    }

    it('are listed with this browser marked, and one of them is removed after a question', async () => {
      await open();
      expect(list()).to.deep.equal(['This browser', 'Device 2']);
      expect(w.text()).to.match(/Added .*2026/);
      await w.press('Remove device 2');
      await w.title('Remove this device?');
      await w.press('Cancel');
      await w.title('Devices');
      expect(service.devices.size).to.equal(2);
      await w.press('Remove device 2');
      await w.title('Remove this device?');
      await w.press('Remove');
      await until(() => service.devices.size === 1);
      await w.title('Devices');
      await until(() => list().join() === 'This browser');
      await w.press('Back');
      await w.title('Settings');
    });

    it('lose this browser, and with it its service wallets', async () => {
      await open();
      await w.press('Remove this browser');
      await w.title('Remove this browser?');
      await w.press('Remove');
      await w.press('Allow this device');
      expect([...service.devices]).to.deep.equal(['of-a-lost-phone']);
      await w.title('Use your service wallets here');
      expect(ids(await (await w.frame.vault()).wallets())).to.deep.equal([w.wallet.id]);
      await until(() => w.link.sent.some((sent) => !ids(sent).includes('savings')));
    });

    it('can be reloaded while the service is down', async () => {
      await user();
      void w.ask('linkWallets', {});
      await w.press('Settings');
      service.down = true;
      await w.press('Show devices');
      await until(() => w.text().includes('The wallet service does not answer.'));
      service.down = false;
      await w.press('Try again');
      await until(() => list().join() === 'This browser');
      expect(w.text()).not.to.contain('does not answer');
    });
  });

  describe('a wallet’s own PIN', () => {
    const own = '846207';

    async function set(): Promise<void> {
      await user();
      void w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('More for Savings');
      await w.press('Own PIN');
      await w.title('Give “Savings” its own PIN?');
      await w.press('Continue');
      await w.pin('111111');
      await w.press('Continue');
      await choosePin(own);
      await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await choosePin(own);
    }

    it('is set by the user’s PIN, with a recovery code, and then alone opens the wallet', async () => {
      await set();
      await until(() => w.text().includes('a new PIN for “Savings”'));
      await writeDown(NEXT_CODE);
      await until(() => w.text().includes('Service wallet, own PIN'));
      expect(service.ownPins.get('savings')).to.equal(own);
      await w.press('More for Savings');
      await w.press('Export');
      (await until(() => deepAll<HTMLInputElement>(w.shell, 'input[type=checkbox]')[0])).click();
      await w.pin(own);
      await w.press('Show private key');
      await until(() => service.to('/api/wallets/savings/export').length === 1);
    });

    it('is changed, gets another code, and its lock is its own', async () => {
      await set();
      await w.press('Continue without it');
      await w.press('More for Savings');
      await w.press('Own PIN');
      await w.press('Change PIN');
      await w.pin(own);
      await w.press('Continue');
      await choosePin('395172');
      await until(() => service.ownPins.get('savings') === '395172');
      await w.press('New recovery code');
      await w.pin('395172');
      await w.press('Continue');
      await writeDown(NEXT_CODE);
      await w.press('Change PIN');
      service.locked = { retryAfter: 900 };
      await w.pin('395172');
      await w.press('Continue');
      await choosePin('628401');
      await w.title('Locked for a while');
    });

    it('whose answer got lost gets a recovery code, so that no wallet is without one', async () => {
      service.loses['/api/wallets/savings/pincode'] = 1;
      await user();
      void w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('More for Savings');
      await w.press('Own PIN');
      await w.press('Continue');
      await w.pin(SERVICE_PIN);
      await w.press('Continue');
      await choosePin(own);
      await writeDown(NEXT_CODE);
      expect(service.to('/api/pincode/recovery-code')[0]!.body).to.include({
        walletId: 'savings',
        pincode: own,
      });
    });
  });

  it('refuses a request that names its own node before anything is shown', async () => {
    await user();
    const asked = w.ask('execute', {
      type: 'ETH_TRANSACTION',
      walletId: 'savings',
      to: RECIPIENT,
      value: '1',
      network: { name: 'Mine', nodeUrl: 'https://node.example', chainId: 1 },
    });
    await settled(asked);
    expect(asked.error?.code).to.equal('request.invalid');
    expect(asked.progress).to.deep.equal([]);
    expect(service.to(APPROVED)).to.have.length(0);
  });
});
