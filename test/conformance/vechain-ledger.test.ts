/** The VeChain chain against a ledger that parses with VeChain's own SDK and refuses with a node's error messages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Address, HexUInt, Secp256k1, Transaction } from '@vechain/sdk-core';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { addressOf } from '../../src/chains/contracts/evm-address.ts';
import type { ChainRequest, Known, Node, Signature, Signed, Summary } from '../../src/chains/chain.ts';
import type { Network } from '../../src/chains/network.ts';
import { VTHO } from '../../src/chains/vechain/draft.ts';
import { serialize } from '../../src/chains/vechain/envelope.ts';
import { chain as vechain, type VechainDraft } from '../../src/chains/vechain/index.ts';
import { payloads } from '../../src/chains/vechain/payload.ts';
import type { ConnectError } from '../../src/errors.ts';
import { fromPage } from '../unit/chains/from-page.ts';

const chain = fromPage(vechain, payloads);

const NOBODY: Known = { used: [], own: [], reported: [] };
const VET = 10n ** 18n;

let local: LocalVechain;
let node: Node;
let fresh = 0;

/** An unused address. */
function newAddress(): string {
  fresh++;
  return Address.checksum(HexUInt.of(`0x${fresh.toString(16).padStart(40, 'c')}`)).toString();
}

interface Wallet {
  key: Uint8Array;
  address: string;
}

async function newWallet(at = local, vet = 1000n * VET, vtho = 100n * VET): Promise<Wallet> {
  const key = await Secp256k1.generatePrivateKey();
  const address = chain.address(key);
  await at.ledger.mint(address, vet, vtho);
  return { key, address };
}

const prepare = (fields: object, wallet: Wallet, at = node) =>
  chain.prepare({ walletId: 'w', ...fields } as ChainRequest, wallet.address, at, NOBODY);

interface Sent {
  draft: VechainDraft;
  summary: Summary;
  signed: Signed;
}

async function send(fields: object, wallet: Wallet, at = node): Promise<Sent> {
  const draft = await prepare(fields, wallet, at);
  const signed = await chain.sign(structuredClone(draft), wallet.key);
  const summary = await chain.describe(draft);
  assert.equal(await chain.broadcast(signed, at), signed.hash);
  return { draft, summary, signed };
}

async function decided(hash: string, at = node, state = 'confirmed') {
  for (let i = 0; i < 100; i++) {
    const receipt = await chain.receipt(hash, at);
    if (receipt.state !== 'pending') {
      assert.equal(receipt.state, state);
      assert.equal(await chain.status(hash, at), state);
      return receipt;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`${hash} was never decided`);
}

async function holds(address: string, at = node): Promise<{ vet: bigint; vtho: bigint }> {
  const { rawBalance, rawGasBalance } = await chain.balance(address, at);
  return { vet: BigInt(rawBalance), vtho: BigInt(rawGasBalance) };
}

async function dusd(address: string): Promise<bigint> {
  const [balance] = await chain.tokenBalances(address, local.network.tokens, node);
  return BigInt(balance!.rawBalance);
}

async function failure(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => assert.fail('did not reject'),
    (error: ConnectError) => error,
  );
}

async function refused(work: Promise<unknown>, reason: string, code = 'transaction.refused') {
  const { code: actual, details } = await failure(work);
  assert.deepEqual([actual, details['reason']], [code, reason]);
}

const codes = ({ warnings }: Summary) => warnings.map(({ code }) => code);
const vet = (clauses: object[], more = {}) => ({ type: 'VET_TRANSACTION', clauses, ...more });

before(async () => {
  local = await startVechainNetwork({ port: 0 });
  node = chain.node(local.network);
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
    const at = chain.node(local.network);
    const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet, at);
    assert.equal(at.rounds, 2);
    await chain.receipt(signed.hash, at);
    assert.equal(at.rounds, 3);
  });

  it('says what is missing', async () => {
    const wallet = await newWallet(local, 5n, 100n * VET);
    const summary = await chain.describe(await prepare(vet([{ to: newAddress(), amount: 7 }]), wallet));
    assert.equal(`${summary.shortOf!.amount.raw} ${summary.shortOf!.amount.symbol}`, '2 VET');
    assert.deepEqual(codes(summary), ['first-recipient']);
    const poor = await newWallet(local, VET, 1n);
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
    assert.equal(summary.parts!.map(({ to, amount }) => `${to} ${amount.raw}`).join(), `${one} 1,${other} 2`);
    assert.equal(summary.facts!.find(({ code }) => code === 'gas')!.value, '37000');
    await decided(signed.hash);
    assert.equal((await holds(one)).vet, 1n);
    assert.equal((await holds(other)).vet, 2n);
  });

  it('are all reverted when one fails, which the approval says beforehand', async () => {
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
    await decided(signed.hash, node, 'failed');
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
  });

  it('that are unlisted are counted in raw units, with a second round for a decimal value', async () => {
    const wallet = await newWallet();
    await local.give('DUSD', wallet.address);
    const at = chain.node({ ...local.network, tokens: [] });
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
    const wallet = await newWallet(local, 0n, VET);
    const draft = await prepare(
      { type: 'VTHO_TRANSACTION', clauses: [{ to: newAddress(), amount: VET }] },
      wallet,
    );
    const { shortOf } = await chain.describe(draft);
    assert.equal(shortOf!.need, VET + draft.gas * draft.facts.gasPrice);
  });
});

