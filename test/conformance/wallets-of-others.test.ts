/** External wallets that sign for real: Bitcoin's by verifiers of other projects, Aeternity's by the SDK's own wallet and a local ledger. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  AeSdkWallet,
  BrowserWindowMessageConnection,
  type Encoded,
  MemoryAccount,
  Node as AeNode,
  verifyMessage,
} from '@aeternity/aepp-sdk';
import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { Verifier } from 'bip322-js';
import bitcoinMessage from 'bitcoinjs-message';
import { Psbt } from 'bitcoinjs-lib';
import { type LocalAeternity, startAeternityNetwork } from '../../demo/networks/aeternity.ts';
import { bitcoinKey } from '../../demo/wallets/bitcoin-key.ts';
import { demoSatsConnect } from '../../demo/wallets/sats-connect.ts';
import { demoWalletStandard } from '../../demo/wallets/wallet-standard.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { chain as aeternity } from '../../src/chains/aeternity/index.ts';
import { payloads as aeternityPayloads } from '../../src/chains/aeternity/payload.ts';
import { BITCOIN } from '../../src/chains/bitcoin/profile.ts';
import type { NativeRequest } from '../../src/chains/utxo/payload.ts';
import type { Network } from '../../src/chains/network.ts';
import { readDestination } from '../../src/chains/utxo/address.ts';
import type { RpcAnswer } from '../../src/channel/messages.ts';
import { readParams } from '../../src/channel/read-schema.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { openSatsConnect } from '../../src/external/sats-connect.ts';
import { openSuperhero } from '../../src/external/superhero.ts';
import type { Account, ExternalHost } from '../../src/external/types.ts';
import { openWalletStandard } from '../../src/external/wallet-standard.ts';
import type { NodeReader } from '../../src/frame/frame.ts';
import { rpc } from '../../src/frame/reads/rpc.ts';
import { fakeEsplora, networkOf } from '../unit/chains/utxo/fake-esplora.ts';
import { bitcoin, bitcoinPayloads } from '../families.ts';

const KEYS = [11, 12].map((fill) => new Uint8Array(32).fill(fill));
const TEXT = 'Sign in to shop.example – Größe 42';
const utf8 = (text: string) => `0x${hex.encode(new TextEncoder().encode(text))}`;
const walletOf = (account: Account) => account as unknown as Wallet;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    ({ code }: ConnectError) => code,
  );

/** The page that is asked for reads, with this chain and its networks. */
function hostOf(chain: unknown, payloads: unknown, network: Network): ExternalHost {
  const frame = {
    networks: { networks: [network], reported: [], customNodes: false },
    chain: async () => chain,
    payloads: async () => payloads,
  } as unknown as NodeReader;
  return {
    rpc: async (asked): Promise<RpcAnswer> => rpc(frame, readParams('rpc', structuredClone(asked))),
    linked: () => [],
    clock: undefined as never,
  };
}

