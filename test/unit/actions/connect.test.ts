import { expect } from '@open-wc/testing';
import { createConnect } from '../../../src/actions/connect.ts';
import type { CallOptions, Connect, ConnectOptions } from '../../../src/actions/types.ts';
import { RequestInvalidError } from '../../../src/base/errors.ts';
import { aWallet } from '../channel/fixture/wallet.ts';
import {
  choose,
  forgetAll,
  dialogs,
  failure,
  FRAME,
  openDialog,
  openGate,
  roots,
  STORE,
  stored,
  TRANSFER,
  until,
  warmFrame,
} from './page.ts';

describe('connect', () => {
  let connect: Connect;
  const open = (options: ConnectOptions = {}): Connect =>
    (connect = createConnect({ frame: FRAME, surface: 'iframe', ...options }));
  const scripted = (alias: string, options?: CallOptions) =>
    connect.transfer({ ...TRANSFER, alias }, options);
  /** Where nothing is linked yet, the page's own dialog comes first. */
  const linked = async (by = connect) => {
    const [wallets] = await Promise.all([by.linkWallets(), choose()]);
    return wallets;
  };
  before(warmFrame);
  beforeEach(async () => {
    await forgetAll();
    open();
  });
  afterEach(() => {
    connect.destroy();
    expect(roots(), 'surfaces left behind').to.have.length(0);
  });

  describe('a request', () => {
    it('resolves with the frame’s answer, and the surface closes when the frame is done', async () => {
      expect(await connect.transfer(TRANSFER)).to.deep.equal({ transactionHash: '0x1' });
      await until(() => !dialogs().length);
      expect(stored().undelivered).to.deep.equal({});
    });

    it('reports its stages, also after it is settled', async () => {
      const stages: unknown[] = [];
      const requestId = 'my-request-1';
      await scripted('sign answer confirmed', { requestId, onProgress: (progress) => stages.push(progress) });
      await until(() => stages.length === 3);
      expect(stages).to.deep.equal([
        { requestId, stage: 'approval', transactionHash: undefined },
        { requestId, stage: 'signing', transactionHash: undefined },
        { requestId, stage: 'confirmed', transactionHash: '0x1' },
      ]);
    });

    it('rejects with the frame’s error', async () => {
      const error = await failure(scripted('refuse close'));
      expect([error.code, error.shortMessage]).to.deep.equal(['transaction.refused', 'The node said no.']);
    });

    it('is shared by calls with the same id, and conflicts with another of that id', async () => {
      await scripted('answer close');
      const options = { requestId: 'my-request-1' };
      const first = scripted('gate answer close', options);
      expect(connect.transfer({ alias: 'gate answer close', ...TRANSFER }, options)).to.equal(first);
      expect((await failure(scripted('answer', options))).code).to.equal('request.conflict');
      await openDialog();
      openGate();
      await first;
    });

    it('goes to the surface of the one before it, which puts them in order', async () => {
      await Promise.all([
        scripted('gate answer'),
        scripted('answer'),
        openDialog().then(async () => {
          expect(dialogs()).to.have.length(1);
          openGate();
        }),
      ]);
      expect(dialogs()).to.have.length(1);
    });

    it('is not lost when the frame closes after the one before it', async () => {
      await Promise.all([scripted('answer close'), scripted('wait wait answer close')]);
    });
  });

  describe('closed', () => {
    it('by Close before approval is rejected by the user', async () => {
      const refused = failure(scripted('approval hang'));
      (await openDialog()).close.click();
      expect((await refused).code).to.equal('user.rejected');
      expect(stored().undelivered).to.deep.equal({});
    });

    it('by Close after approval says where to look, and keeps the request', async () => {
      const stages: string[] = [];
      const options = {
        requestId: 'my-request-1',
        onProgress: ({ stage }: { stage: string }) => stages.push(stage),
      };
      const lost = failure(scripted('sign hang', options));
      await until(() => stages.includes('signing'));
      (await openDialog()).close.click();
      const { code, details } = await lost;
      expect([code, details['requestId']]).to.deep.equal(['frame.unreachable', 'my-request-1']);
      expect(stored().undelivered).to.have.property('my-request-1').with.property('action', 'transfer');
      expect(await connect.pending()).to.deep.equal([
        { requestId: 'my-request-1', action: 'transfer', asked: TRANSFER, state: 'unknown' },
      ]);
      expect(await connect.resume('my-request-1')).to.equal('resumed');
      expect(stored().undelivered).to.deep.equal({});
    });

    it('by the page removing it, or sending the frame elsewhere, is unreachable', async () => {
      const lost = failure(scripted('approval hang'));
      const { dialog } = await openDialog();
      ((dialog.getRootNode() as ShadowRoot).host as HTMLElement).remove();
      expect((await lost).code).to.equal('frame.unreachable');
      expect((await failure(scripted('leave'))).code).to.equal('frame.unreachable');
    });

    it('by its signal is rejected, whether it waits, is on screen or has not begun', async () => {
      const abort = new AbortController();
      const { signal } = abort;
      const calls = [scripted('approval hang', { signal }), scripted('hang', { signal })].map(failure);
      await openDialog();
      abort.abort();
      for (const call of calls) expect((await call).code).to.equal('user.rejected');
      expect((await failure(scripted('answer', { signal }))).code).to.equal('user.rejected');
      await until(() => !dialogs().length);
    });

    it('by destroy rejects everything, and everything after it', async () => {
      localStorage.setItem(STORE, JSON.stringify({ wallets: [aWallet('w', 'never')] }));
      await connect.wallets();
      const calls = [scripted('hang'), scripted('hang'), connect.balance('w')].map(failure);
      await openDialog();
      connect.destroy();
      for (const call of calls) expect((await call).code).to.match(/user\.rejected|frame\.unreachable/);
      expect((await failure(scripted('answer'))).code).to.equal('frame.unreachable');
      expect((await failure(connect.balance('w'))).code).to.equal('frame.unreachable');
    });

    it('by destroy before anything was loaded opens nothing', async () => {
      const call = failure(scripted('hang'));
      connect.destroy();
      expect((await call).code).to.equal('frame.unreachable');
    });
  });

  describe('refuses before anything opens', () => {
    const cases: [string, () => Promise<unknown>, string][] = [
      ['params that are none', () => connect.transfer(undefined as never), ''],
      [
        'a transfer without wallet',
        () => connect.transfer({ ...TRANSFER, walletId: undefined as never }),
        'walletId',
      ],
      ['a transfer without value', () => connect.transfer({ ...TRANSFER, value: null as never }), 'value'],
      [
        'a function in a request',
        () => connect.execute({ type: 'X', walletId: 'w', clauses: [{ to() {} }] } as never),
        'clauses.0.to',
      ],
      [
        'a malformed PIN',
        () => connect.execute({ type: 'X', walletId: 'w', pincode: 'a secret' } as never),
        'pincode',
      ],
      ['no requests', () => connect.executeAll([]), 'requests'],
      [
        'a bad request in a list',
        () => connect.executeAll([{ type: 'X', walletId: 'w' } as never, {} as never]),
        'requests.1.walletId',
      ],
      [
        'who asks for a certificate, which the wallet knows',
        () =>
          connect.sign({
            type: 'X',
            walletId: 'w',
            data: '0x',
            annex: { domain: 'bank.example', timestamp: 1 },
          } as never),
        'annex',
      ],
      [
        'a prefix that is no boolean',
        () => connect.sign({ type: 'X', walletId: 'w', data: '0x', prefix: 'no' } as never),
        'prefix',
      ],
      [
        'chains that are no list',
        () => connect.linkWallets({ secretTypes: 'ETHEREUM' as never }),
        'secretTypes',
      ],
      ['managing no chain', () => connect.manageWallets({} as never), 'chain'],
      [
        'a request id of the wrong form',
        () => connect.transfer(TRANSFER, { requestId: 'short' }),
        'requestId',
      ],
      ['resuming nothing', () => connect.resume(''), 'requestId'],
    ];
    for (const [what, call, path] of cases)
      it(what, async () => {
        const error = await failure(call());
        expect(error).to.be.instanceOf(RequestInvalidError);
        expect((error as RequestInvalidError).issues[0]!.path).to.equal(path);
        expect(error.message).not.to.contain('a secret');
        expect(roots()).to.have.length(0);
      });

    it('a payload that its chain does not take, once that is loaded', async () => {
      await connect.preload('ETHEREUM');
      const error = await failure(connect.transfer({ ...TRANSFER, to: '0x1' }));
      expect((error as RequestInvalidError).issues[0]!.path).to.equal('to');
      const bad = { type: 'ETH_TRANSACTION' as const, walletId: 'w', to: '0x1', value: 1 };
      expect((await failure(connect.execute(bad))).code).to.equal('request.invalid');
      expect(roots()).to.have.length(0);
    });

    it('a payload that its chain does not take, when nothing is loaded yet', async () => {
      const bad = { type: 'ETH_TRANSACTION' as const, walletId: 'w', to: '0x1', value: 1 };
      const calls: [() => Promise<unknown>, string][] = [
        [() => connect.transfer({ ...TRANSFER, to: '0x1' }), 'to'],
        [() => connect.transfer({ ...TRANSFER, secretType: 'DOGECOIN' as never }), 'secretType'],
        [() => connect.execute(bad), 'to'],
        [() => connect.execute({ ...bad, type: 'ETH_TRANSFER' } as never), 'type'],
        [() => connect.execute({ ...bad, type: 'TRANSFER', secretType: 'ETHEREUM' }), 'to'],
        [() => connect.executeAll([{ ...bad, to: TRANSFER.to }, bad]), 'requests.1.to'],
        [() => connect.executeAll([bad, { ...bad, type: 'X' } as never]), 'requests.1.type'],
        [() => connect.sign({ type: 'ETHEREUM_RAW', walletId: 'w', data: 'hello' }), 'data'],
        [() => connect.sign({ type: 'ETHEREUM', walletId: 'w', data: '0x' } as never), 'type'],
      ];
      for (const [call, path] of calls) {
        connect.destroy();
        open();
        const error = await failure(call());
        expect([error.code, (error as RequestInvalidError).issues[0]!.path]).to.deep.equal([
          'request.invalid',
          path,
        ]);
        expect(roots()).to.have.length(0);
      }
      const unsupported = { type: 'TRANSFER', secretType: 'NEO', walletId: 'w', to: '0x1', value: 1 };
      expect((await failure(connect.execute(unsupported as never))).code).to.equal('chain.not-supported');
    });

    it('a wallet on its own origin, and none at all', async () => {
      for (const frame of [location.origin, 'not a url', '']) {
        const error = await failure(createConnect({ frame }).transfer(TRANSFER));
        expect([error.code, error.details['reason']]).to.deep.equal(['frame.blocked', 'config']);
      }
    });
  });

  describe('sends', () => {
    it('a copy: no PIN, no undefined, nothing the page changes later, bigints unchanged', async () => {
      const request = {
        ...TRANSFER,
        value: 10n ** 30n,
        alias: 'echo close',
        tokenAddress: undefined as never,
      };
      const answer = connect.transfer(Object.assign(request, { pincode: '1234' }));
      request.to = '0xevil' as never;
      const { tokenAddress: _absent, ...rest } = request;
      const { pincode: _dropped, ...expected } = rest as typeof rest & { pincode?: string };
      expect(await answer).to.deep.equal({ ...expected, to: TRANSFER.to });
    });

    it('what a framework wraps in a proxy', async () => {
      const reactive = new Proxy({ ...TRANSFER, alias: 'answer close' }, {});
      expect(await connect.transfer(reactive)).to.deep.equal({ transactionHash: '0x0' });
    });
  });

  describe('wallets', () => {
    it('are remembered by the page once they are linked, and read without the user', async () => {
      const seen: unknown[] = [];
      connect.onWallets((wallets) => seen.push(wallets));
      expect(await connect.wallets()).to.deep.equal([]);
      expect(await linked()).to.deep.equal([aWallet()]);
      expect(await connect.wallets()).to.deep.equal([aWallet()]);
      expect(seen).to.deep.equal([[aWallet()]]);
      const again = createConnect({ frame: FRAME });
      expect(await again.wallets()).to.deep.equal([aWallet()]);
      again.destroy();

      const balance = { symbol: 'ETH', address: aWallet().address };
      expect(await connect.balance('wallet-1')).to.deep.equal(balance);
      expect(await connect.wallet('wallet-1')).to.deep.equal({ ...aWallet(), balance });
      expect(dialogs()).to.have.length(0);
      expect((await failure(connect.balance('wallet-2'))).code).to.equal('wallet.forbidden');
    });

    it('begin with a dialog of the page, which opens the wallet with what the user chose', async () => {
      for (const [name, newWallet] of [
        ['Create a wallet', 'create'],
        ['I have one', 'import'],
      ] as const) {
        await forgetAll();
        const by = createConnect({ frame: FRAME, surface: 'iframe' });
        const linking = by.linkWallets({ secretTypes: ['ETHEREUM'] });
        await choose(name);
        const [wallet] = await linking;
        expect(JSON.parse(wallet!.description)).to.deep.equal({ secretTypes: ['ETHEREUM'], newWallet });
        await until(() => !dialogs().length);
        by.destroy();
      }
    });

    it('have no such dialog where some are linked', async () => {
      localStorage.setItem(STORE, JSON.stringify({ wallets: [aWallet()] }));
      const [wallet] = await connect.linkWallets({ secretTypes: ['ETHEREUM'] });
      expect(JSON.parse(wallet!.description)).to.deep.equal({ secretTypes: ['ETHEREUM'] });
    });

    it('have their network where it is not the first of their chain', async () => {
      const networks = { 'wallet-1': 'ethereum-sepolia' };
      localStorage.setItem(STORE, JSON.stringify({ wallets: [aWallet()], networks }));
      const [linkedThere] = await connect.linkWallets();
      expect(linkedThere!.network).to.equal('ethereum-sepolia');
    });

    it('are none when the user closes that dialog, and nothing is remembered', async () => {
      const linking = connect.linkWallets();
      await choose('Close');
      expect(await linking).to.deep.equal([]);
      expect(localStorage.getItem(STORE)).to.equal(null);
      expect(document.body.querySelectorAll('div').length).to.equal(0);
    });

    it('are refused when the page takes the dialog away', async () => {
      const abort = new AbortController();
      const dialog = () => [...document.body.children].find((each) => each.shadowRoot?.querySelector('h2'));
      const ends = [() => abort.abort(), () => connect.destroy()];
      for (const end of ends) {
        const failed = failure(connect.linkWallets({}, { signal: abort.signal }));
        if (!abort.signal.aborted) await until(dialog);
        end();
        expect((await failed).code).to.equal('user.rejected');
        expect(dialog()).to.equal(undefined);
      }
    });

    it('are asked of no unknown chain', async () => {
      const error = await failure(connect.linkWallets({ secretTypes: ['ETHEREUM', 'NEO' as never] }));
      expect((error as RequestInvalidError).issues?.[0]?.path ?? error.details).to.equal('secretTypes.1');
    });

    it('are announced again when a transaction changes their balances', async () => {
      await linked();
      let told = 0;
      connect.onWallets(() => (told += 1));
      await scripted('sign answer confirmed close');
      await until(() => told);
      expect(await connect.wallets()).to.deep.equal([aWallet()]);
    });

    it('come and go in other tabs', async () => {
      const seen: unknown[][] = [];
      connect.onWallets((wallets) => seen.push(wallets));
      localStorage.setItem(STORE, JSON.stringify({ wallets: [aWallet()] }));
      dispatchEvent(new StorageEvent('storage', { key: STORE }));
      await until(() => seen.length);
      expect(seen).to.deep.equal([[aWallet()]]);
      localStorage.clear();
      dispatchEvent(new StorageEvent('storage', { key: null }));
      expect(seen.at(-1)).to.deep.equal([]);
    });

    it('survive a corrupted record', async () => {
      for (const text of [
        '{',
        '7',
        'null',
        '{"wallets":7,"undelivered":[1],"unlinked":{}}',
        '{"wallets":[null,{}]}',
      ]) {
        localStorage.setItem(STORE, text);
        const other = createConnect({ frame: FRAME });
        expect(await other.wallets(), text).to.deep.equal([]);
        expect(await other.pending(), text).to.deep.equal([]);
        other.destroy();
      }
    });

    it('that are unlinked are reported to the wallet when it opens', async () => {
      await linked();
      await connect.unlink('wallet-1');
      expect(await connect.wallets()).to.deep.equal([]);
      expect(stored().unlinked).to.deep.equal(['wallet-1']);
      expect((await failure(connect.unlink('wallet-1'))).code).to.equal('wallet.forbidden');
      await until(() => !dialogs().length);
      await linked();
      expect(stored().unlinked).to.deep.equal([]);
      expect(await connect.wallets()).to.deep.equal([aWallet()]);
    });

    it('work without storage', async () => {
      const { getItem, setItem } = Storage.prototype;
      const deny = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      Object.assign(Storage.prototype, { getItem: deny, setItem: deny });
      try {
        await linked(open());
        expect(await connect.wallets()).to.deep.equal([aWallet()]);
        expect((await connect.balance('wallet-1')).symbol).to.equal('ETH');
      } finally {
        Object.assign(Storage.prototype, { getItem, setItem });
      }
    });
  });

  it('reads can be aborted', async () => {
    localStorage.setItem(STORE, JSON.stringify({ wallets: [aWallet('w', 'never')] }));
    const abort = new AbortController();
    const call = failure(connect.balance('w', { signal: abort.signal }));
    await until(() => roots().length);
    abort.abort();
    expect((await call).code).to.equal('user.rejected');
  });
});
