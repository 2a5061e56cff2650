/**
 * The GoChain chain from prepare to balance. The same tests run against anvil behind a proxy that answers as GoChain does (`npm test`), and
 * against GoChain's own node (`npm run test:nodes`).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dataLength, keccak256, Wallet } from 'ethers';
import type { LocalGochain } from '../../../demo/networks/gochain.ts';
import type { ChainRequest, Known, Receipt } from '../../../src/chains/terms.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { EvmDraft } from '../../../src/chains/evm/draft.ts';
import { bytesOf, hexOf } from '../../../src/base/bytes.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { fromPage } from '../../unit/chains/from-page.ts';
import { poll } from '../../waiting.ts';
import { gochain, gochainPayloads as payloads } from '../../families.ts';

const chain = fromPage(gochain, payloads);

/** 2000 gwei, below which no GoChain node takes a transaction. */
const FLOOR = 2_000_000_000_000n;
const COIN = 10n ** 18n;
const NOBODY: Known = { used: [], own: [], reported: [] };

/** What a node takes for a transfer from one holder of a token to another, and for the withdrawal of an allowance. */
export interface StorageGas {
  transfer: bigint;
  withdrawal: bigint;
}

export function gochainFlows(open: () => Promise<LocalGochain>, storageGas: StorageGas): void {
  let local: LocalGochain;
  let made = 0;

  before(async () => {
    local = await open();
  });
  after(() => local?.close());

  const nodeOf = (change: Partial<Network> = {}) => chain.node({ ...local.network, ...change });
  const secretOf = (number: number) => bytesOf(`0x${(1000 + number).toString(16).padStart(64, '7')}`);

  /** A wallet of its own for every test, with 100 GO. */
  async function newWallet(coins = 100n): Promise<{ key: Uint8Array; address: string }> {
    const key = secretOf(made++);
    const address = chain.address(key);
    if (coins > 0n) await local.fund(address, coins * COIN);
    return { key, address };
  }

  const request = (fields: object): ChainRequest => ({
    type: 'GO_TRANSACTION',
    walletId: 'w',
    value: 0,
    ...fields,
  });

  async function send(
    wallet: { key: Uint8Array; address: string },
    fields: object,
    node = nodeOf(),
  ): Promise<{ hash: string; draft: EvmDraft; summary: Summary; fee: bigint; state: string }> {
    const draft = await chain.prepare(request(fields), wallet.address, node, NOBODY);
    const signed = await chain.sign(draft, wallet.key);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
    const { state, fee } = await settled(signed.hash, node);
    return { hash: signed.hash, draft, summary: await chain.describe(draft), fee: fee!, state };
  }

  /** A block may take two seconds. */
  function settled(hash: string, node = nodeOf()): Promise<Receipt> {
    const look = async (): Promise<Receipt | false> => {
      const receipt = await chain.receipt(hash, node);
      return receipt.state !== 'pending' && receipt.state !== 'unknown' && receipt;
    };
    return poll(look, `${hash} in a block`);
  }

  async function failure(work: Promise<unknown>): Promise<ConnectError> {
    return work.then(
      () => assert.fail('did not reject'),
      (error: ConnectError) => error,
    );
  }

  async function coinsOf(address: string): Promise<bigint> {
    return BigInt((await chain.balance(address, nodeOf())).rawBalance);
  }

  async function tokensOf(address: string, asset: 'DUSD' | 'DCENT'): Promise<bigint> {
    const token = await chain.token(local.contracts[asset], nodeOf());
    const [held] = await chain.tokenBalances(address, [token], nodeOf());
    assert.equal(held!.type, 'GO20');
    return BigInt(held!.rawBalance);
  }

  describe('GO', () => {
    it('arrives to the last digit, for the fee that was shown, in one round before and one after', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const before = local.node.requests.length;
      const node = nodeOf();
      const { draft, summary, fee, state } = await send(from, { to: to.address, value: 123456789n }, node);
      assert.equal(state, 'confirmed');
      assert.deepEqual([draft.type, draft.chainId, draft.gasPrice], [0, 60, FLOOR]);
      assert.deepEqual([summary.amount.raw, summary.amount.symbol], [123456789n, 'GO']);
      assert.equal(await coinsOf(to.address), 123456789n);
      assert.equal(await coinsOf(from.address), 100n * COIN - 123456789n - fee);
      assert.equal(fee, 21_000n * FLOOR);
      assert.equal(summary.fee.maximum.raw, fee);
      const sent = local.node.requests.slice(before).map((calls) => calls.map(({ method }) => method));
      assert.deepEqual(sent[1], ['eth_sendRawTransaction']);
      assert.equal(sent.flat().includes('eth_feeHistory'), false, 'it has none');
    });

    it('goes out by the transfer action, and by a contract call with data', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const body = { secretType: 'GOCHAIN', to: to.address, value: '1.5' };
      await send(from, { ...body, type: 'TRANSFER' });
      await send(from, { ...body, type: 'GAS_TRANSFER' });
      assert.equal(await coinsOf(to.address), 3n * COIN);
      const approve = {
        type: 'CONTRACT_EXECUTION',
        secretType: 'GOCHAIN',
        to: local.contracts.DUSD,
        functionName: 'approve',
        inputs: [
          { type: 'address', value: to.address },
          { type: 'uint256', value: '5' },
        ],
      };
      const { state, summary } = await send(from, { ...approve, value: undefined });
      assert.equal(state, 'confirmed');
      assert.equal(summary.kind, 'approval');
    });

    it('takes a higher price, a nonce and gas as asked, and no price under 2000 gwei', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const { draft } = await send(from, {
        to: to.address,
        value: 1,
        gasPrice: FLOOR + 1n,
        gas: 50_000,
        nonce: 0,
      });
      assert.deepEqual([draft.gasPrice, draft.gas, draft.nonce], [FLOOR + 1n, 50_000n, 0]);
      const low = await failure(
        chain.prepare(request({ to: to.address, gasPrice: FLOOR - 1n }), from.address, nodeOf(), NOBODY),
      );
      assert.equal(low.code, 'request.invalid');
      assert.equal((low.details['issues'] as { path: string }[])[0]!.path, 'gasPrice');
    });

    it('that cannot be paid is told before approval, and refused in the network’s words after', async () => {
      const [poor, to] = [await newWallet(1n), await newWallet(0n)];
      const draft = await chain.prepare(
        request({ to: to.address, value: 2n * COIN }),
        poor.address,
        nodeOf(),
        NOBODY,
      );
      assert.equal((await chain.describe(draft)).shortOf?.have, COIN);
      const error = await failure(chain.broadcast(await chain.sign(draft, poor.key), nodeOf()));
      assert.equal(error.code, 'transaction.insufficient-funds');
      assert.equal(error.details['reason'], 'insufficient funds for gas * price + value');
    });
  });

  describe('GO20 tokens', () => {
    it('cost what their storage costs on this node', async () => {
      const from = await newWallet();
      // Data has its price by the byte.
      const [to, amount] = [`0x${'11'.repeat(20)}`, COIN];
      await local.give('DUSD', from.address);
      await local.give('DUSD', to);
      const gasOf = async (functionName: string, value: bigint): Promise<bigint> => {
        const { fee } = await send(from, {
          type: 'CONTRACT_EXECUTION',
          secretType: 'GOCHAIN',
          to: local.contracts.DUSD,
          functionName,
          inputs: [
            { type: 'address', value: to },
            { type: 'uint256', value: String(value) },
          ],
          value: undefined,
        });
        return fee / FLOOR;
      };
      assert.equal(await gasOf('transfer', amount), storageGas.transfer);
      await gasOf('approve', amount);
      assert.equal(await gasOf('approve', 0n), storageGas.withdrawal);
    });

    it('arrive by their own request and by the transfer action, listed or not', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      for (const asset of ['DUSD', 'DCENT'] as const) await local.give(asset, from.address);
      const { summary } = await send(from, {
        type: 'GOCHAIN_GO20_TRANSACTION',
        to: to.address,
        value: '25',
        tokenAddress: local.contracts.DUSD,
      });
      assert.deepEqual([summary.amount.raw, summary.amount.symbol, summary.to], [25n, 'DUSD', to.address]);
      assert.equal(await tokensOf(to.address, 'DUSD'), 25n);
      assert.equal(await tokensOf(from.address, 'DUSD'), 1000n * COIN - 25n);
      const body = { type: 'TOKEN_TRANSFER', secretType: 'GOCHAIN', to: to.address, value: '2.5' };
      await send(from, { ...body, tokenAddress: local.contracts.DCENT });
      assert.equal(await tokensOf(to.address, 'DCENT'), 2_500_000n);
      const unlisted = await send(
        from,
        { ...body, tokenAddress: local.contracts.DCENT },
        nodeOf({ tokens: [] }),
      );
      assert.equal(unlisted.summary.amount.decimals, null);
      assert.equal(await tokensOf(to.address, 'DCENT'), 5_000_000n);
    });

    it('and NFTs and items of collections', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const ticket = await local.ticketOf(await local.give('NFT', from.address));
      await local.give('ITEM', from.address);
      const body = { secretType: 'GOCHAIN', to: to.address };
      const nft = await send(from, {
        ...body,
        type: 'NFT_TRANSFER',
        value: undefined,
        tokenAddress: local.contracts.NFT,
        tokenId: ticket,
      });
      assert.equal(nft.state, 'confirmed');
      assert.equal(nft.summary.amount.symbol, `TICKET #${ticket}`);
      const codes = nft.summary.warnings.map(({ code }) => code);
      assert.equal(codes.includes('unlisted-token'), false, codes.join());
      const item = {
        ...body,
        type: 'TOKEN_TRANSFER',
        tokenAddress: local.contracts.ITEM,
        tokenId: 7,
        value: 2,
      };
      assert.equal((await send(from, item)).state, 'confirmed');
    });

    it('that cannot be moved say why, though a GoChain node calls a revert an answer', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const draft = await chain.prepare(
        request({
          type: 'GOCHAIN_GO20_TRANSACTION',
          to: to.address,
          value: '1',
          tokenAddress: local.contracts.DUSD,
        }),
        from.address,
        nodeOf({ tokens: [] }),
        NOBODY,
      );
      const warning = (await chain.describe(draft)).warnings.find(({ code }) => code === 'will-fail');
      assert.match(warning?.params?.['reason'] ?? '', /transfer amount exceeds balance/);
      const none = await failure(chain.token(local.contracts.ITEM, nodeOf()));
      assert.equal(none.code, 'request.invalid', 'a revert is not a number of decimals');
    });
  });

  describe('the network', () => {
    it('takes a transaction twice for one', async () => {
      const [from, to] = [await newWallet(), await newWallet(0n)];
      const draft = await chain.prepare(
        request({ to: to.address, value: 3 }),
        from.address,
        nodeOf(),
        NOBODY,
      );
      const signed = await chain.sign(draft, from.key);
      await chain.broadcast(signed, nodeOf());
      assert.equal(await chain.broadcast(signed, nodeOf()), signed.hash);
      const other = await chain.sign({ ...draft, value: 4n }, from.key);
      await settled(signed.hash);
      const replayed = await failure(chain.broadcast(other, nodeOf()));
      assert.equal(replayed.code, 'transaction.refused');
      assert.match(String(replayed.details['reason']), /nonce too low/);
      assert.equal(await coinsOf(to.address), 3n);
    });

    it('refuses type 2, another chain id, a low price and bytes that were changed', async () => {
      const { key, address } = await newWallet();
      const wallet = new Wallet(`0x${Buffer.from(key).toString('hex')}`);
      const fields = { to: address, value: 1n, nonce: 0, gasLimit: 21_000n, chainId: 60 };
      const legacy = { ...fields, type: 0, gasPrice: FLOOR };
      const good = await wallet.signTransaction(legacy);
      for (const [raw, words] of [
        [
          await wallet.signTransaction({
            ...fields,
            type: 2,
            maxFeePerGas: FLOOR,
            maxPriorityFeePerGas: FLOOR,
          }),
          /^rlp:/,
        ],
        [await wallet.signTransaction({ ...legacy, chainId: 1 }), /invalid sender/],
        [await wallet.signTransaction({ ...legacy, gasPrice: FLOOR - 1n }), /underpriced/],
        [`${good.slice(0, -2)}00`, /./],
        [good.slice(0, -2), /^rlp:/],
      ] as const) {
        const error = await failure(chain.broadcast({ raw, hash: '0x' }, nodeOf()));
        // The floor is the node's own: another may take the transaction.
        assert.match(error.code, String(words) === '/underpriced/' ? /^node.unreachable$/ : /^transaction\./);
        assert.match(String(error.details['reason']), words);
      }
      assert.equal(await coinsOf(address), 100n * COIN);
    });

    it('of another chain id is not used', async () => {
      const error = await failure(chain.balance(chain.address(secretOf(0)), nodeOf({ chainId: 31337 })));
      assert.equal(error.code, 'node.unreachable');
      assert.equal(error.details['reason'], 'chain-id');
    });
  });

  describe('a node’s own words', () => {
    const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
      const answer = await fetch(local.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = (await answer.json()) as {
        result?: unknown;
        error?: { code: number; message: string };
      };
      return error ? `${error.code} ${error.message}` : result;
    };

    /** Signs for a nonce after the next: nothing is mined while a test looks. */
    async function waiting() {
      const { key, address } = await newWallet();
      const wallet = new Wallet(hexOf(key));
      const fields = { to: address, value: 1n, nonce: 5, gasLimit: 21_000n, chainId: 60, type: 0 };
      const sign = (more: object) => wallet.signTransaction({ ...fields, gasPrice: FLOOR, ...more });
      return { sign, send: async (more: object) => ask('eth_sendRawTransaction', await sign(more)) };
    }

    it('tell that a transaction waits already', async () => {
      const { send, sign } = await waiting();
      const hash = keccak256(await sign({}));
      assert.equal(await send({}), hash);
      assert.equal(await send({}), `-32000 known tx: ${hash.slice(2)}`);
    });

    it('ask 10 % more for a replacement, and the replaced one is gone', async () => {
      const { send, sign } = await waiting();
      const first = String(await send({}));
      const most = (FLOOR * 110n) / 100n;
      const underpriced = '-32000 replacement transaction underpriced';
      assert.equal(await send({ gasPrice: (FLOOR * 109n) / 100n }), underpriced);
      assert.equal(await send({ gasPrice: most - 1n }), underpriced);
      const second = keccak256(await sign({ gasPrice: most }));
      assert.equal(await send({ gasPrice: most }), second);
      assert.equal(await ask('eth_getTransactionByHash', first), null);
      assert.equal(((await ask('eth_getTransactionByHash', second)) as { hash: string }).hash, second);
      assert.equal(await send({}), underpriced);
    });

    it('refuse more than 32 KiB', async () => {
      const { send, sign } = await waiting();
      const large = (bytes: number) => ({ gasLimit: 500_000n, data: `0x${'00'.repeat(bytes)}` });
      const rest = dataLength(await sign(large(32_000))) - 32_000;
      assert.equal(await send(large(32_769 - rest)), '-32000 oversized data');
      assert.match(String(await send(large(32_768 - rest))), /^0x/);
    });

    it('tell what is wrong with the rest', async () => {
      const { send } = await waiting();
      const funds = '-32000 insufficient funds for gas * price + value';
      assert.equal(await send({ value: 1000n * COIN }), funds);
      assert.equal(
        await send({ gasPrice: FLOOR - 1n, value: 1000n * COIN }),
        '-32000 transaction underpriced',
      );
      assert.equal(await send({ gasLimit: 20_000n }), '-32000 intrinsic gas too low');
      assert.equal(await send({ gasLimit: 10n ** 9n }), '-32000 exceeds block gas limit');
      assert.equal(await ask('eth_sendRawTransaction', '0x'), '-32000 EOF');
      assert.equal(
        await ask('eth_sendRawTransaction', '0x12'),
        '-32000 rlp: expected input list for types.txdata',
      );
      assert.equal(await ask('eth_foo'), '-32601 the method eth_foo does not exist/is not available');
    });

    it('answer a call that cannot be paid or halts', async () => {
      const poor = { from: chain.address(secretOf(9000)), value: '0xde0b6b3a7640000' };
      assert.equal(await ask('eth_call', { ...poor, to: `0x${'99'.repeat(20)}` }, 'latest'), '0x');
      assert.equal(await ask('eth_call', { data: '0xfe' }, 'latest'), '0x');
      assert.equal(await ask('eth_estimateGas', { ...poor, to: `0x${'99'.repeat(20)}` }), '0x5208');
    });
  });
}