describe('wallets of Bitcoin that others made', () => {
  const keys = KEYS.map((key) => bitcoinKey(key, 'Regtest'));
  const { address } = keys[0]!;
  const to = keys[1]!.address;
  const request = (value: bigint) =>
    bitcoinPayloads.parse({ type: 'BTC_TRANSACTION', walletId: 'w', to, value }) as NativeRequest;

  function world() {
    const { script } = readDestination(BITCOIN, address);
    const esplora = fakeEsplora({
      coins: [{ address, script, coins: [40_000n, 60_000n, 90_000n].map((value) => ({ value })) }],
    });
    const sent: string[] = [];
    const chain = {
      ...bitcoin,
      node: () => esplora.node,
      broadcast: async ({ raw, hash }: { raw: string; hash: string }) => {
        sent.push(raw.slice(2));
        return hash;
      },
    };
    return { sent, host: hostOf(chain, bitcoinPayloads, networkOf('BITCOIN')) };
  }

  it('get a PSBT for what the request says, and what they sign of it is sent as btc-signer finishes it', async () => {
    const { host, sent } = world();
    const rpcOf = async (method: string, ...params: unknown[]) => {
      const answer = await host.rpc({ secretType: 'BITCOIN', method, params } as never);
      return (answer as { result: string }).result;
    };
    const body = { type: 'BTC_TRANSACTION', walletId: 'w', to, value: '120000', feePerByte: '5' };
    const unsigned = await rpcOf('carabiner_unsigned', body, address);
    const psbt = Psbt.fromBase64(unsigned);
    assert.equal(psbt.txOutputs[0]!.value, 120_000n);
    assert.ok(psbt.inputCount > 1);
    const indexes = Array.from({ length: psbt.inputCount }, (_, index) => index);
    const signed = keys[0]!.signPsbt(base64.decode(unsigned), indexes);
    const hash = await rpcOf('carabiner_send', unsigned, base64.encode(signed.toPSBT()));
    signed.finalize();
    assert.deepEqual([hash, sent], [signed.id, [signed.hex]]);
    assert.equal(await rpcOf('carabiner_send', unsigned, base64.encode(signed.toPSBT())), signed.id);
    assert.deepEqual(sent, [signed.hex, signed.hex]);

    const other = await rpcOf('carabiner_unsigned', { ...body, value: '110000' }, address);
    const all = Array.from({ length: Psbt.fromBase64(other).inputCount }, (_, index) => index);
    const another = base64.encode(keys[0]!.signPsbt(base64.decode(other), all).toPSBT());
    const strangers = keys[1]!;
    assert.throws(() => strangers.signPsbt(base64.decode(unsigned), indexes));
    const cut = base64.encode(base64.decode(unsigned).subarray(0, 40));
    for (const answer of [unsigned, another, cut, 'no base64', ''])
      assert.equal(await codeOf(rpcOf('carabiner_send', unsigned, answer)), 'transaction.refused');
    assert.equal(
      await codeOf(rpcOf('carabiner_unsigned', { ...body, value: '900000' }, address)),
      'transaction.insufficient-funds',
    );
    assert.equal(sent.length, 2);
  });

  it('by Wallet Standard sign it, and send it or have it sent', async () => {
    for (const without of [[], ['bitcoin:signAndSendTransaction']]) {
      const { host, sent } = world();
      const theirs = demoWalletStandard({ keys: KEYS, without, broadcast: async (raw) => sent.push(raw) });
      const wallet = openWalletStandard(theirs.wallet, 'Theirs', host);
      const [account] = await wallet.link({ secretTypes: ['BITCOIN'] });
      const hash = await wallet.send(walletOf(account!), request(70_000n));
      const [raw] = sent;
      const transaction = Transaction.fromRaw(hex.decode(raw!));
      assert.deepEqual([sent.length, hash, transaction.getOutput(0).amount], [1, transaction.id, 70_000n]);
    }
  });

  it('sign messages that bip322-js and bitcoinjs-message accept', async () => {
    const { host } = world();
    const message = (format: string) =>
      bitcoinPayloads.parseSigning({
        type: 'BITCOIN_MESSAGE',
        walletId: 'w',
        data: utf8(TEXT),
        format,
      });
    const connect = openSatsConnect(demoSatsConnect({ keys: KEYS }).provider, 'Theirs', host);
    const standard = openWalletStandard(demoWalletStandard({ keys: KEYS }).wallet, 'Theirs', host);
    for (const wallet of [connect, standard]) {
      const [account] = await wallet.link({ secretTypes: ['BITCOIN'] });
      const formats = wallet === connect ? ['bip322', 'bip137'] : ['bip137'];
      for (const format of formats) {
        const { signature } = (await wallet.sign(walletOf(account!), message(format))) as {
          signature: string;
        };
        assert.equal(Verifier.verifySignature(address, TEXT, signature, true), true);
        assert.equal(Verifier.verifySignature(address, `${TEXT}.`, signature, true), false);
        if (format === 'bip137')
          assert.equal(bitcoinMessage.verify(TEXT, bitcoinKey(KEYS[0]!, 'Mainnet').address, signature), true);
      }
    }
  });
});

