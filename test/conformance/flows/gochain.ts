/**
 * The GoChain chain from prepare to balance. The same tests run against anvil behind a proxy that answers as GoChain does (`npm test`), and
 * against GoChain's own node (`npm run test:nodes`).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Wallet } from 'ethers';
import type { LocalGochain } from '../../../demo/networks/gochain.ts';
import type { ChainRequest, Known, Receipt, Signed, Summary } from '../../../src/chains/chain.ts';
import type { EvmDraft } from '../../../src/chains/evm/draft.ts';
import { chain as gochain } from '../../../src/chains/gochain/index.ts';
import { payloads } from '../../../src/chains/gochain/payload.ts';
import { bytesOf } from '../../../src/chains/hex.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { ConnectError } from '../../../src/errors.ts';
import { fromPage } from '../../unit/chains/from-page.ts';

const chain = fromPage(gochain, payloads);

/** 2000 gwei, below which no GoChain node takes a transaction. */
const FLOOR = 2_000_000_000_000n;
const COIN = 10n ** 18n;
const NOBODY: Known = { used: [], own: [], reported: [] };

export function gochainFlows(open: () => Promise<LocalGochain>): void {
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
    const { state, fee } = await settled(signed, node);
    return { hash: signed.hash, draft, summary: await chain.describe(draft), fee: fee!, state };
  }

  /**
   * A block may take a second. GoChain's pool forgets some of what comes while it takes in a block (3 of 45 in 4.3.1): that is sent again,
   * as a wallet's user would do.
   */
  async function settled({ hash, raw }: Signed, node = nodeOf()): Promise<Receipt> {
    for (let i = 1; i <= 750; i++) {
      const receipt = await chain.receipt(hash, node);
      if (receipt.state !== 'pending' && receipt.state !== 'unknown') return receipt;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (receipt.state === 'unknown' && i % 100 === 0) await chain.broadcast({ hash, raw }, node);
    }
    assert.fail(`${hash} was never mined`);
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
      await settled(signed);
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
        assert.match(error.code, /^transaction\./);
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
}
