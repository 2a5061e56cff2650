import { expect } from '@open-wc/testing';
import { id, TypedDataEncoder, verifyTypedData } from 'ethers/hash';
import { address } from '../../../../src/chains/evm/transaction.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import {
  ENTRY_POINTS,
  ORDERS,
  RELAYED,
  SAFE_TRANSACTION,
  SEAPORT_ORDER,
  SHAPES,
  USER_OPERATION,
} from '../../../../src/chains/evm/typed-shapes.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import type { Amount } from '../../../../src/chains/coin.ts';
import type { Bargain, TypedSigning } from '../../../../src/chains/approval/signing.ts';
import { issuesOf } from '../payload-issues.ts';
import { type Answers, fakeNode, NETWORK, QUIET } from '../fake-node.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { fromPage } from '../from-page.ts';
import {
  METAMASK_EXAMPLE,
  PERMIT2_PERMIT,
  SEAPORT_ORDER as SEAPORT_AS_SENT,
} from '../evm/typed-data-of-dapps.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';

const chain = fromPage(ethereum, payloads);

const KEY = bytesOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const FROM = address(KEY);
const SPENDER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const OTHER = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const USDC = { address: `0x${'a0'.repeat(20)}`, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };
const UNLISTED = `0x${'b0'.repeat(20)}`;
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const SEAPORT = '0x0000000000000068F116a894984e2DB1123eB395';
const NOW = Date.parse('2026-11-21T10:00:00Z');
const SOON = NOW / 1000 + 1800;
const MAX = (1n << 256n) - 1n;
const scene = { origin: 'https://shop.example', now: NOW };
const network = { ...NETWORK, tokens: [USDC], exchanges: [{ name: 'Openbook', router: SPENDER }] };

/** Parses `Name(type name,…)Other(…)` into the types that the data declares. */
function typesOf(encoded: string): Record<string, { name: string; type: string }[]> {
  return Object.fromEntries(
    [...encoded.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name, members]) => [
      name!,
      members!.split(',').map((member) => {
        const [type, of] = member.split(' ');
        return { name: of!, type: type! };
      }),
    ]),
  );
}

