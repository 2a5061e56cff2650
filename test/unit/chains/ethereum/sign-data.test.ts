import { expect } from '@open-wc/testing';
import { keccak256 } from 'ethers/crypto';
import { verifyMessage } from 'ethers/hash';
import { recoverAddress, Transaction } from 'ethers/transaction';
import { Wallet } from 'ethers/wallet';
import fc from 'fast-check';
import { address } from '../../../../src/chains/evm/transaction.ts';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { messageHash } from '../../../../src/chains/evm/sign-data.ts';
import eip191 from '../../../vectors/eip191.vectors.json';
import { fakeNode, QUIET } from '../fake-node.ts';
import { fromPage } from '../from-page.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';

const chain = fromPage(ethereum, payloads);

const { describeSigning, exportKey, signData } = chain;
const KEY = bytesOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const FROM = address(KEY);
const TO = `0x${'11'.repeat(20)}`;
const NOBODY = { used: [], own: [], reported: [] };
const utf8 = (text: string) => hexOf(new TextEncoder().encode(text));
const raw = (data: string, flags: object = {}) => ({ type: 'ETHEREUM_RAW', walletId: 'w', data, ...flags });
const show = (request: ReturnType<typeof raw>) =>
  describeSigning(request, FROM, fakeNode(QUIET).node, NOBODY);
const unsigned = (fields: object) =>
  Transaction.from({
    type: 2,
    chainId: 31337,
    to: TO,
    value: 5n,
    gasLimit: 21000n,
    maxFeePerGas: 9n,
    maxPriorityFeePerGas: 1n,
    nonce: 5,
    ...fields,
  }).unsignedSerialized;

