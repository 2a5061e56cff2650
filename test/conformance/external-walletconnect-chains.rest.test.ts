/** A wallet on a phone for Tron, Bitcoin and VeChain, with their SDKs, over a relay on this machine, on local networks. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { Address, Certificate, HexUInt } from '@vechain/sdk-core';
import { SignClient } from '@walletconnect/sign-client';
import { Verifier } from 'bip322-js';
import { TronWeb } from 'tronweb';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { bitcoinKey } from '../../demo/wallets/bitcoin-key.ts';
import { demoPhone } from '../../demo/wallets/walletconnect.ts';
import {
  type PhoneBitcoinOptions,
  phoneBitcoin,
  type PhoneChain,
  phoneTron,
  type PhoneTronOptions,
  phoneVechain,
  type PhoneVechainOptions,
} from '../../demo/wallets/walletconnect-chains.ts';
import { startRelay } from '../../demo/wallets/walletconnect-relay.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { systemClock } from '../../src/base/clock.ts';
import { BITCOIN } from '../../src/chains/bitcoin/profile.ts';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { chain as tron } from '../../src/chains/tron/index.ts';
import { payloads as tronPayloads } from '../../src/chains/tron/payload.ts';
import { readDestination } from '../../src/chains/utxo/address.ts';
import { chain as vechain } from '../../src/chains/vechain/index.ts';
import { payloads as vechainPayloads } from '../../src/chains/vechain/payload.ts';
import { readParams } from '../../src/channel/read-schema.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import type { Account, ExternalHost, Pairing } from '../../src/external/types.ts';
import { openWalletConnect } from '../../src/external/walletconnect.ts';
import type { NodeReader } from '../../src/frame/frame.ts';
import { rpc } from '../../src/frame/reads/rpc.ts';
import { bitcoin, bitcoinPayloads } from '../families.ts';
import { fakeEsplora, networkOf } from '../unit/chains/utxo/fake-esplora.ts';
import { poll } from '../waiting.ts';

const PROJECT = 'c0ffee'.padEnd(32, '0');
const TRON_KEYS = ['1', '2'].map((digit) => digit.padStart(64, '0'));
const TRON_OWNER = TronWeb.address.fromPrivateKey(TRON_KEYS[0]!) as string;
const TRON_TO = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const COINS = [11, 12].map((fill) => new Uint8Array(32).fill(fill));
const [BTC_OWNER, BTC_TO] = COINS.map((key) => bitcoinKey(key, 'Regtest').address) as [string, string];
const REGTEST = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const VET_KEYS = [1, 2].map((digit) => HexUInt.of(`0x${String(digit).padStart(64, '0')}`).bytes);
const VET_OWNER = Address.ofPrivateKey(VET_KEYS[0]!).toString();
const VET_TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const VET = 10n ** 18n;
const TEXT = 'Sign in to shop.example – Größe 42';
const DATA = `0x${hex.encode(new TextEncoder().encode(TEXT))}`;

describe('a wallet on a phone, of', () => {
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let localTron: LocalTron;
  let localVechain: LocalVechain;
  let sentCoins: string[] = [];
  let tabs = 0;
  const stored = new Map<string, string>();
  const ends: (() => unknown)[] = [];

  before(async () => {
    Object.assign(globalThis, {
      document: { title: 'Shop' },
      location: { host: 'shop.example', origin: 'https://shop.example' },
      localStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
      },
      addEventListener: () => {},
    });
    relay = await startRelay({ projects: [PROJECT] });
    localTron = await startTronNetwork({ port: 0 });
    await localTron.fund(TRON_OWNER, 1_000_000_000n);
    await localTron.give('DUSD', TRON_OWNER);
    localVechain = await startVechainNetwork({ port: 0 });
    await localVechain.mint(VET_OWNER, 1000n * VET, 1000n * VET);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    stored.clear();
    sentCoins = [];
  });
  after(async () => {
    for (const name of ['document', 'location', 'localStorage', 'addEventListener'])
      Reflect.deleteProperty(globalThis, name);
    await Promise.all([relay.close(), localTron.close(), localVechain.close()]);
  });

  /** The page that is asked for reads. */
  function reader(): NodeReader {
    const { script } = readDestination(BITCOIN, BTC_OWNER);
    const esplora = fakeEsplora({
      coins: [{ address: BTC_OWNER, script, coins: [40_000n, 60_000n, 90_000n].map((value) => ({ value })) }],
    });
    const coins = {
      ...bitcoin,
      node: () => esplora.node,
      async broadcast({ raw, hash }: { raw: string; hash: string }) {
        sentCoins.push(raw.slice(2));
        return hash;
      },
    };
    const chains = { TRON: tron, VECHAIN: vechain, BITCOIN: coins } as Record<string, unknown>;
    const payloads = { TRON: tronPayloads, VECHAIN: vechainPayloads, BITCOIN: bitcoinPayloads } as Record<
      string,
      unknown
    >;
    const networks: Network[] = [
      localTron.network,
      localVechain.network,
      { ...networkOf('BITCOIN'), genesis: REGTEST },
    ];
    return {
      networks: { networks, reported: [], customNodes: false },
      chain: async (type: SecretType) => chains[type],
      payloads: async (type: SecretType) => payloads[type],
    } as unknown as NodeReader;
  }

  /** A wallet of ours from another origin has a session of its own, so that tests do not end each other's. */
  function openTab(linked: readonly Wallet[] = [], frame = `https://connect-${++tabs}.example`) {
    const reads = reader();
    let wallets = linked;
    const ended = new AbortController();
    const host: ExternalHost = {
      clock: systemClock,
      linked: () => wallets,
      rpc: async (asked) => rpc(reads, readParams('rpc', structuredClone(asked))),
    };
    const wallet = openWalletConnect(
      { projectId: PROJECT, relayUrl: relay.url, client: async () => ({ SignClient }) },
      'WalletConnect',
      host,
      { frame, ended: ended.signal },
    );
    ends.push(() => ended.abort());
    return {
      wallet,
      frame,
      close: () => ended.abort(),
      keep: (accounts: readonly Account[]) =>
        (wallets = accounts.map(
          (each, index) => ({ ...each, alias: 'Demo phone', id: `w-${index}` }) as Wallet,
        )),
    };
  }

  async function openPhone(...others: PhoneChain[]) {
    const phone = await demoPhone({
      relayUrl: relay.url,
      projectId: PROJECT,
      keys: [`0x${'3'.padStart(64, '0')}`],
      nodes: {},
      others,
    });
    ends.push(() => phone.close());
    return phone;
  }

  /** Linked by scanning a code. */
  async function linked(secretTypes: readonly SecretType[], ...others: PhoneChain[]) {
    const [tab, phone] = [openTab(), await openPhone(...others)];
    const pairing: Pairing = {
      signal: new AbortController().signal,
      show: (uri) => void phone.scan(uri),
      answered() {},
    };
    const wallets = tab.keep(await tab.wallet.link({ secretTypes }, pairing));
    return { tab, phone, wallets, mine: wallets[0]! };
  }

  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'no failure',
      ({ code }: ConnectError) => code,
    );
  const chainOf = ({ genesis }: Network) => `0x${genesis!.slice(-8)}`;

  describe('Tron', () => {
    const phoneOf = (more: Partial<PhoneTronOptions> = {}) =>
      phoneTron({ keys: TRON_KEYS, chainId: chainOf(localTron.network), ...more });
    const parse = (body: object) => tronPayloads.parse({ walletId: 'w', ...body });
    const payment = (more: object = {}) =>
      parse({ type: 'TRX_TRANSACTION', to: TRON_TO, value: 5_000_000, ...more });
    const message = () => tronPayloads.parseSigning({ type: 'TRON_MESSAGE', walletId: 'w', data: DATA });
    const confirmed = (hash: string) =>
      poll(async () => {
        const { state } = await tron.receipt(hash, tron.node(localTron.network));
        assert.notEqual(state, 'failed');
        return state === 'confirmed';
      }, `${hash} to be confirmed`);

    it('is linked, sends TRX with a memo and TRC-20 tokens, and signs messages', async () => {
      const { tab, phone, wallets, mine } = await linked(['TRON'], phoneOf());
      assert.deepEqual(
        wallets.map(({ address, secretType, network }) => [address, secretType, network]),
        phone.proposals.length &&
          TRON_KEYS.map((key) => [TronWeb.address.fromPrivateKey(key), 'TRON', localTron.network.id]),
      );
      assert.deepEqual(phone.proposals, [
        {
          ...(phone.proposals[0] as object),
          requiredNamespaces: {},
          optionalNamespaces: {
            tron: {
              chains: [`tron:${chainOf(localTron.network)}`],
              methods: ['tron_signTransaction', 'tron_signMessage'],
              events: [],
            },
          },
          sessionProperties: { tron_method_version: 'v1' },
        },
      ]);

      const hash = await tab.wallet.send(mine, payment({ data: 'Order 7' }));
      await confirmed(hash);
      const { raw_data: raw } = await new TronWeb({ fullHost: localTron.url }).trx.getTransaction(hash);
      assert.equal(Buffer.from(raw.data as string, 'hex').toString(), 'Order 7');
      const token = localTron.contracts.DUSD;
      await confirmed(
        await tab.wallet.send(mine, parse({ type: 'TRC10_TRANSACTION', to: TRON_TO, value: 9, token })),
      );
      const inputs = [
        { type: 'address', value: TRON_TO },
        { type: 'uint', value: '11' },
      ];
      const call = { type: 'TRON_CONTRACT_EXECUTION', to: token, functionName: 'transfer', inputs };
      await confirmed(await tab.wallet.send(mine, parse(call)));
      const node = tron.node(localTron.network);
      const listed = localTron.network.tokens.find(({ symbol }) => symbol === 'DUSD')!;
      assert.equal((await tron.balance(TRON_TO, node)).rawBalance, '5000000');
      assert.equal((await tron.tokenBalances(TRON_TO, [listed], node))[0]!.rawBalance, '20');

      const { signature } = await tab.wallet.sign(mine, message());
      const signer = await new TronWeb({ fullHost: localTron.url }).trx.verifyMessageV2(TEXT, signature);
      assert.equal(signer, mine.address);
      assert.deepEqual(
        [...new Set(phone.asked.map(({ chainId }) => chainId))],
        [`tron:${chainOf(localTron.network)}`],
      );
    });

    it('takes transactions in the older form, and answers in others, too', async () => {
      const forms: ((given: { signature: string[] }) => unknown)[] = [
        (given) => given,
        (given) => ({ result: given }),
        ({ signature }) => ({ signature: `0x${signature}` }),
        ({ signature }) => signature[0],
      ];
      for (const alters of forms) {
        const { tab, mine } = await linked(['TRON'], phoneOf({ isNew: false, alters }));
        await confirmed(await tab.wallet.send(mine, payment({ value: 1 })));
      }
    });

    it('cannot have another transaction sent, nor pass another signature off as the account’s', async () => {
      const other = phoneOf();
      const stranger = TronWeb.address.fromPrivateKey(TRON_KEYS[1]!) as string;
      const altered: ((given: { signature: string[] | string }) => unknown)[] = [
        () => ({}),
        () => 'nothing',
        ({ signature }) => ({ signature: [...signature, ...signature] }),
        ({ signature }) => ({ signature: [String(signature).replace(/^../, '00')] }),
      ];
      for (const alters of altered) {
        const { tab, mine } = await linked(['TRON'], phoneOf({ alters }));
        assert.equal(await codeOf(tab.wallet.send(mine, payment())), 'transaction.refused');
      }
      const balance = async () => (await tron.balance(TRON_TO, tron.node(localTron.network))).rawBalance;
      const before = await balance();
      // It signs what pays another, with the right key.
      const { tab, mine } = await linked(['TRON'], {
        ...phoneOf(),
        async answer(method, params) {
          if (method === 'tron_signMessage')
            return other.answer(method, { ...(params as object), address: stranger } as never);
          const { address, transaction } = structuredClone(params) as {
            address: string;
            transaction: { raw_data: { contract: [{ parameter: { value: { amount: number } } }] } };
          };
          transaction.raw_data.contract[0].parameter.value.amount *= 2;
          const { utils } = await import('tronweb');
          const pb = utils.transaction.txJsonToPb(transaction as never);
          const forged = {
            ...transaction,
            txID: utils.transaction.txPbToTxID(pb).replace(/^0x/, ''),
            raw_data_hex: utils.transaction.txPbToRawDataHex(pb).toLowerCase(),
          };
          return other.answer(method, { address, transaction: forged } as never);
        },
      });
      assert.equal(await codeOf(tab.wallet.send(mine, payment())), 'transaction.refused');
      assert.equal(await codeOf(tab.wallet.sign(mine, message())), 'internal.error');
      assert.equal(await balance(), before);
    });

    it('can reject, and is not asked for what the wallet does not hold, or for what would fail', async () => {
      const { tab, phone, mine } = await linked(['TRON'], phoneOf({ approves: () => false }));
      assert.equal(await codeOf(tab.wallet.send(mine, payment())), 'user.rejected');
      assert.equal(await codeOf(tab.wallet.sign(mine, message())), 'user.rejected');
      const count = phone.asked.length;
      assert.equal(
        await codeOf(tab.wallet.send(mine, payment({ value: 10 ** 12 }))),
        'transaction.insufficient-funds',
      );
      const itself = parse({ type: 'TRX_TRANSACTION', to: TRON_OWNER, value: 1 });
      assert.equal(await codeOf(tab.wallet.send(mine, itself)), 'transaction.refused');
      assert.equal(phone.asked.length, count);
    });
  });

  describe('Bitcoin', () => {
    const phoneOf = (more: Partial<PhoneBitcoinOptions> = {}) =>
      phoneBitcoin({ keys: COINS, reference: REGTEST.slice(0, 32), ...more });
    const payment = (more: object = {}) =>
      bitcoinPayloads.parse({
        type: 'BTC_TRANSACTION',
        walletId: 'w',
        to: BTC_TO,
        value: 70_000n,
        ...more,
      });
    const message = (format: string) =>
      bitcoinPayloads.parseSigning({ type: 'BITCOIN_MESSAGE', walletId: 'w', data: DATA, format });

    it('is linked, signs a PSBT that our node sends, and messages in both formats', async () => {
      const { tab, phone, mine } = await linked(['BITCOIN'], phoneOf());
      assert.deepEqual([mine.address, mine.secretType], [BTC_OWNER, 'BITCOIN']);
      const hash = await tab.wallet.send(mine, payment({ data: 'Order 7', feePerByte: '5' }));
      const transaction = Transaction.fromRaw(hex.decode(sentCoins[0]!), { allowUnknownOutputs: true });
      assert.deepEqual([transaction.id, transaction.getOutput(0).amount], [hash, 70_000n]);
      assert.ok(sentCoins[0]!.includes(Buffer.from('Order 7').toString('hex')));
      for (const format of ['bip322', 'bip137']) {
        const { signature } = await tab.wallet.sign(mine, message(format));
        assert.equal(Verifier.verifySignature(BTC_OWNER, TEXT, signature, true), true);
      }
      assert.deepEqual(
        phone.asked.map(({ method }) => method),
        ['signPsbt', 'signMessage', 'signMessage'],
      );
    });

    it('sends by itself what only it has coins for, or if it signs no PSBT', async () => {
      const raws: string[] = [];
      const coins = [{ txid: 'ab'.repeat(32), index: 1, amount: 900_000n }];
      const own = { coins, broadcast: (raw: string) => raws.push(raw) };
      const rich = await linked(['BITCOIN'], phoneOf(own));
      const hash = await rich.tab.wallet.send(rich.mine, payment({ value: 500_000n }));
      assert.equal(
        await codeOf(rich.tab.wallet.send(rich.mine, payment({ value: 500_000n, data: 'Order 7' }))),
        'transaction.insufficient-funds',
      );
      const simple = await linked(['BITCOIN'], phoneOf({ ...own, methods: ['sendTransfer'] }));
      await simple.tab.wallet.send(simple.mine, payment());
      const sums = raws.map((raw) => Transaction.fromRaw(hex.decode(raw)).getOutput(0).amount);
      assert.deepEqual(sums, [500_000n, 70_000n]);
      assert.equal(hash, Transaction.fromRaw(hex.decode(raws[0]!)).id);
      assert.deepEqual(sentCoins, []);
      // It might leave these out.
      for (const more of [{ data: 'Order 7' }, { feePerByte: '5' }])
        assert.equal(await codeOf(simple.tab.wallet.send(simple.mine, payment(more))), 'chain.not-supported');
      assert.equal(
        await codeOf(simple.tab.wallet.sign(simple.mine, message('bip322'))),
        'chain.not-supported',
      );
    });

    it('cannot have another transaction sent, nor pass another signature off as the account’s', async () => {
      const stranger = bitcoinKey(COINS[1]!, 'Regtest');
      const bytes = new TextEncoder().encode(TEXT);
      const alters = (answer: { psbt: string; address: string; signature: string }, method: string) => {
        if (method === 'signPsbt') {
          const forged = Transaction.fromPSBT(base64.decode(answer.psbt));
          forged.updateOutput(0, { amount: 90_000n }, true);
          return { psbt: base64.encode(forged.toPSBT()) };
        }
        const isLong = answer.signature.length > 130;
        const theirs = isLong ? stranger.signBip322(bytes) : stranger.signEcdsa(bytes);
        return { ...answer, signature: hex.encode(base64.decode(theirs)) };
      };
      const { tab, mine } = await linked(['BITCOIN'], phoneOf({ alters }));
      assert.equal(await codeOf(tab.wallet.send(mine, payment())), 'transaction.refused');
      for (const format of ['bip322', 'bip137'])
        assert.equal(await codeOf(tab.wallet.sign(mine, message(format))), 'internal.error');
      assert.deepEqual(sentCoins, []);
      const main = payment({ to: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' });
      assert.equal(await codeOf(tab.wallet.send(mine, main)), 'request.invalid');
    });

    it('shows an address of the network that it names, or is not linked', async () => {
      const wrong = { ...phoneOf(), addresses: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'] };
      assert.equal(await codeOf(linked(['BITCOIN'], wrong)), 'internal.error');
    });
  });

  describe('VeChain', () => {
    const phoneOf = (more: Partial<PhoneVechainOptions> = {}) => {
      const genesis = localVechain.network.genesis!;
      return phoneVechain({ keys: VET_KEYS, genesis, nodes: { [genesis]: localVechain.url }, ...more });
    };
    const payment = () =>
      vechainPayloads.parse({
        type: 'VET_TRANSACTION',
        walletId: 'w',
        clauses: [{ to: VET_TO, amount: String(5n * VET) }],
      });
    const certificate = () =>
      vechainPayloads.parseSigning({
        type: 'VECHAIN_CERTIFICATE',
        walletId: 'w',
        purpose: 'agreement',
        data: DATA,
      });

    it('is linked, sends VET, and signs certificates that VeChain’s SDK verifies', async () => {
      const { tab, phone, mine } = await linked(['VECHAIN'], phoneOf());
      assert.deepEqual([mine.address, mine.network], [VET_OWNER, localVechain.network.id]);
      const hash = await tab.wallet.send(mine, payment());
      const node = vechain.node(localVechain.network);
      await poll(async () => (await vechain.receipt(hash, node)).state === 'confirmed', 'the transfer');
      assert.equal((await vechain.balance(VET_TO, node)).rawBalance, String(5n * VET));
      const answer = await tab.wallet.sign(mine, certificate());
      const { annex, signature } = answer as unknown as {
        annex: { domain: string; timestamp: number; signer: string };
        signature: string;
      };
      const content = { purpose: 'agreement', payload: { type: 'text', content: TEXT } };
      Certificate.of({ ...content, ...annex, signature }).verify();
      assert.deepEqual(
        phone.asked.map(({ method, params }) => [method, Object.keys((params as [object])[0])]),
        [
          ['thor_sendTransaction', ['message', 'options']],
          ['thor_signCertificate', ['message', 'options']],
        ],
      );
    });

    it('can reject, and cannot pass another signature off as the account’s', async () => {
      const rejecting = await linked(['VECHAIN'], phoneOf({ approves: () => false }));
      assert.equal(await codeOf(rejecting.tab.wallet.send(rejecting.mine, payment())), 'user.rejected');
      const swapped = (answer: { annex: object; signature: string }) => ({
        ...answer,
        annex: { ...answer.annex, timestamp: 1 },
      });
      const forging = await linked(['VECHAIN'], phoneOf({ alters: swapped as never }));
      assert.equal(await codeOf(forging.tab.wallet.sign(forging.mine, certificate())), 'internal.error');
      const elsewhere = await linked(['VECHAIN'], phoneOf({ host: 'other.example' }));
      assert.equal(await codeOf(elsewhere.tab.wallet.sign(elsewhere.mine, certificate())), 'internal.error');
    });
  });

  it('all three at once is linked in one session, and is there again after a reload', async () => {
    const genesis = localVechain.network.genesis!;
    const { tab, wallets } = await linked(
      ['TRON', 'BITCOIN', 'VECHAIN'],
      phoneTron({ keys: TRON_KEYS, chainId: chainOf(localTron.network) }),
      phoneBitcoin({ keys: COINS, reference: REGTEST.slice(0, 32) }),
      phoneVechain({ keys: VET_KEYS, genesis, nodes: { [genesis]: localVechain.url } }),
    );
    assert.equal(wallets.length, 6);
    tab.close();
    const again = openTab(wallets, tab.frame);
    for (const secretType of ['TRON', 'BITCOIN', 'VECHAIN'] as const)
      assert.deepEqual(
        await again.wallet.accounts(secretType),
        wallets.flatMap((each) => (each.secretType === secretType ? [each.address] : [])),
      );
    const mine = wallets.find(({ secretType }) => secretType === 'TRON')!;
    const message = tronPayloads.parseSigning({ type: 'TRON_MESSAGE', walletId: 'w', data: DATA });
    assert.match((await again.wallet.sign(mine, message)).signature, /^0x[0-9a-f]{130}$/);
  });
});
