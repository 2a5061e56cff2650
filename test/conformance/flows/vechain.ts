/**
 * The VeChain chain from prepare to balance. The same tests run against the ledger of the demo (`npm test`) and against VeChain's own node
 * (`npm run test:nodes`).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Blake2b256, HexUInt, Secp256k1, Transaction } from '@vechain/sdk-core';
import { Interface } from 'ethers';
import { tokenCode, type VechainPlace } from '../../../demo/networks/vechain-place.ts';
import { startSponsor } from '../../../demo/networks/vechain-sponsor.ts';
import { addressOf } from '../../../src/chains/contracts/evm-address.ts';
import type { ChainRequest, Node, Signature } from '../../../src/chains/terms.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { Network } from '../../../src/chains/network.ts';
import { VTHO } from '../../../src/chains/vechain/draft.ts';
import { findIncoming } from '../../../src/chains/vechain/incoming.ts';
import { serialize } from '../../../src/chains/vechain/envelope.ts';
import type { VechainDraft } from '../../../src/chains/vechain/index.ts';
import { vechainStrictness } from './vechain-strict.ts';
import {
  chain,
  codes,
  failure,
  newAddress,
  NOBODY,
  refused,
  toolsOn,
  unsponsored,
  VET,
  vet,
  type Wallet,
} from './vechain-tools.ts';

const ERC20 = new Interface(['function transfer(address to, uint256 amount)']);

/** `open` answers a network with a sponsor. */
export function vechainFlows(open: () => Promise<VechainPlace>): void {
  let local: VechainPlace;
  const { nodeOf, newWallet, prepare, send, decided, holds, dusd, read } = toolsOn(() => local);

  before(async () => {
    local = await open();
  });
  after(() => local?.close());

  describe('a transfer of VET', () => {
    it('moves exactly the amount, for a fee within the maximum shown', async () => {
      const wallet = await newWallet();
      const to = newAddress();
      const { draft, summary, signed } = await send(
        { type: 'TRANSFER', secretType: 'VECHAIN', to, value: '1.5' },
        wallet,
      );
      assert.equal(summary.amount.raw, (3n * VET) / 2n);
      assert.equal(summary.to, to);
      assert.equal(summary.fee.expected.symbol, 'VTHO');
      assert.equal(draft.gas, 21_000n);
      assert.equal(draft.chainTag, Number(`0x${local.network.genesis!.slice(-2)}`));
      assert.deepEqual(codes(summary), ['first-recipient']);
      const { fee } = await decided(signed.hash);
      assert.equal((await holds(to)).vet, (3n * VET) / 2n);
      const after = await holds(wallet.address);
      assert.equal(after.vet, 1000n * VET - (3n * VET) / 2n);
      assert.equal(after.vtho, 100n * VET - fee!);
      assert.equal(fee, summary.fee.expected.raw);
      assert.ok(fee! <= summary.fee.maximum.raw);
    });

    it('is prepared in one round, and decided in one', async () => {
      const wallet = await newWallet();
      const at = chain.node(unsponsored(local));
      const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet, at);
      assert.equal(at.rounds, 2);
      await chain.receipt(signed.hash, at);
      assert.equal(at.rounds, 3);
    });

    it('says what is missing', async () => {
      const wallet = await newWallet(5n, 100n * VET);
      const summary = await chain.describe(await prepare(vet([{ to: newAddress(), amount: 7 }]), wallet));
      assert.equal(`${summary.shortOf!.amount.raw} ${summary.shortOf!.amount.symbol}`, '2 VET');
      assert.deepEqual(codes(summary), ['first-recipient']);
      const poor = await newWallet(VET, 1n);
      const { shortOf } = await chain.describe(await prepare(vet([{ to: newAddress(), amount: 7 }]), poor));
      assert.equal(shortOf!.amount.symbol, 'VTHO');
      assert.equal(shortOf!.have, 1n);
      await refused(
        send(vet([{ to: newAddress(), amount: 7 }]), poor),
        'tx rejected: insufficient energy',
        'transaction.insufficient-funds',
      );
    });
  });

  describe('several clauses', () => {
    it('are all done, and shown one by one with their sum', async () => {
      const wallet = await newWallet();
      const [one, other] = [newAddress(), newAddress()];
      const { summary, signed } = await send(
        vet([
          { to: one, amount: '1' },
          { to: other, amount: '2' },
        ]),
        wallet,
      );
      assert.equal(summary.amount.raw, 3n);
      assert.equal(summary.total.raw, 3n);
      assert.equal(
        summary.parts!.map(({ to, amount }) => `${to} ${amount.raw}`).join(),
        `${one} 1,${other} 2`,
      );
      assert.equal(summary.facts!.find(({ code }) => code === 'gas')!.value, '37000');
      await decided(signed.hash);
      assert.equal((await holds(one)).vet, 1n);
      assert.equal((await holds(other)).vet, 2n);
    });

    it('are all undone when one fails, which the approval says before', async () => {
      const wallet = await newWallet();
      const to = newAddress();
      const { summary, signed } = await send(
        {
          type: 'VECHAIN_VIP180_TRANSACTION',
          clauses: [
            { to, amount: '1', tokenAddress: local.contracts['DUSD'] },
            { to, amount: '2', tokenAddress: local.contracts['DUSD'] },
          ],
        },
        wallet,
      );
      assert.equal(summary.shortOf!.amount.symbol, 'DUSD');
      await decided(signed.hash, nodeOf(), 'failed');
      assert.equal(await dusd(to), 0n);
      const { vtho } = await holds(wallet.address);
      assert.ok(vtho < 100n * VET, 'the fee is paid');

      await local.give('DUSD', wallet.address);
      const mixed = await chain.describe(
        await prepare(
          vet([
            { to, amount: 1 },
            { to: local.contracts['DUSD'], amount: 5 },
          ]),
          wallet,
        ),
      );
      assert.equal(mixed.warnings.find(({ code }) => code === 'will-fail')!.params!['clause'], '2');
    });

    it('say why one would fail', async () => {
      const wallet = await newWallet();
      const failing = await prepare(
        {
          type: 'CONTRACT_EXECUTION',
          secretType: 'VECHAIN',
          to: local.contracts['DUSD'],
          functionName: 'transferFrom',
          inputs: [
            { type: 'address', value: newAddress() },
            { type: 'address', value: newAddress() },
            { type: 'uint256', value: '1' },
          ],
        },
        wallet,
      );
      const { warnings } = await chain.describe(failing);
      assert.equal(
        warnings.find(({ code }) => code === 'will-fail')!.params!['reason'],
        'ERC20: insufficient allowance',
      );
    });
  });

  describe('tokens', () => {
    it('move by decimal value: VIP-180, and VTHO as gas', async () => {
      const wallet = await newWallet();
      await local.give('DUSD', wallet.address);
      const to = newAddress();
      const body = { secretType: 'VECHAIN', to, value: 0.25 };
      const token = await send(
        { type: 'TOKEN_TRANSFER', ...body, tokenAddress: local.contracts['DUSD'] },
        wallet,
      );
      assert.equal(`${token.summary.amount.raw} ${token.summary.amount.symbol}`, `${VET / 4n} DUSD`);
      assert.equal(token.summary.contract, local.contracts['DUSD']);
      await decided(token.signed.hash);
      assert.equal(await dusd(to), VET / 4n);
      assert.equal(await dusd(wallet.address), 1000n * VET - VET / 4n);

      const before = await holds(wallet.address);
      const gas = await send({ type: 'GAS_TRANSFER', ...body }, wallet);
      assert.equal(`${gas.summary.amount.raw} ${gas.summary.amount.symbol}`, `${VET / 4n} VTHO`);
      const { fee } = await decided(gas.signed.hash);
      assert.equal((await holds(to)).vtho, VET / 4n);
      const after = await holds(wallet.address);
      assert.equal(after.vtho, before.vtho - VET / 4n - fee!);
      assert.ok(fee! <= gas.summary.fee.maximum.raw);
      assert.equal(after.vet, before.vet);

      const coins = await send({ type: 'TRANSFER', ...body }, wallet);
      await decided(coins.signed.hash);
      const { items, cursor } = await findIncoming(to, nodeOf(), undefined, chain.coin);
      const found = items.map(({ hash, from, amount }) => `${hash} ${from} ${amount.raw} ${amount.symbol}`);
      const sent = [token, gas, coins].map(
        ({ signed, summary }) => `${signed.hash} ${wallet.address} ${VET / 4n} ${summary.amount.symbol}`,
      );
      assert.deepEqual(found.sort(), sent.sort(), 'the other side finds all of it');
      assert.ok(items.every(({ at }) => at! > 1.5e12));
      assert.equal((await findIncoming(to, nodeOf(), cursor! + 100, chain.coin)).items.length, 0);
    });

    it('that nobody lists are counted in raw units, with a second round for a decimal value', async () => {
      const wallet = await newWallet();
      await local.give('DUSD', wallet.address);
      const at = chain.node({ ...unsponsored(local), tokens: [] });
      const body = { type: 'TOKEN_TRANSFER', secretType: 'VECHAIN', to: newAddress(), value: '2' };
      const draft = await prepare({ ...body, tokenAddress: local.contracts['DUSD'] }, wallet, at);
      const { amount, warnings } = await chain.describe(draft);
      assert.equal(at.rounds, 2);
      assert.deepEqual([amount.raw, amount.decimals, amount.symbol], [2n * VET, null, 'DUSD']);
      assert.equal(warnings.find(({ code }) => code === 'unlisted-token')!.params!['decimals'], '18');
      assert.equal((await chain.token(local.contracts['DUSD']!, at)).name, 'DemoDollar');
      const none = await failure(prepare({ ...body, tokenAddress: newAddress() }, wallet, at));
      assert.equal(none.code, 'request.invalid');
    });

    it('are shown short together with the fee when VTHO is both', async () => {
      const wallet = await newWallet(0n, VET);
      const draft = await prepare(
        { type: 'VTHO_TRANSACTION', clauses: [{ to: newAddress(), amount: VET }] },
        wallet,
      );
      const { shortOf } = await chain.describe(draft);
      assert.equal(shortOf!.need, VET + draft.gas * draft.facts.gasPrice);
    });
  });

  describe('what the request decides', () => {
    it('is taken as it is', async () => {
      const wallet = await newWallet();
      const blockRef = (await read<{ id: string }>('/blocks/best')).id.slice(0, 18);
      const { draft, signed } = await send(
        vet([{ to: newAddress(), amount: 1, data: '0xdead' }], {
          blockRef,
          chainTag: Number(`0x${local.network.genesis!.slice(-2)}`),
          expiration: 40,
          gas: 50_000,
          gasPriceCoef: 100,
          nonce: '0x0123',
        }),
        wallet,
      );
      const { body } = Transaction.decode(HexUInt.of(signed.raw).bytes, true);
      assert.equal(body.gasPriceCoef, 100);
      assert.equal(body.blockRef, blockRef);
      assert.equal(body.expiration, 40);
      assert.equal(BigInt(body.gas), 50_000n);
      assert.equal(BigInt(body.nonce), 0x123n);
      assert.equal(draft.facts.gasPrice, 10n ** 13n + (10n ** 13n * 100n) / 255n);
      const { fee } = await decided(signed.hash);
      assert.equal(fee, (21_000n + 2n * 68n) * draft.facts.gasPrice);
    });

    it('is refused at its field where the network would refuse it', async () => {
      const wallet = await newWallet();
      const clauses = [{ to: newAddress(), amount: 1 }];
      const bad = async (more: object, path: string) => {
        const { code, details } = await failure(prepare(vet(clauses, more), wallet));
        assert.deepEqual(
          [code, (details['issues'] as { path: string }[])[0]!.path],
          ['request.invalid', path],
        );
      };
      await bad({ chainTag: 74 }, 'chainTag');
      await bad({ gas: 20_999 }, 'gas');
      await bad({ expiration: 0 }, 'expiration');
      await bad({ blockRef: '0x00ffffff00000000' }, 'blockRef');
    });
  });

  describe('sending', () => {
    it('takes a transaction that the network has already', async () => {
      const wallet = await newWallet();
      const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet);
      assert.equal(await chain.broadcast(signed, nodeOf()), signed.hash);
      await decided(signed.hash);
      assert.equal(await chain.broadcast(signed, nodeOf()), signed.hash);
    });

    it('keeps the words of a refusal', async () => {
      const wallet = await newWallet();
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
      const attempt = async (changes: Partial<VechainDraft>) =>
        chain.broadcast(await chain.sign({ ...draft, ...changes }, wallet.key), nodeOf());
      await refused(attempt({ chainTag: 74 }), 'bad tx: chain tag mismatch');
      await refused(attempt({ gas: 20_000n }), 'bad tx: intrinsic gas exceeds provided gas');
      await refused(attempt({ expiration: 0 }), 'tx rejected: expired');
      await refused(attempt({ gas: 40_000_001n }), 'tx rejected: tx gas exceeds block gas limit');
      await refused(
        attempt({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
        'tx rejected: gas price is less than block base fee',
      );
      await refused(
        attempt({ maxFeePerGas: 10n ** 14n, maxPriorityFeePerGas: 10n ** 15n }),
        'bad tx: maxFeePerGas is less than maxPriorityFeePerGas',
      );
      // A node takes it once its block is near.
      const early = attempt({ blockRef: '0x0000ffff00000000' });
      await refused(early, 'tx rejected: block ref out of schedule', 'node.unreachable');
      const { raw, hash } = await chain.sign(draft, wallet.key);
      await refused(
        chain.broadcast(
          { raw: serialize(draft, `0x${'11'.repeat(32)}${'ff'.repeat(32)}00`), hash },
          nodeOf(),
        ),
        'bad tx: invalid signature: S value is out of range',
      );
      await refused(
        chain.broadcast({ raw: serialize(draft, `0x${'11'.repeat(64)}`), hash }, nodeOf()),
        'bad tx: invalid signature length',
      );
      // Other bytes are another account's transaction, and that account has nothing.
      const { code } = await failure(
        chain.broadcast(
          { raw: raw.replace(draft.clauses[0]!.to!.slice(2).toLowerCase(), 'ab'.repeat(20)), hash },
          nodeOf(),
        ),
      );
      assert.equal(code, 'transaction.insufficient-funds');
      assert.equal(await chain.status(hash, nodeOf()), 'unknown');
    });

    it('waits for one that it depends on, and says that it has failed once no block can take it', async () => {
      const wallet = await newWallet();
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
      const first = { ...draft, dependsOn: `0x${'ab'.repeat(32)}`, expiration: 4 };
      const signed = await chain.sign(first, wallet.key);
      await chain.broadcast(signed, nodeOf());
      await local.advance(2);
      assert.equal(await chain.status(signed.hash, nodeOf()), 'pending');
      await local.advance(9);
      // The node has forgotten it: its bytes tell until when it could be processed.
      assert.equal(await chain.status(signed.hash, nodeOf()), 'unknown');
      assert.equal(await chain.status(signed.hash, nodeOf(), signed.raw), 'failed');
      assert.equal(await chain.status(`0x${'12'.repeat(32)}`, nodeOf()), 'unknown');
    });

    it('is done in the block that it names, and not before', async () => {
      const wallet = await newWallet();
      const to = newAddress();
      const { number } = await read<{ number: number }>('/blocks/best');
      const blockRef = `0x${(number + 6).toString(16).padStart(8, '0')}00000000`;
      const { signed } = await send(vet([{ to, amount: 1 }], { blockRef }), wallet);
      await local.advance(2);
      assert.equal(await chain.status(signed.hash, nodeOf()), 'pending');
      assert.equal((await holds(to)).vet, 0n);
      await local.advance(6);
      await decided(signed.hash);
      const { meta } = await read<{ meta: { blockNumber: number } }>(`/transactions/${signed.hash}/receipt`);
      assert.ok(meta.blockNumber >= number + 6);
      assert.equal((await holds(to)).vet, 1n);
    });
  });

  describe('a sponsor', () => {
    let at: Node;
    before(() => {
      at = chain.node(local.network);
    });

    it('pays what the approval says that it pays', async () => {
      const wallet = await newWallet(VET, 0n);
      const to = newAddress();
      const own = chain.node(local.network);
      const sponsorBefore = await holds(local.sponsor!.address, at);
      const { draft, summary, signed } = await send(vet([{ to, amount: 5 }]), wallet, own);
      assert.equal(own.rounds, 3, 'two to prepare, one to send');
      assert.equal(draft.delegated, true);
      assert.equal(summary.fee.maximum.raw, 0n);
      assert.equal(summary.shortOf, undefined);
      assert.equal(
        summary.facts!.find(({ code }) => code === 'sponsor')!.value,
        new URL(local.sponsor!.url).host,
      );
      const asked = local.sponsor!.requests.at(-1)!;
      assert.equal(asked.origin, wallet.address);
      assert.equal(asked.raw, serialize(draft));
      const { fee } = await decided(signed.hash, at);
      assert.equal(fee, 0n);
      assert.equal((await holds(to, at)).vet, 5n);
      assert.equal((await holds(wallet.address, at)).vtho, 0n);
      const sponsorAfter = await holds(local.sponsor!.address, at);
      assert.equal(sponsorBefore.vtho - sponsorAfter.vtho, draft.facts.gasUsed * draft.facts.gasPrice);
    });

    it('that does not agree leaves the fee to the wallet, which the approval shows', async () => {
      const wallet = await newWallet();
      for (const [mood, reason] of [
        ['unwilling', 'The origin is not allowed.'],
        ['confused', 'it answered no valid signature'],
        ['down', 'does not answer'],
      ] as const) {
        local.sponsor!.mood = mood;
        const { draft, summary, signed } = await send(vet([{ to: newAddress(), amount: 5 }]), wallet, at);
        assert.equal(draft.delegated, false);
        assert.ok(summary.fee.maximum.raw > 0n);
        const warning = summary.warnings.find(({ code }) => code === 'sponsor-declined');
        assert.deepEqual(warning!.params, { host: new URL(local.sponsor!.url).host, reason });
        const { fee } = await decided(signed.hash, at);
        assert.equal(fee, summary.fee.expected.raw);
      }
      local.sponsor!.mood = 'willing';
    });

    it('that cannot pay leaves the fee to the wallet', async () => {
      const wallet = await newWallet();
      const poor = await startSponsor(() => Promise.resolve());
      try {
        const its = chain.node({ ...local.network, delegator: poor.url });
        const { summary, signed } = await send(vet([{ to: newAddress(), amount: 5 }]), wallet, its);
        assert.ok(codes(summary).includes('sponsor-declined'));
        await decided(signed.hash, its);
      } finally {
        await poor.close();
      }
    });
  });

  describe('a contract that pays for its users (multi-party payment)', () => {
    const PROTOTYPE = '0x000000000000000000000050726f746f74797065';
    const prototype = new Interface([
      'function setCreditPlan(address self, uint256 credit, uint256 recoveryRate)',
      'function creditPlan(address self) view returns (uint256 credit, uint256 recoveryRate)',
      'function addUser(address self, address user)',
      'function removeUser(address self, address user)',
      'function isUser(address self, address user) view returns (bool)',
      'function userCredit(address self, address user) view returns (uint256)',
      'function master(address self) view returns (address)',
      'function currentSponsor(address self) view returns (address)',
      'function isSponsor(address self, address sponsor) view returns (bool)',
    ]);
    const asked = async (name: string, ...args: unknown[]): Promise<string> => {
      const clauses = [{ to: PROTOTYPE, value: '0x0', data: prototype.encodeFunctionData(name, args) }];
      const [output] = await read<{ data: string }[]>('/accounts/*', { clauses });
      return prototype.decodeFunctionResult(name, output!.data).map(String).join();
    };

    it('takes the fee from its credit, as long as that lasts', async () => {
      const user = await newWallet(VET, 0n);
      const maker = await local.deployer();
      const contract = await maker.create(tokenCode('Free Token', 'FREE', 1000n, user.address));
      const plan = async (name: string, ...args: unknown[]) =>
        maker.call(PROTOTYPE, prototype.encodeFunctionData(name, [contract, ...args]));
      assert.equal((await asked('master', contract)).toLowerCase(), maker.address.toLowerCase());
      assert.equal(await asked('creditPlan', contract), '0,0');
      await local.mint(contract, 0n, 50n * VET);
      await plan('setCreditPlan', 3n * VET, 1_000n);
      await plan('addUser', user.address);
      await assert.rejects(plan('addUser', user.address));
      assert.equal(await asked('creditPlan', contract), `${3n * VET},1000`);
      assert.equal(await asked('isUser', contract, user.address), 'true');
      assert.equal(await asked('userCredit', contract, user.address), String(3n * VET));
      assert.equal(BigInt(await asked('currentSponsor', contract)), 0n);

      const data = ERC20.encodeFunctionData('transfer', [newAddress(), 10n]);
      const { signed } = await send(vet([{ to: contract, amount: 0, data }], { gas: 80_000 }), user);
      await decided(signed.hash);
      const receipt = await read<{ gasPayer: string; paid: string; reverted: boolean }>(
        `/transactions/${signed.hash}/receipt`,
      );
      assert.deepEqual([receipt.gasPayer, receipt.reverted], [contract.toLowerCase(), false]);
      assert.equal((await holds(user.address)).vtho, 0n);
      assert.equal((await holds(contract)).vtho, 50n * VET - BigInt(receipt.paid));
      const left = BigInt(await asked('userCredit', contract, user.address));
      assert.ok(left < 3n * VET && left >= 3n * VET - BigInt(receipt.paid), String(left));

      // A clause to somebody else is nobody's plan, and the user has no VTHO.
      const both = [
        { to: contract, amount: 0, data },
        { to: newAddress(), amount: 1 },
      ];
      const reason = 'tx rejected: insufficient energy';
      const code = 'transaction.insufficient-funds';
      await refused(send(vet(both, { gas: 120_000 }), user), reason, code);
      await plan('removeUser', user.address);
      await refused(send(vet([{ to: contract, amount: 0, data }], { gas: 80_000 }), user), reason, code);
    });
  });

  describe('a signature', () => {
    const base = { type: 'VECHAIN_TRANSACTION', walletId: 'w' };
    const sign = async (request: object, { key }: Wallet) =>
      (await chain.signData({ ...base, ...request } as never, key)) as Signature;

    it('of a message is over its blake2b-256 hash with the prefix', async () => {
      const wallet = await newWallet();
      const result = await sign({ data: '0x68656c6c6f' }, wallet);
      const digest = Blake2b256.of(new TextEncoder().encode('\x19Ethereum Signed Message:\n5hello')).bytes;
      const signature = HexUInt.of(result.signature).bytes;
      assert.equal(addressOf(Secp256k1.recover(digest, signature)), wallet.address);
      assert.match(result.v, /^0x0[01]$/);
      assert.equal(result.signature, result.r + result.s.slice(2) + result.v.slice(2));
    });

    it('of a transaction is shown as one, and is good for it', async () => {
      const wallet = await newWallet();
      const to = newAddress();
      const draft = await prepare(vet([{ to, amount: 3 }]), wallet);
      const data = serialize(draft);
      const shown = await chain.describeSigning(
        { ...base, data, prefix: false },
        wallet.address,
        nodeOf(),
        NOBODY,
      );
      assert.equal(shown.kind, 'transaction');
      const { summary } = shown as { summary: Summary };
      assert.deepEqual([summary.to, summary.amount.raw], [to, 3n]);
      assert.equal(summary.fee.maximum.raw, (await chain.describe(draft)).fee.maximum.raw);
      const { signature } = await sign({ data, prefix: false }, wallet);
      const signed = await chain.sign(draft, wallet.key);
      assert.equal(serialize(draft, signature), signed.raw);
    });

    it('of other bytes without prefix is refused, and of another network’s transaction too', async () => {
      const wallet = await newWallet();
      const draft = await prepare(vet([{ to: newAddress(), amount: 3 }]), wallet);
      const describeIt = (data: string) =>
        chain.describeSigning({ ...base, data, prefix: false }, wallet.address, nodeOf(), NOBODY);
      for (const data of [
        '0xdead',
        serialize({ ...draft, chainTag: 74 }),
        serialize({ ...draft, clauses: [] }),
      ]) {
        const { code, details } = await failure(describeIt(data));
        assert.deepEqual(
          [code, (details['issues'] as { path: string }[])[0]!.path],
          ['request.invalid', 'data'],
        );
      }
    });
  });

  describe('nodes', () => {
    it('of another network are not used', async () => {
      const other: Network = { ...unsponsored(local), genesis: `0x00000000${'12'.repeat(28)}` };
      const error = await failure(chain.balance(VTHO.address, chain.node(other)));
      assert.equal(error.code, 'node.unreachable');
    });

    it('that are down are passed over', async () => {
      const two = chain.node({
        ...unsponsored(local),
        nodes: ['http://127.0.0.1:1', ...local.network.nodes],
      });
      const wallet = await newWallet();
      const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet, two);
      await decided(signed.hash, two);
    });
  });

  describe('building', () => {
    it('answers native requests that are prepared to the same clauses', async () => {
      const wallet = await newWallet();
      const to = newAddress();
      const body = { walletId: 'w', secretType: 'VECHAIN', to, value: '1' };
      const tokenAddress = local.contracts['DUSD'];
      for (const [fields, type] of [
        [{ type: 'TRANSFER', data: '0xab' }, 'VET_TRANSACTION'],
        [{ type: 'GAS_TRANSFER' }, 'VTHO_TRANSACTION'],
        [{ type: 'TOKEN_TRANSFER', tokenAddress }, 'VECHAIN_VIP180_TRANSACTION'],
        [
          {
            type: 'CONTRACT_EXECUTION',
            to: tokenAddress,
            functionName: 'burn',
            inputs: [{ type: 'uint256', value: '1' }],
          },
          'VET_TRANSACTION',
        ],
      ] as const) {
        const request = { ...body, ...fields } as ChainRequest;
        const built = await chain.build(request, wallet.address, nodeOf());
        assert.equal(built.type, type);
        const wire = JSON.parse(JSON.stringify(built)) as ChainRequest;
        const [direct, twice] = [await prepare(request, wallet), await prepare(wire, wallet)];
        assert.deepEqual(twice.clauses, direct.clauses);
      }
    });
  });

  vechainStrictness(() => local);
}