describe('Ethereum signatures', () => {
  it('ERC-191: hashes and signs messages as published', async () => {
    for (const v of eip191.vectors as {
      message?: string;
      messageHex?: string;
      hash?: string;
      privateKey?: string;
      signature?: string;
      signatureType?: string;
    }[]) {
      const data = v.messageHex ?? utf8(v.message!);
      if (v.hash) expect(messageHash(data)).to.equal(v.hash);
      if (v.signatureType === 'Legacy')
        expect((await signData(raw(data), bytesOf(v.privateKey!))).signature).to.equal(v.signature);
    }
  });

  it('gives r and s of 32 bytes and v 0x1b or 0x1c, which ethers verifies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (message) => {
        const { r, s, v, signature } = await signData(raw(hexOf(message)), KEY);
        expect(r).to.match(/^0x[0-9a-f]{64}$/);
        expect(s).to.match(/^0x[0-9a-f]{64}$/);
        expect(['0x1b', '0x1c']).to.include(v);
        expect(signature).to.equal(r + s.slice(2) + v.slice(2));
        expect(verifyMessage(message, signature)).to.equal(FROM);
      }),
      { numRuns: 25 },
    );
  });

  it('follows the table: prefix wins over hash; without prefix the hash, or the 32 bytes themselves', async () => {
    const data = `0x${'42'.repeat(32)}`;
    const signature = async (flags: object) => (await signData(raw(data, flags), KEY)).signature;
    expect(verifyMessage(bytesOf(data), await signature({}))).to.equal(FROM);
    expect(await signature({ prefix: true, hash: false })).to.equal(await signature({}));
    expect(recoverAddress(keccak256(data), await signature({ prefix: false }))).to.equal(FROM);
    expect(recoverAddress(data, await signature({ prefix: false, hash: false }))).to.equal(FROM);
  });

  it('shows text as text, and says when nobody can read it', async () => {
    expect(await show(raw(utf8('Sign in\nto shop.example ✓')))).to.deep.equal({
      kind: 'text',
      text: 'Sign in\nto shop.example ✓',
      hex: utf8('Sign in\nto shop.example ✓'),
    });
    expect(await show(raw(utf8('plain'), { prefix: false }))).to.include({ kind: 'text' });
    for (const text of [
      'Pay \u202e001\u202c to\u0000 Ada',
      'a\u0000b',
      'a\u001b[31m',
      '\u200bzero width\ufeff',
      '\u2066\u2069',
    ])
      expect(await show(raw(utf8(text))), 'hidden characters are for the view to draw').to.deep.equal({
        kind: 'text',
        text,
        hex: utf8(text),
      });
    const number = `0x${'00'.repeat(31)}41`;
    for (const data of ['0x', '0x00ff', '0xff', `${utf8('abc')}ff`, `${number}00`, utf8('\u0001\u0002ok')])
      expect(await show(raw(data)), data).to.deep.equal({ kind: 'blind', hex: data, reason: 'bytes' });
  });

  it('takes every message of the size of a hash for one', async () => {
    const words = utf8('q8$Zk!0pL@x9#vR2m^tW6&yB3*uN7(eH');
    for (const data of [words, `0x${'ff'.repeat(32)}`])
      for (const flags of [{}, { prefix: false }])
        expect(await show(raw(data, flags)), data).to.deep.equal({
          kind: 'blind',
          hex: data,
          reason: 'hash',
        });
    for (const data of [`${words}21`, words.slice(0, -2)])
      expect(await show(raw(data)), data).to.include({ kind: 'text' });
  });

  it('finds a sign-in to another site whatever it calls the chain', async () => {
    const scene = { origin: 'https://shop.example', now: 0 };
    for (const chain of ['Ethereum', 'Polygon', 'Arbitrum One', 'eip155', 'EVM']) {
      const request = raw(utf8(`bank.example wants you to sign in with your ${chain} account:\n${FROM}`));
      const shown = await describeSigning(request, FROM, fakeNode(QUIET).node, NOBODY, scene);
      if (shown.kind !== 'sign-in') throw new Error(`${chain}: ${shown.kind}`);
      expect(shown.mismatches, chain).to.deep.equal([
        { what: 'domain', named: 'bank.example', actual: scene.origin },
      ]);
    }
  });

  it('names hashes and transactions inside raw data', async () => {
    const signed = async (fields: object) => new Wallet(exportKey(KEY)).signTransaction(fields);
    expect(await show(raw(utf8('a'.repeat(32)), { prefix: false, hash: false }))).to.include({
      kind: 'blind',
      reason: 'hash',
    });
    for (const data of [
      unsigned({}),
      unsigned({ type: 0, gasPrice: 1n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }),
      unsigned({ type: 1, gasPrice: 1n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }),
      unsigned({ type: 3, maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${'22'.repeat(31)}`] }),
      unsigned({ to: null, data: '0x6000', chainId: 2n ** 60n }),
      await signed({ type: 2, chainId: 1, to: TO }),
      await signed({ type: 0, chainId: 1, to: TO }),
      await signed({ type: 0, to: TO }),
    ])
      expect(await show(raw(data, { prefix: false })), data).to.include({
        kind: 'blind',
        reason: 'transaction',
      });
  });

  it('draws the transaction that ETHEREUM_TRANSACTION without prefix would sign', async () => {
    const data = unsigned({});
    const request = { type: 'ETHEREUM_TRANSACTION', walletId: 'w', data, prefix: false };
    const shown = await show(request);
    if (shown.kind !== 'transaction') throw new Error(shown.kind);
    expect(shown.summary.amount.raw).to.equal(5n);
    expect(shown.summary.to).to.equal(TO);
    expect(shown.summary.fee.maximum.raw).to.equal(21000n * 9n);
    expect(shown.summary.nonce).to.equal(5);
    const { signature } = await signData(request, KEY);
    const signed = Transaction.from(data);
    signed.signature = signature;
    expect(signed.from).to.equal(FROM);
  });

  it('shows the access list of what it would sign', async () => {
    const slots = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
    const accessList = [
      [TO, slots],
      [FROM, []],
    ];
    const legacy = { gasPrice: 1n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
    for (const fields of [{ accessList }, { type: 1, accessList, ...legacy }]) {
      const data = unsigned(fields);
      const request = { type: 'ETHEREUM_TRANSACTION', walletId: 'w', data, prefix: false };
      const shown = await show(request);
      if (shown.kind !== 'transaction') throw new Error(shown.kind);
      expect(shown.summary.facts).to.deep.equal([
        { code: 'access-list', value: [TO, ...slots].join(' ') },
        { code: 'access-list', value: FROM },
      ]);
    }
  });

  it('refuses to draw what is not exactly one transaction of this network', async () => {
    for (const [data, message] of [
      ['0x1234', 'not an unsigned Ethereum transaction'],
      [`${unsigned({})}00`, 'not an unsigned'],
      [unsigned({ chainId: 1 }), 'chain id 1, but the wallet is on 31337'],
      [
        unsigned({
          type: 0,
          chainId: 0,
          gasPrice: 1n,
          maxFeePerGas: undefined,
          maxPriorityFeePerGas: undefined,
        }),
        'without chain id',
      ],
    ] as const) {
      const error = await show({
        type: 'ETHEREUM_TRANSACTION',
        walletId: 'w',
        data,
        prefix: false,
      } as never).catch((e) => e);
      expect(error.code, data).to.equal('request.invalid');
      expect(error.issues[0].path).to.equal('data');
      expect(error.issues[0].message).to.contain(message);
      if (message.includes('wallet')) continue;
      const request = { type: 'ETHEREUM_TRANSACTION', walletId: 'w', data, prefix: false };
      const signing = await signData(request, KEY).catch((e) => e);
      expect(signing.issues?.[0].message, 'the same is not signed').to.contain(message);
    }
  });
});