const text = (data: unknown) =>
  JSON.stringify(data, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
const request = (data: unknown) => ({ type: 'ETHEREUM_TYPED_DATA', walletId: 'w', data: text(data) });
function typed(
  encoded: string,
  message: object,
  verifyingContract: string | undefined,
  domain: object = { chainId: 31337 },
) {
  const types = typesOf(encoded);
  return {
    types,
    primaryType: Object.keys(types)[0],
    domain: { ...domain, ...(verifyingContract && { verifyingContract }) },
    message,
  };
}

/** A node where the owner holds that much of a token, whose supply is 1,000,000. */
const holding = (held: bigint | ((token: string) => bigint), supply = 1_000_000n): Answers => ({
  eth_call: ({ params: [{ to, data }] }: any) => {
    const balance = typeof held === 'bigint' ? held : held(to);
    return `0x${(data.startsWith('0x18160ddd') ? supply : balance).toString(16).padStart(64, '0')}`;
  },
});

interface Around {
  answers?: Answers;
  /** Of an order's two sides; `undefined` where nobody knows a price of both. */
  worth?: Bargain | undefined;
  own?: string[];
  used?: string[];
  reported?: string[];
  unsignedFields?: 'omit';
  coin?: Network['coin'];
  networks?: Network[];
}
async function show(data: unknown, around: Around = {}): Promise<TypedSigning> {
  const {
    answers = {},
    own = [],
    used = [SPENDER, OTHER],
    reported = [],
    unsignedFields,
    coin,
    networks,
  } = around;
  const node = fakeNode({ ...QUIET, eth_getCode: '0x6001', ...answers }, { ...network, coin }).node;
  const bargain = async () => ('worth' in around ? around.worth : 'fair');
  const known = { used, own, reported };
  const asked = { ...request(data), unsignedFields };
  const shown = await chain.describeSigning(asked, FROM, node, known, { ...scene, bargain, networks });
  if (shown.kind !== 'typed') throw new Error(shown.kind);
  return shown;
}
const NOBODY = { used: [], own: [], reported: [] };
/** As the service describes it: nobody sees it. */
const unseen = (data: unknown) =>
  chain.describeSigning(request(data), FROM, fakeNode({}, network).node, NOBODY);
/** As a provider asks: what is not signed is left out. */
const showAll = (data: unknown) => show(data, { unsignedFields: 'omit' });
const codes = ({ warnings }: TypedSigning) => warnings.map(({ code, level }) => `${level} ${code}`);

const PERMIT = SHAPES[0]!.type;
const permit = (value: bigint, more: object = {}, contract = USDC.address) =>
  typed(PERMIT, { owner: FROM, spender: SPENDER, value, nonce: 0, deadline: SOON, ...more }, contract);
const SINGLE = SHAPES.find(({ type }) => type.startsWith('PermitSingle('))!.type;
const single = (amount: bigint, more: object = {}, contract: string = PERMIT2, detail: object = {}) =>
  typed(
    SINGLE,
    {
      details: { token: USDC.address, amount, expiration: SOON + 86_400, nonce: 0, ...detail },
      spender: SPENDER,
      sigDeadline: SOON,
      ...more,
    },
    contract,
    { name: 'Permit2', chainId: 31337 },
  );

describe('typed data on Ethereum', () => {
  it('signs what ethers verifies', async () => {
    const data = permit(5n);
    const { types, domain, message } = data;
    const { r, s, v, signature } = await chain.signData(request(data), KEY);
    expect(verifyTypedData(domain, types, message, signature)).to.equal(FROM);
    expect(signature).to.equal(r + s.slice(2) + v.slice(2));
  });

  it('knows forms by the hash of the whole type', () => {
    const whole = [SEAPORT_ORDER, SAFE_TRANSACTION, USER_OPERATION].map((type) => ({ type }));
    const hashes = [...SHAPES, ...ORDERS, ...RELAYED, ...whole].map(({ type }) => id(type).slice(2, 10));
    // From the contracts' own sources.
    for (const hash of '6e71edae ea2aa0a1 49ecf333 f3841cd1 af1b0d30 939c21a4 fcf35f5a 7c7c6cdb d099cc98 fa445660 bb8310d4 23d10def dd8f4b70 d5a25ba2 6673cb39 29a0bca4'.split(
      ' ',
    ))
      expect(hashes).to.include(hash);
  });

  it('ERC-2612: says who may take how much until when, by the listed token', async () => {
    const shown = await show(permit(500_000_000n));
    expect(shown.deed).to.deep.equal({
      kind: 'allow',
      amounts: [
        { amount: { raw: 500_000_000n, decimals: 6, symbol: 'USDC', token: shown.terms[0]!.address } },
      ],
      to: SPENDER,
      until: BigInt(SOON),
    });
    expect(shown.terms.map(({ code }) => code)).to.deep.equal(['token', 'limit', 'sign-before']);
    expect(codes(shown)).to.deep.equal(['caution gives-limit']);
    expect(shown.names[SPENDER.toLowerCase()]).to.deep.equal({ name: 'Openbook', kind: 'exchange' });
    expect(shown.names[USDC.address]).to.deep.equal({ name: 'USDC', kind: 'token' });
  });

  it('names no unlisted token and scales no amount of it, whatever the domain calls itself', async () => {
    const data = permit(5n, {}, UNLISTED);
    Object.assign(data.domain, { name: 'USD Coin' });
    const { deed } = await show(data);
    expect(deed!.amounts[0]!.amount).to.include({ decimals: null });
    expect(deed!.amounts[0]!.amount.symbol).to.match(/^0x....…....$/);
  });

  describe('of an unlisted token', () => {
    /** What its contract says of its decimals; 500 smallest units are held, of 1,000,000. */
    const saying = (decimals: string): Answers => {
      const rest = holding(500n)['eth_call'] as (asked: unknown) => unknown;
      return {
        eth_call: (asked: any) => (asked.params[0].data.startsWith('0x313ce567') ? decimals : rest(asked)),
      };
    };
    const word = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;
    const batch = SHAPES.find((shape) => shape.type.startsWith('PermitBatch('))!.type;
    const entries = [USDC.address, UNLISTED].map((token) => ({
      token,
      amount: 5,
      expiration: SOON,
      nonce: 0,
    }));
    const forms = [
      permit(5n, {}, UNLISTED),
      single(5n, {}, PERMIT2, { token: UNLISTED }),
      typed(batch, { details: entries, spender: SPENDER, sigDeadline: SOON }, PERMIT2),
    ];

    it('adds its own decimals to its limit, and to nothing else', async () => {
      for (const data of forms) {
        const shown = await show(data, { answers: saying(word(2)) });
        const { deed, terms } = shown;
        const limits = terms.flatMap(({ limit }) => limit?.amount ?? []);
        for (const amounts of [limits, deed!.amounts.map(({ amount }) => amount)]) {
          const { token: _, symbol: __, ...unlisted } = amounts.at(-1)!;
          expect(unlisted).to.deep.equal({ raw: 5n, decimals: null, claimedDecimals: 2 });
          for (const listed of amounts.slice(0, -1)) expect(listed).to.not.have.property('claimedDecimals');
        }
        const without = codes(await show(data, { answers: saying('0x') }));
        expect(codes(shown)).to.deep.equal(without);
      }
    });

    it('compares smallest units with what is held, whatever it says', async () => {
      for (const decimals of [0, 2, 36])
        expect(
          codes(await show(permit(500n, {}, UNLISTED), { answers: saying(word(decimals)) })),
        ).to.deep.equal(['danger all-you-hold', 'caution gives-limit']);
    });

    it('leaves out decimals that are nonsense', async () => {
      for (const decimals of [word(37), word(255), '0x', '0x06', `0x${'f'.repeat(64)}`])
        for (const data of forms) {
          const { deed } = await show(data, { answers: saying(decimals) });
          expect(deed!.amounts.at(-1)!.amount).to.not.have.property('claimedDecimals');
        }
    });
  });

  it('an unlimited allowance, and one that never expires, are dangers', async () => {
    for (const value of [MAX, (1n << 160n) - 1n, (1n << 96n) - 1n]) {
      const shown = await show(permit(value));
      expect(codes(shown)).to.deep.equal(['danger unlimited']);
      expect(shown.deed!.amounts[0]!.unlimited).to.equal(true);
    }
    for (const deadline of [MAX, 4_000_000_000n]) {
      const shown = await show(permit(5n, { deadline }));
      expect(codes(shown), String(deadline)).to.deep.equal(['danger no-end', 'caution gives-limit']);
    }
    expect((await show(permit(5n, { deadline: MAX }))).deed!.until).to.equal('never');
  });

  it('a limit of the whole balance is as dangerous as an unlimited one', async () => {
    const held = holding(500n);
    expect(codes(await show(permit(500n), { answers: held }))).to.deep.equal([
      'danger all-you-hold',
      'caution gives-limit',
    ]);
    expect(codes(await show(permit(499n), { answers: held }))).to.deep.equal(['caution gives-limit']);
  });

  it('a limit of all that there is of the token is unlimited, whatever is held', async () => {
    for (const data of [permit(1_000_000n), single(1_000_000n)]) {
      const shown = await show(data, { answers: holding(0n) });
      expect(codes(shown)).to.deep.equal(['danger unlimited']);
      expect(shown.deed!.amounts[0]!.unlimited).to.equal(true);
      expect(shown.terms.find(({ code }) => code === 'limit')!.limit!.unlimited).to.equal(true);
    }
    expect(codes(await show(permit(999_999n), { answers: holding(0n) }))).to.deep.equal([
      'caution gives-limit',
    ]);
    // A contract that answers anything.
    expect(codes(await show(permit(5n), { answers: holding(500n, 1n) }))).to.deep.equal([
      'caution gives-limit',
    ]);
  });

  it('a spender without code is a danger; if the node does not answer, nothing is said about it', async () => {
    expect(codes(await show(permit(5n), { answers: { eth_getCode: '0x' } }))).to.deep.equal([
      'danger spender-is-account',
      'caution gives-limit',
    ]);
    const down = { eth_getCode: new Error('down'), eth_call: new Error('down') };
    expect(codes(await show(permit(5n), { answers: down }))).to.deep.equal(['caution gives-limit']);
  });

  it('warns about strangers, look-alikes, reported addresses and other owners', async () => {
    expect(codes(await show(permit(5n), { used: [] }))).to.include('caution first-spender');
    const twin = `${SPENDER.slice(0, 8)}${'0'.repeat(28)}${SPENDER.slice(-6)}`.toLowerCase();
    expect(codes(await show(permit(5n, { spender: twin })))).to.include('danger resembles-known');
    expect(codes(await show(permit(5n), { reported: [SPENDER.toLowerCase()] }))).to.include(
      'danger reported-address',
    );
    const hidden = typed('Note(address about)', { about: OTHER }, USDC.address);
    expect(codes(await show(hidden, { reported: [OTHER] }))).to.include('danger reported-address');
    expect(codes(await show(permit(5n, { owner: OTHER })))).to.include('caution other-owner');
  });

  it('revokes a limit without a warning about one', async () => {
    const shown = await show(permit(0n));
    expect(shown.deed!.kind).to.equal('revoke');
    expect(codes(shown)).to.deep.equal([]);
  });

  it('DAI: true is all of the token, and no expiry is none', async () => {
    const dai = (allowed: boolean, expiry: number) =>
      typed(SHAPES[1]!.type, { holder: FROM, spender: SPENDER, nonce: 0, expiry, allowed }, USDC.address);
    expect(codes(await show(dai(true, SOON)))).to.deep.equal(['danger unlimited']);
    const endless = await show(dai(true, 0));
    expect(codes(endless)).to.deep.equal(['danger unlimited', 'danger no-end']);
    expect(endless.terms.at(-1)).to.deep.equal({ code: 'sign-before', time: 'never' });
    expect((await show(dai(false, SOON))).deed!.kind).to.equal('revoke');
  });

  it('ERC-4494: names the item', async () => {
    const data = typed(SHAPES[2]!.type, { spender: SPENDER, tokenId: 7, nonce: 0, deadline: SOON }, UNLISTED);
    expect((await show(data)).deed!.amounts[0]!.amount).to.include({ raw: 1n, decimals: 0 });
    expect((await show(data)).deed!.amounts[0]!.amount.symbol).to.match(/ #7$/);
    expect(codes(await show(data)), 'as an approval of an item by a call').to.deep.equal([
      'danger gives-limit',
    ]);
  });

  it('Permit2: says both times, and which contract checks it', async () => {
    const shown = await show(single(5n));
    expect(shown.terms.map(({ code }) => code)).to.deep.equal([
      'token',
      'limit',
      'limit-ends',
      'sign-before',
      'contract',
    ]);
    expect(shown.deed!.until).to.equal(BigInt(SOON + 86_400));
    expect(codes(shown)).to.deep.equal(['caution gives-limit']);
    expect(codes(await show(single((1n << 160n) - 1n)))).to.deep.equal(['danger unlimited']);
    const never = { expiration: (1n << 48n) - 1n };
    expect(codes(await show(single(5n, {}, PERMIT2, never)))).to.include('danger no-end');
    expect(codes(await show(single(5n, {}, OTHER)))).to.include('caution other-contract');
  });

  it('Permit2 in lists: every token with its own limit, and the worst of them counts', async () => {
    const type = SHAPES.find((shape) => shape.type.startsWith('PermitBatch('))!.type;
    const details = [
      { token: USDC.address, amount: 5, expiration: SOON, nonce: 0 },
      { token: UNLISTED, amount: (1n << 160n) - 1n, expiration: (1n << 48n) - 1n, nonce: 0 },
    ];
    const shown = await show(typed(type, { details, spender: SPENDER, sigDeadline: SOON }, PERMIT2));
    expect(shown.deed!.amounts).to.have.length(2);
    expect(codes(shown)).to.deep.equal(['danger unlimited', 'danger no-end', 'caution gives-limit']);
    expect(shown.terms.map(({ code }) => code)).to.deep.equal([
      'token',
      'limit',
      'limit-ends',
      'token',
      'limit',
      'limit-ends',
      'sign-before',
      'contract',
    ]);
  });

  it('Permit2 in lists: what several entries give of one token counts together', async () => {
    const held = holding(1000n);
    const batch = SHAPES.find((shape) => shape.type.startsWith('PermitBatch('))!.type;
    const transfers = SHAPES.find((shape) => shape.type.startsWith('PermitBatchTransferFrom('))!.type;
    const entries = (...amounts: number[]) =>
      amounts.map((amount) => ({ token: USDC.address, amount, expiration: SOON, nonce: 0 }));
    const both = (...amounts: number[]) => [
      typed(batch, { details: entries(...amounts), spender: SPENDER, sigDeadline: SOON }, PERMIT2),
      typed(
        transfers,
        {
          permitted: amounts.map((amount) => ({ token: USDC.address, amount })),
          spender: SPENDER,
          nonce: 0,
          deadline: SOON,
        },
        PERMIT2,
      ),
    ];
    for (const data of both(600, 600)) {
      const shown = await show(data, { answers: held });
      expect(shown.deed!.amounts.map(({ amount }) => amount.raw)).to.deep.equal([1200n]);
      expect(codes(shown)).to.include('danger all-you-hold');
      expect(shown.terms.filter(({ code }) => code === 'limit')).to.have.length(2);
    }
    for (const data of both(400, 400))
      expect(codes(await show(data, { answers: held }))).to.not.include('danger all-you-hold');
  });

  it('Permit2 in lists: more than 20 tokens are a danger, and the 20th is looked at', async () => {
    const batch = SHAPES.find((shape) => shape.type.startsWith('PermitBatch('))!.type;
    const token = (i: number) => `0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}`;
    const of = (count: number) => {
      const details = Array.from({ length: count }, (_, i) => ({
        token: token(i),
        amount: 5,
        expiration: SOON,
        nonce: 0,
      }));
      return typed(batch, { details, spender: SPENDER, sigDeadline: SOON }, PERMIT2);
    };
    const last = holding((of) => (of === token(19) ? 5n : 9n));
    expect(codes(await show(of(20), { answers: last }))).to.include('danger all-you-hold');
    expect(codes(await show(of(20), { answers: last }))).to.not.include('danger too-many-tokens');
    expect(codes(await show(of(21)))).to.include('danger too-many-tokens');
  });

  it('Permit2 transfers: who may take decides where it goes', async () => {
    const permitted = { token: USDC.address, amount: 5 };
    const rest = { spender: SPENDER, nonce: 0, deadline: SOON };
    const one = SHAPES.find(({ type }) => type.startsWith('PermitTransferFrom('))!.type;
    const many = SHAPES.find(({ type }) => type.startsWith('PermitBatchTransferFrom('))!.type;
    for (const data of [
      typed(one, { permitted, ...rest }, PERMIT2),
      typed(many, { permitted: [permitted], ...rest }, PERMIT2),
    ]) {
      const shown = await show(data);
      expect(shown.deed!.kind).to.equal('take');
      expect(codes(shown)).to.deep.equal(['caution gives-limit', 'caution spender-decides']);
    }
  });

  it('Permit2 with a witness: shows what the other contract adds, as a danger', async () => {
    const type =
      'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(address swapper,uint256 least)TokenPermissions(address token,uint256 amount)';
    const message = {
      permitted: { token: USDC.address, amount: 5 },
      spender: SPENDER,
      nonce: 0,
      deadline: SOON,
      witness: { swapper: FROM, least: 1 },
    };
    const shown = await show(typed(type, message, PERMIT2));
    expect(codes(shown)).to.deep.equal([
      'danger unknown-witness',
      'caution gives-limit',
      'caution spender-decides',
    ]);
    expect(shown.terms.at(-1)!.fields!.map(({ name }) => name)).to.deep.equal(['witness']);
    // The same name with other members is an unknown type.
    const other = typed(
      'PermitWitnessTransferFrom(address spender,uint256 nonce)',
      { spender: SPENDER, nonce: 0 },
      PERMIT2,
    );
    expect(codes(await show(other))).to.deep.equal(['danger unknown-form']);
  });

  it('EIP-3009: is a payment', async () => {
    const data = typed(
      SHAPES.find(({ type }) => type.startsWith('TransferWith'))!.type,
      { from: FROM, to: OTHER, value: 5, validAfter: 0, validBefore: SOON, nonce: `0x${'01'.repeat(32)}` },
      USDC.address,
    );
    expect((await show(data)).deed).to.include({ kind: 'pay', to: OTHER });
    const nothing = await show({ ...data, message: { ...data.message, value: 0 } });
    expect(nothing.deed!.amounts).to.have.length(1);
    expect(codes(await show(data))).to.deep.equal([]);
    expect(codes(await show(data, { used: [] }))).to.deep.equal(['caution first-spender']);
  });

  it('does not put a form that only looks like a known one into words', async () => {
    // With one more member: a contract that checks it could do anything with it.
    const data = typed(
      PERMIT.replace('uint256 deadline', 'uint256 deadline,bool all'),
      { ...permit(5n).message, all: true },
      USDC.address,
    );
    const shown = await show(data);
    expect(shown.deed).to.equal(undefined);
    expect(codes(shown)).to.deep.equal(['danger unknown-form']);
    expect(shown.message.map(({ name }) => name)).to.deep.equal([
      'owner',
      'spender',
      'value',
      'nonce',
      'deadline',
      'all',
    ]);
    // A permit without a token is not a permit.
    expect(codes(await show(typed(PERMIT, permit(5n).message, undefined)))).to.deep.equal([
      'danger unknown-form',
      'danger every-contract',
    ]);
  });

  describe('of a form that nobody described', () => {
    const form = async (type: string, value: unknown) => {
      const name = type.replace(/\[.*/, '');
      const more = name === 'Inner' ? 'Inner(address who)' : '';
      return codes(await show(typed(`Form(${type} field)${more}`, { field: value }, USDC.address)));
    };
    const DANGER = ['danger unknown-form'];

    it('an address that is neither the wallet nor the contract is a danger, wherever it stands', async () => {
      for (const [type, value] of [
        ['address', SPENDER],
        ['address', `0x${'00'.repeat(20)}`],
        ['address[]', [FROM, SPENDER]],
        ['Inner', { who: SPENDER }],
        ['Inner[]', [{ who: FROM }, { who: SPENDER }]],
        ['string', SPENDER],
        ['string', `to:${SPENDER.toLowerCase()}, all of it`],
        ['string', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
        ['string', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
        ['bytes20', SPENDER],
        ['bytes32', `0x${'00'.repeat(12)}${SPENDER.slice(2)}`],
        ['bytes', '0xa9059cbb00'],
      ] as const)
        expect(await form(type, value), `${type} ${value}`).to.deep.equal(DANGER);
    });

    it('an integer of 2^32 or more is a danger, whatever its name', async () => {
      for (const [type, value] of [
        ['uint256', 1n << 32n],
        ['uint64', 1_800_000_000_000],
        ['int256', -(1n << 32n)],
        ['uint256[]', [1, MAX]],
        ['string', '1000000000000000000'],
      ] as const)
        expect(await form(type, value), `${type} ${value}`).to.deep.equal(DANGER);
    });

    const DIGITS = SPENDER.slice(2);
    const piecesOf = (size: number) => DIGITS.match(new RegExp(`.{${size}}`, 'g'))!;
    const numbersOf = (size: number) => piecesOf(size).map((piece) => parseInt(piece, 16));

    it('an address cut into small parts is a danger', async () => {
      for (const [type, value] of [
        ['uint32[5]', numbersOf(8)],
        ['uint8[20]', numbersOf(2)],
        ['bytes4[5]', piecesOf(8).map((piece) => `0x${piece}`)],
        ['string[5]', piecesOf(8)],
        ['bool[160]', [...BigInt(SPENDER).toString(2).padStart(160, '0')].map((bit) => bit === '1')],
      ] as const)
        expect(await form(type, value), type).to.deep.equal(DANGER);
      const [a, b, c, d, e] = numbersOf(8);
      const nested = typed(
        'Form(Part one,Part two,uint32 e)Part(uint32 a,uint32 b)',
        { one: { a, b }, two: { a: c, b: d }, e },
        USDC.address,
      );
      expect(codes(await show(nested))).to.deep.equal(DANGER);
    });

    it('an address or amount disguised in a text is a danger', async () => {
      for (const value of [
        DIGITS,
        `to_0x${DIGITS}`,
        `recipient0x${DIGITS}`,
        `0x${DIGITS.slice(0, 20)} ${DIGITS.slice(20)}`,
        `0x${DIGITS.slice(0, 10)}\u00ad${DIGITS.slice(10)}`,
        `${DIGITS.slice(0, 10)}${FROM}${DIGITS.slice(10)}`,
        `${DIGITS.slice(0, 10)} 2026-11-21 ${DIGITS.slice(10)}`,
        'TO_TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
        '5000000000000 DUSD',
        'pay 5,000,000,000,000 of them',
        '5 000 000 000 000',
        '5000000000000.0',
        '-5000000000000',
        '５０００００００００００００',
        '٥٠٠٠٠٠٠٠٠٠٠٠٠',
        '5e12',
        'about 1.5E+12',
        '0xffffffffffff',
      ])
        expect(await form('string', value), value).to.deep.equal(DANGER);
    });

    it('votes, sign-in forms and mails of one’s own are a caution', async () => {
      const CALM = ['caution unknown-form'];
      const vote = {
        from: FROM,
        space: 'gov.eth',
        timestamp: 1_795_257_000,
        proposal: 42,
        choice: [1, 3],
        reason: 'Fund 20 devs until 2026-12-31, see https://forum.example/t/1234',
      };
      const members =
        'address from,string space,uint64 timestamp,uint256 proposal,uint32[] choice,string reason';
      expect(codes(await show(typed(`Vote(${members})`, vote, USDC.address)))).to.deep.equal(CALM);
      const signIn = {
        wallet: FROM,
        statement: 'I accept the Terms of 2026.',
        issuedAt: '2026-11-21T10:00:00.000+02:00',
        nonce: 'k3Jf92hQ8s',
        expires: 1_795_260_600,
        chainId: 31337,
        remember: true,
      };
      const fields =
        'address wallet,string statement,string issuedAt,string nonce,uint256 expires,uint256 chainId,bool remember';
      expect(codes(await show(typed(`SignIn(${fields})`, signIn, undefined)))).to.deep.equal([
        ...CALM,
        'caution every-contract',
      ]);
      const person = { name: 'Cow', wallet: FROM };
      const mail = { from: person, to: person, contents: `Hello, it is ${FROM}!` };
      const encoded = 'Mail(Person from,Person to,string contents)Person(string name,address wallet)';
      expect(codes(await show(typed(encoded, mail, USDC.address)))).to.deep.equal(CALM);
    });

    it('what names nobody and no amount is a caution', async () => {
      for (const [type, value] of [
        ['address', FROM],
        ['address', USDC.address],
        ['address[]', []],
        ['Inner', { who: FROM }],
        ['string', `I am ${FROM} and 18 years old; see www.shop.example`],
        ['string', '2026'],
        ['uint256', (1n << 32n) - 1n],
        ['int64', -5],
        ['bool', true],
        ['bytes4', '0xa9059cbb'],
        ['bytes', '0x'],
      ] as const)
        expect(await form(type, value), `${type} ${value}`).to.deep.equal(['caution unknown-form']);
    });
  });

  it('says when its dates are over', async () => {
    const over = NOW / 1000 - 1;
    expect(codes(await show(permit(5n, { deadline: over })))).to.include('caution expired');
    expect(codes(await show(permit(5n, { deadline: NOW / 1000 })))).to.not.include('caution expired');
    expect(codes(await show(single(5n, { sigDeadline: over })))).to.include('caution expired');
    expect(codes(await show(single(5n, {}, PERMIT2, { expiration: over })))).to.include('caution expired');
    // It ends with the block that takes it.
    expect(codes(await show(single(5n, {}, PERMIT2, { expiration: 0 })))).to.not.include('caution expired');
  });

  it('says when a signature is valid on every network or for every contract', async () => {
    const { types, primaryType, message } = permit(5n);
    const bound = { chainId: 31337, verifyingContract: USDC.address };
    const data = { types, primaryType, message, domain: { verifyingContract: USDC.address } };
    expect(codes(await show(data))).to.include('danger every-network');
    const salt = `0x${'ab'.repeat(32)}`;
    expect(codes(await show({ ...data, domain: { ...data.domain, salt } }))).to.include(
      'danger every-network',
    );
    expect(codes(await show({ ...data, domain: { chainId: 31337 } }))).to.include('danger every-contract');
    expect(codes(await show({ ...data, domain: bound })).join()).to.not.match(/every-/);
    const unknown = typed('Mail(string text)', { text: 'Hello' }, undefined, { name: 'Mail' });
    expect(codes(await show(unknown))).to.include.members([
      'caution every-network',
      'caution every-contract',
    ]);
    expect(codes(await show({ ...unknown, domain: bound })).join()).to.not.match(/every-/);
  });

  it('says so, too, where only what is not signed names network and contract', async () => {
    const named = { name: 'Permit2', chainId: 31337, verifyingContract: PERMIT2 };
    for (const { types, primaryType, message } of [permit(5n), single(5n)]) {
      const declared = { ...types, EIP712Domain: [{ name: 'name', type: 'string' }] };
      const shown = await showAll({ types: declared, primaryType, message, domain: named });
      expect(codes(shown)).to.include.members([
        'danger every-network',
        'danger every-contract',
        'caution more-than-signed',
      ]);
      expect(shown.domain.map(({ name }) => name)).to.deep.equal(['name']);
    }
  });

  it('shows what is signed of an order and of the permits as they are sent, and names the rest', async () => {
    for (const [data, names] of [
      [METAMASK_EXAMPLE, 'Group'],
      [PERMIT2_PERMIT, 'PermitBatch, chainId, details › symbol'],
      [SEAPORT_AS_SENT, 'totalOriginalConsiderationItems'],
    ] as const) {
      const { warnings, message } = await showAll(data);
      expect(warnings.at(-1)).to.deep.equal({
        code: 'more-than-signed',
        level: 'caution',
        params: { names },
      });
      expect(text(message)).to.not.match(/totalOriginal|symbol/);
    }
  });

  it('never takes a field that no type declares for one that is signed', async () => {
    const honest = await show(single(5n));
    const forged = single(5n, { amount: '1', details2: { spender: OTHER } }, PERMIT2, {
      spender: OTHER,
      recipient: OTHER,
      ['__proto__']: { token: OTHER },
    });
    const shown = await showAll({
      ...forged,
      spender: OTHER,
      types: { ...forged.types, Transfer: [{ name: 'to', type: 'address' }] },
    });
    const { warnings, ...rest } = shown;
    const { warnings: before, ...same } = honest;
    expect(rest).to.deep.equal(same);
    expect(warnings.filter(({ code }) => code !== 'more-than-signed')).to.deep.equal(before);
    expect(text(rest)).to.not.contain(OTHER);
    // The same bytes are signed as without them.
    const all = { ...request(forged), unsignedFields: 'omit' };
    expect((await chain.signData(all, KEY)).signature).to.equal(
      (await chain.signData(request(single(5n)), KEY)).signature,
    );
  });

  it('of another network is a danger that names both, is read without the tokens of this one, and is refused where nobody sees it', async () => {
    const of = (chainId: number) => ({
      ...permit(5n),
      domain: { chainId, verifyingContract: USDC.address },
    });
    const asked: string[] = [];
    const answers = { eth_call: ({ method }: any) => (asked.push(method), '0x') };
    const { warnings, deed, names } = await show(of(137), { answers });
    expect(warnings[0]).to.deep.equal({
      code: 'other-network',
      level: 'danger',
      params: { here: network.name, there: 'Polygon', chainId: '137' },
    });
    // At this address there may be any other token.
    expect(JSON.stringify(deed!.amounts[0]!.amount.symbol)).to.not.contain('USDC');
    expect(deed!.amounts[0]!.amount.decimals).to.equal(null);
    expect(names[USDC.address.toLowerCase()]).to.equal(undefined);
    expect(asked).to.deep.equal([]);
    const [unnamed] = (await show(of(987_654_321))).warnings;
    expect(unnamed!.params).to.deep.equal({ here: network.name, chainId: '987654321' });
    const networks = [network, { ...network, name: 'Harbour', chainId: 987_654_321 }];
    const [named] = (await show(of(987_654_321), { networks })).warnings;
    expect(named!.params, 'by the operator’s own list').to.deep.include({ there: 'Harbour' });
    const error = await unseen(of(137)).catch((e) => e);
    expect(error.issues).to.deep.equal([
      { path: 'data.domain.chainId', message: 'is 137, but the wallet is on 31337' },
    ]);
    await unseen(of(31337));
    // The service refuses it, so that nobody is asked first.
    const { node } = fakeNode({ ...QUIET, eth_getCode: '0x6001' }, network);
    const refused = (chainId: number) =>
      chain.describeSigning(request(of(chainId)), FROM, node, NOBODY, { ...scene, refusesElsewhere: true });
    expect((await refused(137).catch((e) => e)).issues).to.deep.equal(error.issues);
    await refused(31337);
  });

  it('reads a chain id in the salt', async () => {
    const { types, primaryType, message } = permit(5n);
    const salted = (chainId: number) => {
      const salt = `0x${chainId.toString(16).padStart(64, '0')}`;
      return { types, primaryType, message, domain: { verifyingContract: USDC.address, salt } };
    };
    expect(codes(await show(salted(31337)))).to.deep.equal(['caution gives-limit']);
    expect(codes(await show(salted(137)))).to.deep.equal(['danger other-network', 'caution gives-limit']);
    const error = await unseen(salted(137)).catch((e) => e);
    expect(error.issues?.[0]?.path).to.equal('data.domain.salt');
  });

  for (const [what, path, data] of [
    ['whose contract is the wallet itself', 'data.domain.verifyingContract', permit(5n, {}, FROM)],
    ['whose contract is another wallet of the user', 'data.domain.verifyingContract', permit(5n, {}, OTHER)],
    [
      'that delegates the account',
      'data.message.delegator',
      typed(
        'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
        { delegate: SPENDER, delegator: FROM, authority: `0x${'ff'.repeat(32)}`, caveats: [], salt: 0 },
        SPENDER,
      ),
    ],
    [
      'that delegates another account of the user, inside a list',
      'data.message.list.0.delegator',
      typed(
        'All(Delegation[] list)Delegation(address delegate,address delegator)',
        { list: [{ delegate: SPENDER, delegator: OTHER }] },
        SPENDER,
      ),
    ],
    ['with a field that is not signed', 'data.message.note', permit(5n, { note: 'hello' })],
  ] as const)
    it(`refuses data ${what}`, async () => {
      const error = await show(data, { own: [OTHER] }).catch((e) => e);
      expect(error.issues?.[0]?.path).to.equal(path);
    });

  it('signs no data with its own account as verifying contract, and no delegation of it', async () => {
    const delegation = typed(
      'Delegation(address delegate,address delegator)',
      { delegate: SPENDER, delegator: FROM },
      OTHER,
    );
    for (const [data, path] of [
      [permit(5n, {}, FROM), 'data.domain.verifyingContract'],
      [delegation, 'data.message.delegator'],
    ] as const) {
      const error = await chain.signData(request(data), KEY).catch((e) => e);
      expect(error.issues?.[0]?.path).to.equal(path);
    }
  });

  it('lets others delegate', async () => {
    const data = typed(
      'Delegation(address delegate,address delegator)',
      { delegate: FROM, delegator: SPENDER },
      OTHER,
    );
    expect((await show(data)).kind).to.equal('typed');
  });
});

describe('orders of Seaport', () => {
  const item = (more: object) => ({
    itemType: 1,
    token: USDC.address,
    identifierOrCriteria: 0,
    startAmount: 5,
    endAmount: 5,
    ...more,
  });
  const nft = { itemType: 2, token: UNLISTED, identifierOrCriteria: 7, startAmount: 1, endAmount: 1 };
  const order = (offer: object[], consideration: object[], more: object = {}) => ({
    offerer: FROM,
    zone: OTHER,
    offer,
    consideration,
    orderType: 0,
    startTime: 1_700_000_000,
    endTime: SOON,
    zoneHash: `0x${'00'.repeat(32)}`,
    salt: 1,
    conduitKey: `0x${'00'.repeat(32)}`,
    counter: 0,
    ...more,
  });
  const sell = (...given: Parameters<typeof order>) => show(typed(SEAPORT_ORDER, order(...given), SEAPORT));
  const bulk = (tree: object[][], around: Around = {}) =>
    show(typed(`BulkOrder(OrderComponents[2][2] tree)${SEAPORT_ORDER}`, { tree }, SEAPORT), around);
  const amounts = (shown: TypedSigning) => [
    shown.deed!.amounts.map(({ amount }) => `${amount.raw} ${amount.symbol}`),
    shown.deed!.gets!.map((amount) => `${amount.raw} ${amount.symbol}`),
  ];

  it('says the most that leaves, and the least that comes to this wallet', async () => {
    const shown = await sell(
      [item({ startAmount: 5, endAmount: 9 }), item({})],
      [
        item({
          itemType: 0,
          token: `0x${'00'.repeat(20)}`,
          startAmount: 100,
          endAmount: 40,
          recipient: FROM,
        }),
        item({ itemType: 0, token: `0x${'00'.repeat(20)}`, startAmount: 3, endAmount: 3, recipient: FROM }),
        item({ itemType: 0, token: `0x${'00'.repeat(20)}`, startAmount: 7, endAmount: 7, recipient: OTHER }),
      ],
    );
    expect(amounts(shown)).to.deep.equal([['14 USDC'], ['43 ETH']]);
    expect(
      shown.terms.filter(({ code }) => code === 'others-get').map(({ limit }) => limit!.amount.raw),
    ).to.deep.equal([7n]);
    expect(codes(shown)).to.deep.equal([]);
  });

  it('is a danger if nothing comes back, or only to others, or the price falls to nothing', async () => {
    for (const consideration of [
      [],
      [item({ recipient: OTHER })],
      [item({ startAmount: 1000, endAmount: 0, recipient: FROM })],
    ]) {
      const shown = await sell([nft], consideration);
      expect(codes(shown)).to.include('danger gets-nothing');
      expect(shown.deed!.gets).to.deep.equal([]);
    }
  });

  it('warns about any item, no expiry, others’ orders and another contract', async () => {
    expect(codes(await sell([{ ...nft, itemType: 4 }], [item({ recipient: FROM })]))).to.include(
      'danger any-item',
    );
    expect(codes(await sell([nft], [item({ recipient: FROM })], { endTime: MAX }))).to.include(
      'danger no-end',
    );
    expect(codes(await sell([nft], [item({ recipient: FROM })], { offerer: OTHER }))).to.include(
      'caution other-owner',
    );
    const elsewhere = typed(SEAPORT_ORDER, order([nft], [item({ recipient: FROM })]), OTHER);
    expect(codes(await show(elsewhere))).to.include('caution other-contract');
  });

  it('counts all orders that one signature makes, and one for nothing among them is a danger', async () => {
    const good = order([nft], [item({ recipient: FROM })]);
    const bad = order([{ ...nft, identifierOrCriteria: 8 }], []);
    const empty = order([], [], { offerer: `0x${'00'.repeat(20)}` });
    const fine = await bulk([
      [good, good],
      [good, empty],
    ]);
    expect(fine.deed).to.include({ kind: 'trade', orders: 3 });
    expect(amounts(fine)).to.deep.equal([[`3 ${fine.deed!.amounts[0]!.amount.symbol}`], ['15 USDC']]);
    expect(codes(fine)).to.deep.equal(['danger each-alone']);
    expect(
      codes(
        await bulk([
          [good, good],
          [good, bad],
        ]),
      ),
    ).to.include('danger gets-nothing');
  });

  it('shows the rate of each order, whatever the sum says', async () => {
    const coins = (amount: bigint) =>
      item({
        itemType: 0,
        token: `0x${'00'.repeat(20)}`,
        startAmount: amount,
        endAmount: amount,
        recipient: FROM,
      });
    const dear = order([item({ startAmount: 1, endAmount: 1 })], [coins(5n * 10n ** 18n)]);
    const cheap = order([item({ startAmount: 999, endAmount: 999 })], [coins(1n)]);
    const empty = order([], [], { offerer: `0x${'00'.repeat(20)}` });
    const shown = await bulk([
      [cheap, dear],
      [empty, empty],
    ]);
    expect(
      shown.terms.slice(0, 6).map(({ code, limit, number }) => [code, number ?? limit!.amount.raw]),
    ).to.deep.equal([
      ['order', 1],
      ['gives', 999n],
      ['gets', 1n],
      ['order', 2],
      ['gives', 1n],
      ['gets', 5n * 10n ** 18n],
    ]);
    expect(codes(shown)).to.deep.equal(['danger each-alone']);
    const rateOf = async (gives: readonly Amount[], gets: readonly Amount[]): Promise<Bargain> =>
      gets[0]!.raw < gives[0]!.raw ? 'poor' : 'fair';
    const data = typed(
      `BulkOrder(OrderComponents[2] tree)${SEAPORT_ORDER}`,
      { tree: [dear, cheap] },
      SEAPORT,
    );
    const { node } = fakeNode({ ...QUIET, eth_getCode: '0x6001' }, network);
    const judged = await chain.describeSigning(
      request(data),
      FROM,
      node,
      { used: [], own: [], reported: [] },
      { ...scene, bargain: rateOf },
    );
    expect(codes(judged as TypedSigning)).to.include('danger poor-price');
  });

  it('is a danger where nobody knows a price of both sides, and where the price is poor', async () => {
    const data = typed(SEAPORT_ORDER, order([nft], [item({ recipient: FROM })]), SEAPORT);
    expect(codes(await show(data, { worth: undefined }))).to.deep.equal(['danger no-price']);
    expect(codes(await show(data, { worth: 'poor' }))).to.deep.equal(['danger poor-price']);
    expect(codes(await show(data, { worth: 'fair' }))).to.deep.equal([]);
    // A price takes no other danger away.
    const endless = typed(SEAPORT_ORDER, order([nft], [], { endTime: MAX }), SEAPORT);
    expect(codes(await show(endless, { worth: 'fair' }))).to.deep.equal([
      'danger gets-nothing',
      'danger no-end',
    ]);
    const { node } = fakeNode(QUIET, network);
    const alone = await chain.describeSigning(
      request(data),
      FROM,
      node,
      { used: [], own: [], reported: [] },
      scene,
    );
    expect(codes(alone as TypedSigning), 'if nobody is asked').to.include('danger no-price');
  });
});

describe('orders of CoW Protocol and 1inch', () => {
  const [COW, FOUR, THREE] = ORDERS.map(({ type, contracts }) => ({ type, contract: contracts[0]! }));
  const ZERO = `0x${'00'.repeat(20)}`;
  const cow = (more: object = {}) =>
    typed(
      COW!.type,
      {
        sellToken: USDC.address,
        buyToken: `0x${'ee'.repeat(20)}`,
        receiver: ZERO,
        sellAmount: 100,
        buyAmount: 7,
        validTo: SOON,
        appData: `0x${'00'.repeat(32)}`,
        feeAmount: 3,
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
        ...more,
      },
      COW!.contract,
    );
  const four = (more: object = {}) =>
    typed(
      FOUR!.type,
      {
        salt: 1,
        maker: FROM,
        receiver: ZERO,
        makerAsset: USDC.address,
        takerAsset: UNLISTED,
        makingAmount: 100,
        takingAmount: 7,
        makerTraits: BigInt(SOON) << 80n,
        ...more,
      },
      FOUR!.contract,
    );
  const three = (more: object = {}) =>
    typed(
      THREE!.type,
      {
        salt: 1,
        makerAsset: USDC.address,
        takerAsset: UNLISTED,
        maker: FROM,
        receiver: ZERO,
        allowedSender: ZERO,
        makingAmount: 100,
        takingAmount: 7,
        offsets: 0,
        interactions: '0x',
        ...more,
      },
      FOUR!.contract,
    );

  it('say what leaves with its fee, what comes, and until when', async () => {
    const shown = await show(cow());
    expect(shown.deed!.kind).to.equal('trade');
    expect(shown.deed!.amounts.map(({ amount }) => `${amount.raw} ${amount.symbol}`)).to.deep.equal([
      '103 USDC',
    ]);
    expect(shown.deed!.gets!.map(({ raw, symbol }) => `${raw} ${symbol}`)).to.deep.equal(['7 ETH']);
    expect(shown.deed!.until).to.equal(BigInt(SOON));
    expect(codes(shown)).to.deep.equal([]);
    const other = await show(four());
    expect(other.deed!.amounts.map(({ amount }) => amount.raw)).to.deep.equal([100n]);
    expect(other.deed!.gets!.map(({ raw }) => raw)).to.deep.equal([7n]);
    expect(other.deed!.until).to.equal(BigInt(SOON));
    expect(codes(other)).to.deep.equal([]);
    // Version 3 has its end in what is empty here.
    expect(codes(await show(three()))).to.deep.equal(['danger no-end']);
  });

  it('need the tick where somebody else gets what comes, where nothing does, or at a price that nobody knows', async () => {
    for (const order of [cow, four, three]) {
      const elsewhere = await show(order({ receiver: OTHER }));
      expect(codes(elsewhere)).to.include('danger gets-nothing');
      expect(elsewhere.terms.find(({ code }) => code === 'others-get')!.address).to.equal(OTHER);
      expect(codes(await show(order({ receiver: FROM })))).to.not.include('danger gets-nothing');
      expect(codes(await show(order(), { worth: undefined }))).to.include('danger no-price');
      expect(codes(await show(order(), { worth: 'poor' }))).to.include('danger poor-price');
    }
    expect(codes(await show(cow({ buyAmount: 0 })))).to.include('danger gets-nothing');
    expect(codes(await show(four({ takingAmount: 0 })))).to.include('danger gets-nothing');
  });

  it('are a danger without end, of another account, for another contract, and where another contract sets the price', async () => {
    expect(codes(await show(four({ makerTraits: 0 })))).to.include('danger no-end');
    expect(codes(await show(four({ maker: OTHER })))).to.include('caution other-owner');
    expect(codes(await show({ ...cow(), domain: { chainId: 31337, verifyingContract: OTHER } }))).to.include(
      'caution other-contract',
    );
    const extended = (BigInt(SOON) << 80n) | (1n << 249n);
    expect(codes(await show(four({ makerTraits: extended })))).to.include('danger open-price');
    expect(codes(await show(three({ interactions: '0x01' })))).to.include('danger open-price');
    expect(codes(await show(cow({ validTo: NOW / 1000 - 1 })))).to.include('caution expired');
  });
});

describe('permissions over what is deposited', () => {
  const shapeOf = (start: string) => SHAPES.find(({ type }) => type.startsWith(start))!.type;
  const compound = (isAllowed: boolean) =>
    typed(
      shapeOf('Authorization(address owner'),
      { owner: FROM, manager: SPENDER, isAllowed, nonce: 0, expiry: SOON },
      OTHER,
    );
  const morpho = (isAuthorized: boolean) =>
    typed(
      shapeOf('Authorization(address authorizer'),
      { authorizer: FROM, authorized: SPENDER, isAuthorized, nonce: 0, deadline: SOON },
      OTHER,
    );

  it('Compound and Morpho: whoever is named may do all that the owner may', async () => {
    for (const form of [compound, morpho]) {
      const shown = await show(form(true));
      expect(shown.deed).to.deep.include({ kind: 'act', to: SPENDER, until: BigInt(SOON) });
      expect(codes(shown)).to.deep.equal(['danger acts-for-you']);
      expect(shown.terms.map(({ code }) => code)).to.deep.equal(['sign-before', 'contract']);
      expect(codes(await show(form(true), { answers: { eth_getCode: '0x' } }))).to.include(
        'danger spender-is-account',
      );
      const back = await show(form(false));
      expect(back.deed!.kind).to.equal('revoke');
      expect(codes(back)).to.deep.equal([]);
    }
  });

  it('Uniswap v4: every position', async () => {
    const all = (approved: boolean) =>
      typed(shapeOf('PermitForAll('), { operator: SPENDER, approved, nonce: 0, deadline: SOON }, UNLISTED);
    const shown = await show(all(true));
    expect(shown.deed).to.include({ kind: 'allow', to: SPENDER });
    expect(codes(shown)).to.deep.equal(['danger unlimited']);
    expect((await show(all(false))).deed!.kind).to.equal('revoke');
  });

  it('Aave: debts in the signer’s name', async () => {
    const debt = (value: bigint) =>
      typed(shapeOf('DelegationWithSig('), { delegatee: SPENDER, value, nonce: 0, deadline: SOON }, UNLISTED);
    const shown = await show(debt(500n));
    expect(shown.deed).to.include({ kind: 'borrow', to: SPENDER });
    expect(codes(shown)).to.deep.equal(['danger debt']);
    expect((await show(debt(0n))).deed!.kind).to.equal('revoke');
  });
});

describe('operations of smart accounts (ERC-4337)', () => {
  const transfer = encodeCall('transfer', ['address', 'uint256'], [OTHER, 5n]);
  const execute = (to: string, value: bigint, data: string) =>
    encodeCall('execute', ['address', 'uint256', 'bytes'], [to, value, data]);
  const word = (high: bigint, low: bigint) => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;
  const operation = (callData: string, more: object = {}, contract = ENTRY_POINTS[0]) =>
    typed(
      USER_OPERATION,
      {
        sender: FROM,
        nonce: 0,
        initCode: '0x',
        callData,
        accountGasLimits: word(100_000n, 200_000n),
        preVerificationGas: 50_000,
        gasFees: word(1n, 10n ** 9n),
        paymasterAndData: '0x',
        ...more,
      },
      contract,
    );

  it('say what the account does, which is a danger where something leaves', async () => {
    const shown = await show(operation(execute(USDC.address, 0n, transfer)));
    expect(shown.deed).to.include({ kind: 'relay', to: OTHER });
    expect(codes(shown)).to.include('danger sends');
    const paid = await show(operation(execute(OTHER, 7n, '0x')));
    expect(codes(paid)).to.include('danger sends');
    expect(codes(await show(operation('0x12345678')))).to.include('danger unreadable-call');
  });

  it('name the coins of the network that they are on', async () => {
    const around: Around = { coin: { symbol: 'POL' } };
    const shown = await show(operation(execute(OTHER, 7n, '0x')), around);
    expect(
      JSON.stringify([shown.deed, shown.terms], (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    )
      .to.include('"POL"')
      .and.not.include('"ETH"');
  });

  it('are always a danger: whoever sends them gets the fee', async () => {
    expect(codes(await show(operation('0x')))).to.include('danger dangerous-call');
  });

  it('say what the account pays for gas at most, unless a paymaster pays', async () => {
    const fee = (shown: TypedSigning) => shown.terms.find(({ code }) => code === 'fee')?.limit!.amount.raw;
    expect(fee(await show(operation('0x')))).to.equal(350_000n * 10n ** 9n);
    expect(fee(await show(operation('0x', { paymasterAndData: `0x${'01'.repeat(52)}` })))).to.equal(
      undefined,
    );
    expect(codes(await show(operation('0x')))).to.not.include('danger high-fee');
    expect(codes(await show(operation('0x', { preVerificationGas: 10n ** 12n })))).to.include(
      'danger high-fee',
    );
  });

  it('are dangers where a factory runs first, and cautions for another contract or account', async () => {
    expect(codes(await show(operation('0x', { initCode: '0x7702' })))).to.include('danger unreadable-call');
    expect(codes(await show(operation('0x', {}, OTHER)))).to.include('caution other-contract');
    expect(codes(await show(operation('0x', { sender: OTHER })))).to.include('caution other-owner');
  });
});

describe('calls inside typed data', () => {
  const safe = (more: object) =>
    show(
      typed(
        SAFE_TRANSACTION,
        {
          to: SPENDER,
          value: 5,
          data: '0x',
          operation: 0,
          safeTxGas: 0,
          baseGas: 0,
          gasPrice: 0,
          gasToken: OTHER,
          refundReceiver: OTHER,
          nonce: 0,
          ...more,
        },
        OTHER,
      ),
    );
  const approve = (amount: bigint) => encodeCall('approve', ['address', 'uint256'], [SPENDER, amount]);

  it('Safe: says what it moves, and that a delegated call becomes the Safe', async () => {
    const shown = await safe({});
    expect(shown.deed).to.deep.include({
      kind: 'safe',
      to: SPENDER,
      amounts: [{ amount: { raw: 5n, symbol: 'ETH', decimals: 18 } }],
    });
    expect(shown.terms.map(({ code }) => code)).to.deep.equal(['safe', 'receiver', 'amount']);
    expect(codes(shown)).to.deep.equal([]);
    for (const operation of [1, 2])
      expect(codes(await safe({ operation }))).to.deep.equal(['danger delegatecall']);
    // The data also sets how much gas is paid for.
    expect(codes(await safe({ gasPrice: 1 }))).to.deep.equal(['danger refund']);
  });

  it('Safe: decodes the call and warns of it', async () => {
    expect(codes(await safe({ to: USDC.address, data: approve(MAX) }))).to.include('danger unlimited');
    expect(codes(await safe({ to: USDC.address, data: approve(5n) }))).to.include('caution gives-limit');
    expect(codes(await safe({ data: '0x12345678' }))).to.include('danger unreadable-call');
    expect(codes(await safe({ data: encodeCall('transferOwnership', ['address'], [OTHER]) }))).to.include(
      'danger dangerous-call',
    );
    const call = (await safe({ to: USDC.address, data: approve(5n) })).terms.at(-1)!.call!;
    expect(call.name).to.equal('approve');
  });

  it('relayed calls are decoded too, and must be this wallet’s', async () => {
    const [meta, , forward] = RELAYED;
    const relayed = typed(
      meta!.type,
      { nonce: 0, from: FROM, functionSignature: approve(MAX) },
      USDC.address,
    );
    const shown = await show(relayed);
    expect(shown.deed).to.deep.include({ kind: 'relay', does: 'allow', to: SPENDER });
    expect(codes(shown)).to.include('danger unlimited');
    const forwarded = {
      from: OTHER,
      to: USDC.address,
      value: 1,
      gas: 1,
      nonce: 0,
      deadline: SOON,
      data: '0xdeadbeef',
    };
    const other = await show(typed(forward!.type, forwarded, OTHER));
    expect(codes(other)).to.include.members(['danger unreadable-call', 'caution other-owner']);
  });
});

describe('what calls inside typed data move', () => {
  const transfer = (to: string, amount: bigint) =>
    encodeCall('transfer', ['address', 'uint256'], [to, amount]);
  const transferFrom = (from: string, to: string, amount: bigint) =>
    encodeCall('transferFrom', ['address', 'address', 'uint256'], [from, to, amount]);
  const approve = (amount: bigint) => encodeCall('approve', ['address', 'uint256'], [SPENDER, amount]);
  const multicall = (...calls: string[]) => encodeCall('multicall', ['bytes[]'], [calls]);
  const relay = (functionSignature: string, contract: string = USDC.address, around: Around = {}) =>
    show(typed(RELAYED[0]!.type, { nonce: 0, from: FROM, functionSignature }, contract), around);
  const SAFE = `0x${'5a'.repeat(20)}`;
  const safe = (to: string, data: string, more: object = {}, around: Around = {}) => {
    const gas = { safeTxGas: 0, baseGas: 0, gasPrice: 0, gasToken: OTHER, refundReceiver: OTHER };
    const message = { to, value: 0, data, operation: 0, ...gas, nonce: 0, ...more };
    return show(typed(SAFE_TRANSACTION, message, SAFE), around);
  };
  const told = ({ deed, warnings }: TypedSigning) => ({
    ...deed,
    amounts: deed!.amounts.map(
      ({ amount, unlimited }) => `${unlimited ? 'all' : amount.raw} ${amount.symbol}`,
    ),
    dangers: warnings
      .filter(({ level }) => level === 'danger')
      .map(({ code, limit }) => [code, limit && `${limit.amount.raw} ${limit.amount.symbol}`]),
  });

  it('a relayed transfer is a danger that names amount, token and who gets it', async () => {
    for (const data of [transfer(OTHER, 5n), transferFrom(FROM, OTHER, 5n)])
      expect(told(await relay(data))).to.deep.equal({
        kind: 'relay',
        does: 'pay',
        to: OTHER,
        amounts: ['5 USDC'],
        dangers: [['sends', '5 USDC']],
      });
    const burnt = told(await relay(encodeCall('burn', ['uint256'], [5n])));
    expect(burnt).to.deep.include({ amounts: ['5 USDC'], dangers: [['sends', '5 USDC']] });
    // To itself, and from somebody else, nothing leaves.
    for (const data of [transfer(FROM, 5n), transferFrom(OTHER, SPENDER, 5n)])
      expect(told(await relay(data))).to.deep.include({ amounts: [], dangers: [] });
  });

  it('a relayed transfer of an item names the item', async () => {
    const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
    const item: Around = {
      answers: {
        eth_call: ({ params }: any) => word(params[0].data.startsWith('0x01ffc9a780ac58cd') ? 1 : 0),
      },
    };
    const name = `0xb0b0…b0B0`;
    const { amounts, dangers } = told(await relay(transferFrom(FROM, OTHER, 7n), UNLISTED, item));
    expect(amounts.map((each) => each.toLowerCase())).to.deep.equal([`1 ${name} #7`.toLowerCase()]);
    expect(dangers.map(([code]) => code)).to.deep.equal(['sends']);
    const batch = encodeCall(
      'safeBatchTransferFrom',
      ['address', 'address', 'uint256[]', 'uint256[]', 'bytes'],
      [FROM, OTHER, [7n, 8n], [1n, 2n], '0x'],
    );
    const several = told(await relay(batch, UNLISTED));
    expect(several.amounts).to.have.length(2);
    expect(several).to.deep.include({ to: OTHER });
    expect(several.dangers.map(([code]) => code)).to.deep.equal(['sends', 'sends']);
    const all = encodeCall('setApprovalForAll', ['address', 'bool'], [SPENDER, true]);
    expect(told(await relay(all, UNLISTED))).to.deep.include({ does: 'allow', to: SPENDER });
    expect(told(await relay(all, UNLISTED)).dangers[0]![0]).to.equal('unlimited');
  });

  it('of several calls, all that leaves is counted, and an unlimited limit is the worst', async () => {
    const shown = await relay(multicall(transfer(OTHER, 5n), transfer(OTHER, 5n), approve(MAX)));
    expect(told(shown)).to.deep.include({
      amounts: ['all USDC'],
      dangers: [
        ['unlimited', `${MAX} USDC`],
        ['sends', '5 USDC'],
      ],
    });
    expect(shown.terms.at(-1)!.effects!.map(({ kind }) => kind)).to.deep.equal(['send', 'send', 'allow']);
    expect(told(await relay(multicall(transfer(OTHER, 5n), transfer(OTHER, 5n)))).amounts).to.deep.equal([
      '10 USDC',
    ]);
    // With several recipients the call itself is what is named, and each has a row.
    const two = await relay(multicall(transfer(OTHER, 5n), transfer(SPENDER, 6n)));
    expect(two.deed!.to!.toLowerCase()).to.equal(USDC.address);
    expect(two.terms.at(-1)!.effects!.map(({ to }) => to)).to.deep.equal([OTHER, SPENDER]);
  });

  it('coins of a Safe that no step uses are a danger', async () => {
    const dangers = async (value: number) => told(await safe(SPENDER, multicall(), { value })).dangers;
    expect(await dangers(5)).to.deep.equal([['gets-nothing', undefined]]);
    expect(await dangers(0)).to.not.deep.include(['gets-nothing', undefined]);
  });

  it('a call inside another that nothing is known of, and one that trades, stay dangers', async () => {
    const claim = encodeCall('claim', [], []);
    expect(told(await relay(multicall(claim))).dangers).to.deep.equal([['dangerous-call', undefined]]);
    expect(told(await relay(multicall('0x12345678', transfer(OTHER, 5n)))).dangers).to.deep.equal([
      ['unreadable-call', undefined],
      ['sends', '5 USDC'],
    ]);
    const swap = encodeCall(
      'swapExactTokensForTokens',
      ['uint256', 'uint256', 'address[]', 'address', 'uint256'],
      [5n, 1n, [USDC.address, UNLISTED], OTHER, BigInt(SOON)],
    );
    for (const shown of [await relay(swap), await safe(SPENDER, swap)])
      expect(told(shown).dangers).to.deep.equal([['gets-nothing', undefined]]);
    expect(told(await relay(claim)).dangers, 'nothing is simulated').to.deep.equal([
      ['dangerous-call', undefined],
    ]);
  });

  it('warns of reported addresses, look-alikes and strangers that only the call names', async () => {
    const data = transfer(OTHER, 5n);
    expect(codes(await relay(data, USDC.address, { reported: [OTHER] }))).to.include(
      'danger reported-address',
    );
    expect(codes(await relay(data, USDC.address, { used: [] }))).to.include('caution first-spender');
    const twin = `${SPENDER.slice(0, 8)}${'0'.repeat(28)}${SPENDER.slice(-6)}`.toLowerCase();
    expect(codes(await relay(transfer(twin, 5n)))).to.include('danger resembles-known');
    expect((await relay(transfer(SPENDER, 5n))).names).to.have.property(SPENDER.toLowerCase());
  });

  it('a limit of the whole balance is as dangerous in a relayed call as in a permit', async () => {
    const answers = holding(500n);
    expect(codes(await relay(approve(500n), USDC.address, { answers }))).to.include('danger all-you-hold');
    const twice = encodeCall('multicall', ['bytes[]'], [[approve(300n), approve(300n)]]);
    expect(codes(await relay(twice, USDC.address, { answers }))).to.not.include('danger all-you-hold');
    const more = encodeCall('increaseAllowance', ['address', 'uint256'], [SPENDER, 300n]);
    const both = encodeCall('multicall', ['bytes[]'], [[approve(300n), more]]);
    expect(codes(await relay(both, USDC.address, { answers }))).to.include('danger all-you-hold');
  });

  it('a Safe’s payment is its headline; several are dangers, as in a transaction', async () => {
    expect(told(await safe(USDC.address, transfer(OTHER, 5n)))).to.deep.equal({
      kind: 'safe',
      does: 'pay',
      to: OTHER,
      amounts: ['5 USDC'],
      dangers: [],
    });
    const two = multicall(transfer(OTHER, 5n), transfer(SPENDER, 6n));
    expect(told(await safe(USDC.address, two)).dangers).to.deep.equal([
      ['sends', '5 USDC'],
      ['sends', '6 USDC'],
    ]);
    expect(told(await safe(USDC.address, transfer(OTHER, 5n), { value: 1 })).amounts).to.deep.equal([
      '1 ETH',
      '5 USDC',
    ]);
    expect(told(await safe(USDC.address, transfer(SAFE, 5n))).amounts).to.deep.equal([]);
  });

  it('a batch that runs as the Safe is looked into, beneath the danger of the delegation', async () => {
    const call = transfer(OTHER, 5n).slice(2);
    const packed = [
      '00',
      USDC.address.slice(2),
      '0'.repeat(64),
      (call.length / 2).toString(16).padStart(64, '0'),
      call,
    ].join('');
    const shown = await safe(SPENDER, encodeCall('multiSend', ['bytes'], [`0x${packed}`]), { operation: 1 });
    // The code behind the address may be other than it seems: it stays the one that is named.
    expect(shown.deed!.does).to.equal(undefined);
    expect(shown.terms.at(-1)!.effects!.map(({ to }) => to)).to.deep.equal([OTHER]);
    expect(told(shown)).to.deep.include({
      amounts: ['5 USDC'],
      to: SPENDER,
      dangers: [
        ['delegatecall', undefined],
        ['sends', '5 USDC'],
      ],
    });
    expect(told(await safe(USDC.address, transfer(OTHER, 5n), { operation: 1 })).dangers).to.deep.equal([
      ['delegatecall', undefined],
    ]);
  });
});

describe('payloads of typed data', () => {
  it('take JSON text with its four parts, and neither prefix nor hash', () => {
    const good = request(permit(5n));
    expect(payloads.parseSigning(good)).to.deep.equal(good);
    expect(payloads.parseSigning({ ...good, prefix: null, hash: null })).to.deep.equal(good);
    const omitting = { ...good, unsignedFields: 'omit' };
    expect(payloads.parseSigning(omitting)).to.deep.equal(omitting);
    for (const [path, change] of [
      ['prefix', { prefix: true }],
      ['hash', { hash: false }],
      ['data', { data: '0x1234' }],
      ['data', { data: '{}' }],
      ['data', { data: '' }],
      ['data', { data: { types: {} } }],
      ['unsignedFields', { unsignedFields: true }],
      ['data', { data: text({ ...permit(5n), message: 'x'.repeat(130 * 1024) }) }],
    ] as const)
      expect(
        issuesOf({ ...good, ...change }, payloads.parseSigning).map((issue) => issue.path),
      ).to.deep.equal([path]);
  });

  it('raw data that encodes something else is refused', () => {
    const raw = (data: string, flags: object = { prefix: false }) => ({
      type: 'ETHEREUM_RAW',
      walletId: 'w',
      data,
      ...flags,
    });
    const digest = TypedDataEncoder.encode({ chainId: 1 }, typesOf(PERMIT), permit(5n).message);
    const [typedIssue] = issuesOf(raw(digest), payloads.parseSigning);
    expect(typedIssue!.path).to.equal('data');
    expect(typedIssue!.message).to.include('ETHEREUM_TYPED_DATA');
    // EIP-7702 signs keccak256(0x05 ‖ rlp([chain id, address, nonce])).
    const authorisation = `0x05d70194${SPENDER.slice(2).toLowerCase()}80`;
    for (const type of ['ETHEREUM_RAW', 'ETHEREUM_TRANSACTION']) {
      const [issue] = issuesOf({ ...raw(authorisation), type }, payloads.parseSigning);
      expect(issue!.message).to.include('EIP-7702');
    }
    // ERC-191: for a contract, and a message with its prefix, which may be of a Safe's hash.
    const message = `0x${[...'\u0019Ethereum Signed Message:\n32'].map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('')}${'41'.repeat(32)}`;
    for (const data of [`0x1900${SPENDER.slice(2).toLowerCase()}4141`, message]) {
      const [issue] = issuesOf(raw(data), payloads.parseSigning);
      expect(issue!.path, data).to.equal('data');
      expect(payloads.parseSigning(raw(data, {})).data, 'as a message').to.equal(data);
    }
    // A digest may begin with any bytes.
    for (const lead of ['05d7', '1901']) {
      const hashed = `0x${lead}${'ab'.repeat(30)}`;
      expect(payloads.parseSigning(raw(hashed, { prefix: false, hash: false })).data).to.equal(hashed);
    }
    // Signed as a message they are harmless.
    for (const data of [digest, authorisation])
      expect(payloads.parseSigning(raw(data, {})).data).to.equal(data);
    for (const data of ['0x0541', '0x1902', '0x19'])
      expect(payloads.parseSigning(raw(data)).data).to.equal(data);
  });
});
