import { expect, fixture, html } from '@open-wc/testing';
import { createConnect } from '../../../src/actions/connect.ts';
import type { Connect, ConnectOptions, GetAccessToken } from '../../../src/actions/types.ts';
import '../../../src/elements/index.ts';
import { aWallet } from '../channel/fixture/wallet.ts';
import { dialogs, failure, FRAME, STORE, TRANSFER, until, warmFrame } from './page.ts';

describe('access tokens of the wallet service', () => {
  let connect: Connect;
  const open = (options: ConnectOptions = {}): Connect =>
    (connect = createConnect({ frame: FRAME, surface: 'iframe', ...options }));
  /** In a new frame: an open one keeps what it was told when it opened. */
  const ask = async (alias: string): Promise<string> => {
    const { transactionHash } = await connect.transfer({ ...TRANSFER, alias: `${alias} close` });
    await until(() => !dialogs().length);
    return transactionHash;
  };
  before(warmFrame);
  beforeEach(() => localStorage.clear());
  afterEach(() => connect.destroy());

  it('go to the frame that asks, and the page learns when one has expired', async () => {
    const hints: unknown[] = [];
    open({
      getAccessToken: async (hint) => {
        hints.push(hint);
        return `token.of-${hints.length}`;
      },
    });
    expect(await ask('token')).to.equal('true token.of-1');
    expect(await ask('renew')).to.equal('true token.of-2');
    expect(hints).to.deep.equal([{ expired: false }, { expired: true }]);
    expect(JSON.stringify({ ...localStorage })).not.to.contain('token.of');
  });

  it('that are missing end the request: a function that throws, returns no text, or does not exist', async () => {
    for (const getAccessToken of [
      () => {
        throw new Error('Signed out');
      },
      async () => Promise.reject(new Error('Signed out')),
      (() => ({})) as unknown as GetAccessToken,
    ]) {
      open({ getAccessToken });
      expect(await ask('token')).to.equal('true undefined');
      connect.destroy();
    }
    open();
    expect(await ask('token')).to.equal('false undefined');
  });

  it('may come from a function that is set later', async () => {
    open();
    expect(await ask('token')).to.equal('false undefined');
    connect.getAccessToken = () => 'late';
    expect(await ask('token')).to.equal('true late');
    connect.getAccessToken = undefined;
    expect(await ask('token')).to.equal('false undefined');
  });

  it('say who the user is; without them the profile is the browser’s', async () => {
    open({ getAccessToken: () => 'ada' });
    expect((await connect.profile()).userId).to.equal('ada');
    connect.destroy();
    localStorage.clear();
    open();
    expect(await connect.profile()).to.deep.equal({
      userId: 'browser',
      hasMasterPin: false,
      username: null,
      email: null,
      firstName: null,
      lastName: null,
    });
    expect(document.querySelectorAll('iframe').length).to.equal(0);
  });

  it('keep what the page knows of service wallets while the frame knows nothing of them', async () => {
    const theirs = { ...aWallet(), id: 'theirs', walletType: 'THREEWAY_SHARED' };
    const record = () => localStorage.setItem(STORE, JSON.stringify({ wallets: [theirs] }));
    record();
    open({ getAccessToken: () => 'ada' });
    await connect.linkWallets();
    expect((await connect.wallets()).map(({ id }) => id)).to.include('theirs');
    connect.destroy();
    record();
    open();
    await connect.linkWallets();
    await until(async () => !(await connect.wallets()).some(({ id }) => id === 'theirs'));
  });

  it('come through a provider’s property, and another function keeps its connect', async () => {
    open();
    const provider = await fixture<HTMLElementTagNameMap['connect-provider']>(
      html`<connect-provider frame=${FRAME} .getAccessToken=${() => 'one'}><link-wallets></link-wallets></connect-provider>`,
    );
    const inside = provider.querySelector('link-wallets')!;
    await inside.updateComplete;
    const made = (provider as unknown as { connect?: Connect }).connect;
    provider.getAccessToken = () => 'two';
    await provider.updateComplete;
    expect((provider as unknown as { connect?: Connect }).connect).to.equal(made);
    provider.remove();
  });

  it('refused after all: a request that is back at its approval can be withdrawn', async () => {
    open();
    const abort = new AbortController();
    const stages: string[] = [];
    const asked = connect.transfer(
      { ...TRANSFER, alias: 'sign approval hang' },
      { signal: abort.signal, onProgress: ({ stage }) => stages.push(stage) },
    );
    await until(() => stages.length === 3);
    expect(stages).to.deep.equal(['approval', 'signing', 'approval']);
    abort.abort();
    expect((await failure(asked)).code).to.equal('user.rejected');
  });
});