describe('what the request decides', () => {
  it('is used unchanged', async () => {
    const wallet = await newWallet();
    const blockRef = local.ledger.best.id.slice(0, 18);
    const { draft, signed } = await send(
      vet([{ to: newAddress(), amount: 1, data: '0xdead' }], {
        blockRef,
        chainTag: 0xb5,
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
      assert.deepEqual([code, (details['issues'] as { path: string }[])[0]!.path], ['request.invalid', path]);
    };
    await bad({ chainTag: 74 }, 'chainTag');
    await bad({ gas: 20_999 }, 'gas');
    await bad({ expiration: 0 }, 'expiration');
    await bad({ blockRef: '0x00ffffff00000000' }, 'blockRef');
    local.ledger.baseFee *= 3n;
    try {
      await bad({ gasPriceCoef: 0 }, 'gasPriceCoef');
    } finally {
      local.ledger.baseFee /= 3n;
    }
  });
});

describe('sending', () => {
  it('accepts a transaction that the network already has', async () => {
    const wallet = await newWallet();
    const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
    await decided(signed.hash);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
  });

  it('keeps the message of a refusal', async () => {
    const wallet = await newWallet();
    const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
    const attempt = async (changes: Partial<VechainDraft>) =>
      chain.broadcast(await chain.sign({ ...draft, ...changes }, wallet.key), node);
    await refused(attempt({ chainTag: 74 }), 'bad tx: chain tag mismatch');
    await refused(attempt({ gas: 20_000n }), 'bad tx: intrinsic gas exceeds provided gas');
    await refused(attempt({ expiration: 0 }), 'tx rejected: expired');
    await refused(attempt({ blockRef: '0x0000ffff00000000' }), 'tx rejected: block ref out of schedule');
    await refused(attempt({ gas: 40_000_001n }), 'tx rejected: tx gas exceeds block gas limit');
    await refused(
      attempt({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
      'tx rejected: gas price is less than block base fee',
    );
    await refused(
      attempt({ maxFeePerGas: 10n ** 14n, maxPriorityFeePerGas: 10n ** 15n }),
      'bad tx: maxFeePerGas is less than maxPriorityFeePerGas',
    );
    const { raw, hash } = await chain.sign(draft, wallet.key);
    await refused(
      chain.broadcast({ raw: serialize(draft, `0x${'11'.repeat(32)}${'ff'.repeat(32)}00`), hash }, node),
      'bad tx: invalid signature: S value is out of range',
    );
    await refused(
      chain.broadcast({ raw: serialize(draft, `0x${'11'.repeat(64)}`), hash }, node),
      'bad tx: invalid signature length',
    );
    // Changed bytes recover to another account, which has no funds.
    const { code } = await failure(
      chain.broadcast(
        { raw: raw.replace(draft.clauses[0]!.to!.slice(2).toLowerCase(), 'ab'.repeat(20)), hash },
        node,
      ),
    );
    assert.equal(code, 'transaction.insufficient-funds');
    assert.equal(await chain.status(hash, node), 'unknown');
  });

  it('says that a transaction has failed once no block can take it', async () => {
    const wallet = await newWallet();
    local.automine = false;
    try {
      const { draft, signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet);
      assert.equal(await chain.status(signed.hash, node), 'pending');
      local.ledger.skip(draft.expiration + 7);
      // The node has dropped it: the bytes show until when it was valid.
      assert.equal(await chain.status(signed.hash, node), 'unknown');
      assert.equal(await chain.status(signed.hash, node, signed.raw), 'failed');
    } finally {
      local.automine = true;
    }
    assert.equal(await chain.status(`0x${'12'.repeat(32)}`, node), 'unknown');
  });
});

describe('a network without dynamic fees', () => {
  it('gets the legacy form', async () => {
    const old = await startVechainNetwork({ port: 0, galactica: false });
    try {
      const at = chain.node(old.network);
      const wallet = await newWallet(old);
      const to = newAddress();
      const { draft, summary, signed } = await send(vet([{ to, amount: 9 }]), wallet, at);
      assert.equal(draft.gasPriceCoef, 0);
      assert.equal(signed.raw.startsWith('0x51'), false);
      const { fee } = await decided(signed.hash, at);
      assert.equal(fee, 21_000n * 10n ** 15n);
      assert.equal(summary.fee.maximum.raw, fee);
      assert.equal((await holds(to, at)).vet, 9n);
      await refused(
        chain.broadcast(
          await chain.sign(
            { ...draft, gasPriceCoef: undefined, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
            wallet.key,
          ),
          at,
        ),
        'tx rejected: transaction type not supported',
      );
    } finally {
      await old.close();
    }
  });
});

describe('a sponsor', () => {
  let paid: LocalVechain;
  let at: Node;
  before(async () => {
    paid = await startVechainNetwork({ port: 0, delegator: true });
    at = chain.node(paid.network);
  });
  after(() => paid?.close());

  it('pays what the approval says it pays', async () => {
    const wallet = await newWallet(paid, VET, 0n);
    const to = newAddress();
    const own = chain.node(paid.network);
    const sponsorBefore = await holds(paid.sponsor!.address, at);
    const { draft, summary, signed } = await send(vet([{ to, amount: 5 }]), wallet, own);
    assert.equal(own.rounds, 3, 'two to prepare, one to send');
    assert.equal(draft.delegated, true);
    assert.equal(summary.fee.maximum.raw, 0n);
    assert.equal(summary.shortOf, undefined);
    assert.equal(
      summary.facts!.find(({ code }) => code === 'sponsor')!.value,
      new URL(paid.sponsor!.url).host,
    );
    const asked = paid.sponsor!.requests.at(-1)!;
    assert.equal(asked.origin, wallet.address);
    assert.equal(asked.raw, serialize(draft));
    const { fee } = await decided(signed.hash, at);
    assert.equal(fee, 0n);
    assert.equal((await holds(to, at)).vet, 5n);
    assert.equal((await holds(wallet.address, at)).vtho, 0n);
    const sponsorAfter = await holds(paid.sponsor!.address, at);
    assert.equal(sponsorBefore.vtho - sponsorAfter.vtho, draft.facts.gasUsed * draft.facts.gasPrice);
  });

  it('that refuses leaves the fee to the wallet, which the approval shows', async () => {
    const wallet = await newWallet(paid);
    for (const [mood, reason] of [
      ['unwilling', 'The origin is not allowed.'],
      ['confused', 'it answered no valid signature'],
      ['down', 'does not answer'],
    ] as const) {
      paid.sponsor!.mood = mood;
      const { draft, summary, signed } = await send(vet([{ to: newAddress(), amount: 5 }]), wallet, at);
      assert.equal(draft.delegated, false);
      assert.ok(summary.fee.maximum.raw > 0n);
      const warning = summary.warnings.find(({ code }) => code === 'sponsor-declined');
      assert.deepEqual(warning!.params, { host: new URL(paid.sponsor!.url).host, reason });
      const { fee } = await decided(signed.hash, at);
      assert.equal(fee, summary.fee.expected.raw);
    }
    paid.sponsor!.mood = 'willing';
  });

  it('that cannot pay leaves the fee to the wallet', async () => {
    const wallet = await newWallet(paid);
    await paid.ledger.mint(paid.sponsor!.address, 0n, 1n);
    const { summary, signed } = await send(vet([{ to: newAddress(), amount: 5 }]), wallet, at);
    assert.ok(codes(summary).includes('sponsor-declined'));
    await decided(signed.hash, at);
  });
});

describe('a signature', () => {
  const base = { type: 'VECHAIN_TRANSACTION', walletId: 'w' };
  const sign = async (request: object, { key }: Wallet) =>
    (await chain.signData({ ...base, ...request } as never, key)) as Signature;

  it('of a message is over its blake2b-256 hash with the prefix', async () => {
    const { Blake2b256 } = await import('@vechain/sdk-core');
    const wallet = await newWallet();
    const result = await sign({ data: '0x68656c6c6f' }, wallet);
    const digest = Blake2b256.of(new TextEncoder().encode('\x19Ethereum Signed Message:\n5hello')).bytes;
    const signature = HexUInt.of(result.signature).bytes;
    assert.equal(addressOf(Secp256k1.recover(digest, signature)), wallet.address);
    assert.match(result.v, /^0x0[01]$/);
    assert.equal(result.signature, result.r + result.s.slice(2) + result.v.slice(2));
  });

  it('of a transaction is shown as one, and is valid for it', async () => {
    const wallet = await newWallet();
    const to = newAddress();
    const draft = await prepare(vet([{ to, amount: 3 }]), wallet);
    const data = serialize(draft);
    const shown = await chain.describeSigning({ ...base, data, prefix: false }, wallet.address, node, NOBODY);
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
      chain.describeSigning({ ...base, data, prefix: false }, wallet.address, node, NOBODY);
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
    const other: Network = { ...local.network, genesis: `0x00000000${'12'.repeat(28)}` };
    const error = await failure(chain.balance(VTHO.address, chain.node(other)));
    assert.equal(error.code, 'node.unreachable');
  });

  it('that are down are passed over', async () => {
    const two = chain.node({ ...local.network, nodes: ['http://127.0.0.1:1', ...local.network.nodes] });
    const wallet = await newWallet();
    const { signed } = await send(vet([{ to: newAddress(), amount: 1 }]), wallet, two);
    await decided(signed.hash, two);
  });
});

describe('building', () => {
  it('returns native requests that prepare the same clauses', async () => {
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
      const built = await chain.build(request, wallet.address, node);
      assert.equal(built.type, type);
      const wire = JSON.parse(JSON.stringify(built)) as ChainRequest;
      const [direct, twice] = [await prepare(request, wallet), await prepare(wire, wallet)];
      assert.deepEqual(twice.clauses, direct.clauses);
    }
  });
});