describe('the wallet of Aeternity’s SDK', () => {
  let local: LocalAeternity;
  let earlier: PropertyDescriptorMap;
  const account = MemoryAccount.generate();

  before(async () => {
    local = await startAeternityNetwork({ port: 0 });
    const page = Object.assign(new EventTarget(), {
      location: new URL('https://shop.example/'),
      postMessage(data: unknown) {
        const event = Object.assign(new Event('message'), {
          data,
          source: page,
          origin: page.location.origin,
        });
        queueMicrotask(() => page.dispatchEvent(event));
      },
    });
    const names = ['window', 'location', 'origin', 'document', 'addEventListener'];
    earlier = Object.fromEntries(
      names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) ?? { value: undefined }]),
    );
    const globals: Record<string, unknown> = {
      window: page,
      location: page.location,
      origin: page.location.origin,
      document: { title: 'Shop' },
      addEventListener: page.addEventListener.bind(page),
    };
    for (const name of names)
      Object.defineProperty(globalThis, name, { value: globals[name], configurable: true, writable: true });
    const sdk = new AeSdkWallet({
      id: 'official',
      name: 'Official',
      type: 'extension' as never,
      nodes: [{ name: 'local', instance: new AeNode(local.network.nodes[0]!) }],
      accounts: [account],
      onConnection() {},
      onSubscription() {},
      onAskAccounts() {},
      onAskToSelectNetwork() {
        throw new Error('It knows one network.');
      },
      onDisconnect() {},
    });
    sdk.addRpcClient(
      new BrowserWindowMessageConnection({
        target: page as never,
        self: page as never,
        sendDirection: 'to_aepp' as never,
        receiveDirection: 'to_waellet' as never,
      }),
    );
  });
  after(async () => {
    for (const [name, descriptor] of Object.entries(earlier))
      Object.defineProperty(globalThis, name, { configurable: true, ...descriptor });
    await local.close();
  });

  it('links its account, signs what is sent by our node, and messages', async () => {
    const host = hostOf(aeternity, aeternityPayloads, local.network);
    await local.fund(account.address, 10n ** 19n);
    const wallet = openSuperhero('Official', host);
    const [linked] = await wallet.link({ secretTypes: ['AETERNITY'] });
    assert.deepEqual(linked, {
      address: account.address,
      secretType: 'AETERNITY',
      network: local.network.id,
    });
    const to = MemoryAccount.generate().address;
    const parsed = aeternityPayloads.parse({
      type: 'AE_TRANSACTION',
      walletId: 'w',
      to,
      value: 5n * 10n ** 17n,
    });
    const hash = await wallet.send(walletOf(linked!), parsed);
    local.ledger.mineMicroBlock();
    const node = aeternity.node(local.network);
    assert.equal((await aeternity.balance(to, node)).rawBalance, '500000000000000000');
    assert.match(hash, /^th_/);

    const message = aeternityPayloads.parseSigning({
      type: 'AETERNITY_MESSAGE',
      walletId: 'w',
      data: utf8(TEXT),
    });
    const { signature } = (await wallet.sign(walletOf(linked!), message)) as {
      signature: string;
    };
    const bytes = hex.decode(signature.slice(2));
    assert.equal(verifyMessage(TEXT, bytes, account.address as Encoded.AccountAddress), true);

    const asked = { secretType: 'AETERNITY', network: local.network.id } as const;
    const unsigned = await host.rpc({
      ...asked,
      method: 'carabiner_unsigned',
      params: [{ type: 'AE_TRANSACTION', walletId: 'w', to, value: '1' }, account.address],
    });
    const { result: tx } = unsigned as { result: Encoded.Transaction };
    const other = await account.signTransaction(tx, { networkId: 'ae_dev' });
    const send = (given: unknown, signed: unknown) =>
      codeOf(host.rpc({ ...asked, method: 'carabiner_send', params: [given, signed] }));
    const first = await host.rpc({
      ...asked,
      method: 'carabiner_unsigned',
      params: [{ type: 'AE_TRANSACTION', walletId: 'w', to, value: '2' }, account.address],
    });
    for (const [given, signed] of [
      [(first as { result: string }).result, other],
      [tx, tx],
      [tx, 'tx_AAAA'],
      [tx, 'nothing'],
    ])
      assert.equal(await send(given, signed), 'transaction.refused');
    assert.equal(await send(tx, 7), 'request.invalid');
    const rich = [
      { type: 'AE_TRANSACTION', walletId: 'w', to, value: (10n ** 20n).toString() },
      account.address,
    ];
    assert.equal(
      await codeOf(host.rpc({ ...asked, method: 'carabiner_unsigned', params: rich })),
      'transaction.insufficient-funds',
    );
  });
});
