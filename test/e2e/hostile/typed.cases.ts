/** Signatures that a page gets users to give without knowing what they do. Each attempt has a control: the same without the trick. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe } from 'node:test';
import {
  hexlify,
  id,
  Interface,
  recoverAddress,
  toUtf8Bytes,
  TypedDataEncoder,
  verifyMessage,
  verifyTypedData,
} from 'ethers';
import { CHAIN_ID } from '../../../demo/networks/anvil.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SignResult } from '../../../src/channel/messages.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from '../harness.ts';
import { permitOf, type SignIn, signInOf } from '../typed-requests.ts';
import { holdings, movesNothing } from './unmoved.ts';
import { EVERY_VARIANT } from '../variants.ts';
import { core, describeVariants, variant } from '../parts.ts';

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const MAX = String((1n << 256n) - 1n);

const TOKEN = new Interface(['function transfer(address to, uint256 amount)']);

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  // Only orders need a rate.
  world = await openWorld({ exchanges: EVERY_VARIANT });
  visitor = await world.visit('iframe');
  wallet = await visitor.wealthyWallet();
});
after(() => world.close());
beforeEach(() => visitor.startAgain());

interface Params {
  type: string;
  walletId: string;
  data: unknown;
  prefix?: boolean;
  hash?: boolean;
}
type Data = Omit<ReturnType<typeof permitOf>, 'types' | 'domain' | 'message'> & {
  types: Record<string, { name: string; type: string }[]>;
  domain: Record<string, unknown>;
  message: Record<string, unknown>;
};

const typed = (data: unknown): Params => ({ type: 'ETHEREUM_TYPED_DATA', walletId: wallet.id, data });
const raw = (data: string, flags: Partial<Params> = {}): Params => ({
  type: 'ETHEREUM_RAW',
  walletId: wallet.id,
  data,
  ...flags,
});
const said = (text: string): Params => raw(hexlify(toUtf8Bytes(text)));
const permit = (change: object = {}): Data => permitOf(world, wallet, change);
const ask = (params: Params): Promise<WalletView> =>
  visitor.ask((connect, given) => connect.sign(given as never), params);

const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);

/** A danger is shown, Approve does not work before its tick, and the user rejects. */
const needsTick = (params: Params, words: RegExp): Promise<void> =>
  attack(async () => {
    await visitor.startAgain();
    const view = await ask(params);
    await view.text(words).first().waitFor();
    await view.root.getByRole('checkbox').first().waitFor();
    assert.equal(await view.button(/^Approve/).isDisabled(), true);
    await view.press('Reject');
    assert.equal((await visitor.answer()).error?.code, 'user.rejected');
  });

/** Nothing is signed, and the page learns which field is wrong. */
const isRefused = (params: Params, path: string): Promise<void> =>
  attack(async () => {
    await visitor.run((connect, given) => connect.sign(given as never), params);
    const { error, value } = await visitor.answer();
    assert.equal(value, undefined);
    assert.equal(error?.code, 'request.invalid');
    assert.deepEqual(
      error?.issues?.map((issue) => issue.path),
      [path],
    );
  });

/** What was signed without a trick, by request. */
const controls = new Map<string, SignResult>();

/**
 * Without the trick it is signed: without a tick, or after the one that all of its kind have. Attempts of a kind share this control; `npm
 * run test:long hostile` repeats it.
 */
async function isSigned(params: Params, tick?: RegExp): Promise<SignResult> {
  const name = JSON.stringify(params);
  const earlier = controls.get(name);
  if (earlier && !EVERY_VARIANT) return earlier;
  await visitor.startAgain();
  const view = await ask(params);
  await view.button(/^Approve/).waitFor();
  if (tick) await view.root.getByRole('checkbox', { name: tick }).check();
  else assert.equal(await view.root.getByRole('checkbox').count(), 0, 'a tick is asked for');
  await view.seeAll();
  await view.approve();
  const { value, error } = await visitor.answer<SignResult>();
  assert.equal(error, undefined);
  controls.set(name, value!);
  return value!;
}

async function isPermit(data: Data, tick?: RegExp): Promise<void> {
  const { result } = await isSigned(typed(data), tick);
  assert.equal(verifyTypedData(data.domain, data.types, data.message, result.signature), wallet.address);
}

describe('permits', () => {
  core('an unlimited permit needs a tick; one with a limit does not', async () => {
    await needsTick(typed(permit({ value: MAX })), /could take all your DUSD/);
    await isPermit(permit());
  });

  variant('a permit of exactly the balance is as dangerous as an unlimited one', async () => {
    await needsTick(typed(permit({ value: String(1000n * 10n ** 18n) })), /could take all your DUSD/);
    await isPermit(permit({ value: String(999n * 10n ** 18n) }));
  });

  variant('a permit that never expires needs a tick', async () => {
    await needsTick(typed(permit({ deadline: MAX })), /never expires/);
    await isPermit(permit());
  });

  variant('a permit for a person instead of a contract needs a tick', async () => {
    await needsTick(typed(permit({ spender: FRIEND })), /No contract stands behind this address/);
    await isPermit(permit());
  });

  variant('the name of another form, or of a trusted app, does not make a permit harmless', async () => {
    const disguised = permit({ value: MAX });
    disguised.domain = { ...disguised.domain, name: 'Sign in to Shop' };
    await needsTick(typed(disguised), /could take all your DUSD/);
    await isPermit({ ...permit(), domain: { ...permit().domain, name: 'Sign in to Shop' } });
  });

  const single = (amount: string): Data => ({
    primaryType: 'PermitSingle',
    types: {
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
    },
    domain: { name: 'Permit2', chainId: CHAIN_ID, verifyingContract: PERMIT2 },
    message: {
      details: {
        token: world.ethereum.contracts.DUSD,
        amount,
        expiration: permit().message['deadline'],
        nonce: 0,
      },
      spender: world.ethereum.contracts.DUSD,
      sigDeadline: permit().message['deadline'],
    },
  });
  variant('Permit2’s largest amount is unlimited', async () => {
    await needsTick(typed(single(String((1n << 160n) - 1n))), /could take all your DUSD/);
    await isPermit(single('5'));
  });

  const batch = (...amounts: bigint[]): Data => {
    const { types, message, domain } = single('0');
    const { details, sigDeadline, spender } = message as { details: object; [name: string]: unknown };
    return {
      primaryType: 'PermitBatch',
      types: {
        PermitBatch: [
          { name: 'details', type: 'PermitDetails[]' },
          { name: 'spender', type: 'address' },
          { name: 'sigDeadline', type: 'uint256' },
        ],
        PermitDetails: types['PermitDetails']!,
      },
      domain,
      message: {
        details: amounts.map((amount) => ({ ...details, amount: String(amount * 10n ** 18n) })),
        spender,
        sigDeadline,
      },
    };
  };
  variant('two limits of one token are as dangerous as their sum', async () => {
    await needsTick(typed(batch(600n, 600n)), /could take all your DUSD/);
    await isPermit(batch(400n, 400n));
  });

  variant('limits of more tokens than are looked at need a tick', async () => {
    const many = (count: number): Data => {
      const data = batch(...Array<bigint>(count).fill(1n));
      const details = (data.message['details'] as object[]).map((detail, i) => ({
        ...detail,
        token: `0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}`,
      }));
      return { ...data, message: { ...data.message, details } };
    };
    await needsTick(typed(many(21)), /Too many tokens to check/);
    await isPermit(many(20));
  });
});

describeVariants('what is shown is what is signed', () => {
  variant('a field that the types do not declare is refused', async () => {
    await isRefused(typed(permit({ note: 'You receive 1000 DUSD' })), 'data.message.note');
    await isPermit(permit());
  });

  variant('a type that nothing uses is refused', async () => {
    const data = permit();
    await isRefused(
      typed({ ...data, types: { ...data.types, Refund: [{ name: 'amount', type: 'uint256' }] } }),
      'data.types.Refund',
    );
    await isPermit(data);
  });

  variant('a member name that holds another member is refused', async () => {
    const data = permit();
    const [owner, ...rest] = data.types['Permit']!;
    const types = { Permit: [{ ...owner!, name: 'owner,address thief' }, ...rest] };
    await isRefused(typed({ ...data, types }), 'data.types.Permit.0.name');
    await isPermit(data);
  });

  variant('a number that fits only when it wraps around is refused', async () => {
    await isRefused(typed(permit({ value: String(1n << 256n) })), 'data.message.value');
    await isRefused(typed(permit({ value: '-1' })), 'data.message.value');
    await isPermit(permit());
  });

  variant('__proto__ in the JSON text is refused', async () => {
    const text = JSON.stringify(permit());
    await isRefused(
      typed(text.replace('"owner":"0x', '"__proto__":{"value":"1"},"owner":"0x')),
      'data.message.__proto__',
    );
    await isSigned(typed(text));
  });

  variant('an object that the page changes after its request is signed as requested', async () => {
    const data = permit();
    const before = await holdings(world, wallet);
    const view = await visitor.ask((connect, given: Params & { data: { message: { value: string } } }) => {
      const asked = connect.sign(given as never);
      given.data.message.value = '1';
      return asked;
    }, typed(data) as never);
    await view.heading('Allow up to 5 DUSD').waitFor();
    await view.approve();
    const { value } = await visitor.answer<SignResult>();
    assert.equal(
      verifyTypedData(data.domain, data.types, data.message, value!.result.signature),
      wallet.address,
    );
    assert.equal(await holdings(world, wallet), before, 'nothing moved');
  });
});

describeVariants('the domain', () => {
  variant('data of another network takes a tick', async () => {
    const data = permit();
    await needsTick(
      typed({ ...data, domain: { ...data.domain, chainId: 1 } }),
      /^This is valid on Ethereum mainnet, not on /,
    );
    await isPermit(data);
  });

  variant('data of another network in its salt takes a tick', async () => {
    const salted = (chainId: number): Data => {
      const { chainId: _, ...domain } = permit().domain;
      return { ...permit(), domain: { ...domain, salt: `0x${chainId.toString(16).padStart(64, '0')}` } };
    };
    await needsTick(typed(salted(1)), /^This is valid on Ethereum mainnet, not on /);
    await isPermit(salted(CHAIN_ID));
  });

  variant('data whose contract is the wallet itself is refused', async () => {
    const data = permit();
    await isRefused(
      typed({ ...data, domain: { ...data.domain, verifyingContract: wallet.address } }),
      'data.domain.verifyingContract',
    );
    await isPermit(data);
  });

  variant('a delegation of the account is refused', async () => {
    const delegation = (delegator: string): Data => ({
      primaryType: 'Delegation',
      types: {
        Delegation: [
          { name: 'delegate', type: 'address' },
          { name: 'delegator', type: 'address' },
        ],
      },
      domain: { chainId: CHAIN_ID, verifyingContract: world.ethereum.contracts.DUSD },
      message: { delegate: FRIEND, delegator },
    });
    await isRefused(typed(delegation(wallet.address)), 'data.message.delegator');
    // Of somebody else's account it is a form like any other.
    await isPermit(delegation(FRIEND), /what can be lost is not known/);
  });
});

describeVariants('calls and orders inside typed data', () => {
  const safe = (operation: number): Data => ({
    primaryType: 'SafeTx',
    types: {
      SafeTx: (
        [
          ['to', 'address'],
          ['value', 'uint256'],
          ['data', 'bytes'],
          ['operation', 'uint8'],
          ['safeTxGas', 'uint256'],
          ['baseGas', 'uint256'],
          ['gasPrice', 'uint256'],
          ['gasToken', 'address'],
          ['refundReceiver', 'address'],
          ['nonce', 'uint256'],
        ] as const
      ).map(([name, type]) => ({ name, type })),
    },
    domain: { chainId: CHAIN_ID, verifyingContract: FRIEND },
    message: {
      to: world.ethereum.contracts.DUSD,
      value: 0,
      data: '0x',
      operation,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: `0x${'00'.repeat(20)}`,
      refundReceiver: `0x${'00'.repeat(20)}`,
      nonce: 0,
    },
  });
  variant('a delegatecall of a Safe needs a tick', async () => {
    await needsTick(typed(safe(1)), /run foreign code as its own/);
    await isPermit(safe(0));
  });

  const relayed = (amount: string, recipient: string): Data => ({
    primaryType: 'MetaTransaction',
    types: {
      MetaTransaction: [
        { name: 'nonce', type: 'uint256' },
        { name: 'from', type: 'address' },
        { name: 'functionSignature', type: 'bytes' },
      ],
    },
    domain: { chainId: CHAIN_ID, verifyingContract: world.ethereum.contracts.DUSD },
    message: {
      nonce: 0,
      from: wallet.address,
      functionSignature: TOKEN.encodeFunctionData('transfer', [recipient, amount]),
    },
  });
  variant('a transfer that others can send needs a tick, which names the amount', async () => {
    const amount = String(900n * 10n ** 18n);
    await needsTick(typed(relayed(amount, FRIEND)), /This signature can send .*900 DUSD/);
    await isPermit(relayed(amount, wallet.address));
  });

  variant('a form that is not known is signed only after all of it was on screen', async () => {
    const note = (lines: number): Data => ({
      primaryType: 'Note',
      types: { Note: [{ name: 'text', type: 'string' }] },
      domain: { chainId: CHAIN_ID, verifyingContract: world.ethereum.contracts.DUSD },
      message: { text: 'Welcome to the harbour.\n'.repeat(lines) },
    });
    const before = await holdings(world, wallet);
    const view = await ask(typed(note(400)));
    await view.text('Carabiner does not know this form').first().waitFor();
    await view.type('PIN', PIN);
    assert.equal(await view.button(/^Approve/).getAttribute('data-text'), 'Read to the end first');
    await view.press('Reject');
    assert.equal((await visitor.answer()).error?.code, 'user.rejected');
    assert.deepEqual(await holdings(world, wallet), before);
    await isPermit(note(60));
  });

  const order = (amount: string, recipient: string): Data => {
    const members = (text: string) =>
      text.split(',').map((member) => ({ type: member.split(' ')[0]!, name: member.split(' ')[1]! }));
    const item =
      'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
    const deadline = permit().message['deadline'];
    return {
      primaryType: 'OrderComponents',
      types: {
        OrderComponents: members(
          'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
        ),
        OfferItem: members(item),
        ConsiderationItem: members(`${item},address recipient`),
      },
      domain: {
        name: 'Seaport',
        version: '1.6',
        chainId: CHAIN_ID,
        verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395',
      },
      message: {
        offerer: wallet.address,
        zone: `0x${'00'.repeat(20)}`,
        offer: [
          {
            itemType: 2,
            token: world.ethereum.contracts.NFT,
            identifierOrCriteria: 1,
            startAmount: 1,
            endAmount: 1,
          },
        ],
        consideration: [
          {
            itemType: 0,
            token: `0x${'00'.repeat(20)}`,
            identifierOrCriteria: 0,
            startAmount: '1000000000000000000',
            endAmount: amount,
            recipient,
          },
        ],
        orderType: 0,
        startTime: 0,
        endTime: deadline,
        zoneHash: `0x${'00'.repeat(32)}`,
        salt: 1,
        conduitKey: `0x${'00'.repeat(32)}`,
        counter: 0,
      },
    };
  };
  variant('an order whose price falls to nothing, or goes to somebody else, needs a tick', async () => {
    await needsTick(typed(order('0', wallet.address)), /You receive nothing for it/);
    await needsTick(typed(order('1000000000000000000', FRIEND)), /You receive nothing for it/);
    // Nobody knows a price of an item.
    await needsTick(
      typed(order('1000000000000000000', wallet.address)),
      /No source says whether this price is fair/,
    );
    await isPermit(order('1000000000000000000', wallet.address), /far less than it is worth/);
  });

  /** 1 DUSD, which is 100 DCENT at the exchange, for so many DCENT. */
  const cents = (amount: number) => {
    const { message } = order('0', wallet.address);
    const { DUSD, DCENT } = world.ethereum.contracts;
    const item = (token: string, raw: bigint) => ({
      itemType: 1,
      token,
      identifierOrCriteria: 0,
      startAmount: String(raw),
      endAmount: String(raw),
    });
    return {
      ...message,
      offer: [item(DUSD, 10n ** 18n)],
      consideration: [{ ...item(DCENT, BigInt(amount) * 10n ** 6n), recipient: wallet.address }],
    };
  };
  variant('an order at less than half of a listed exchange’s rate needs a tick', async () => {
    const at = (amount: number): Data => ({ ...order('0', wallet.address), message: cents(amount) });
    await needsTick(typed(at(40)), /You get far less than it is worth/);
    await isPermit(at(90));
  });

  variant('several orders need a tick, because the best of them can be taken alone', async () => {
    const { types, domain } = order('0', wallet.address);
    const bulk = (...amounts: number[]): Data => ({
      primaryType: 'BulkOrder',
      types: { BulkOrder: [{ name: 'tree', type: 'OrderComponents[2]' }], ...types },
      domain,
      message: { tree: amounts.map(cents) },
    });
    await needsTick(typed(bulk(1, 1000)), /Each order can be taken on its own/);
    await visitor.startAgain();
    const view = await ask(typed(bulk(1, 1000)));
    await view.text('Order 1 of 2').waitFor();
    await view.heading('Sign 2 orders').waitFor();
    assert.equal(await view.text(/for at least/).count(), 0, 'no sum is said');
    await view.press('Reject');
    await visitor.answer();
    await isPermit({ ...order('0', wallet.address), message: cents(91) });
  });

  const form = (type: string, value: unknown): Data => ({
    primaryType: 'Notice',
    types: {
      Notice: [
        { name: 'text', type: 'string' },
        { name: 'field', type },
      ],
    },
    domain: { chainId: CHAIN_ID, verifyingContract: world.ethereum.contracts.DUSD },
    message: { text: 'Welcome to the harbour.', field: value },
  });
  variant('a form that nobody described needs a tick where it names somebody or an amount', async () => {
    for (const [type, value] of [
      ['address', FRIEND],
      ['uint256', String(1n << 32n)],
      ['string', FRIEND],
      ['bytes', '0xa9059cbb00'],
    ] as const)
      await needsTick(typed(form(type, value)), /names an address, or holds a number that can be an amount/);
    await isPermit(form('address', wallet.address));
    await isPermit(form('uint256', 2026));
  });

  const fields = (text: string) =>
    text.split(',').map((member) => ({ type: member.split(' ')[0]!, name: member.split(' ')[1]! }));
  const permission = (name: string, members: string, values: object): Data => ({
    primaryType: name,
    types: { [name]: fields(members) },
    domain: { chainId: CHAIN_ID, verifyingContract: world.ethereum.contracts.NFT },
    message: { nonce: 0, ...values },
  });
  variant('permissions over all that is deposited need a tick; taking them back does not', async () => {
    const deadline = permit().message['deadline'];
    const spender = world.ethereum.contracts.DUSD;
    const compound = (isAllowed: boolean) =>
      permission(
        'Authorization',
        'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry',
        { owner: wallet.address, manager: spender, isAllowed, expiry: deadline },
      );
    const morpho = (isAuthorized: boolean) =>
      permission(
        'Authorization',
        'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline',
        { authorizer: wallet.address, authorized: spender, isAuthorized, deadline },
      );
    const positions = (approved: boolean) =>
      permission('PermitForAll', 'address operator,bool approved,uint256 nonce,uint256 deadline', {
        operator: spender,
        approved,
        deadline,
      });
    const debt = (is: boolean) =>
      permission('DelegationWithSig', 'address delegatee,uint256 value,uint256 nonce,uint256 deadline', {
        delegatee: spender,
        value: is ? MAX : '0',
        deadline,
      });
    for (const [data, words] of [
      [compound, /could act in your name/],
      [morpho, /could act in your name/],
      [positions, /could take all your/],
      [debt, /could borrow in your name/],
    ] as const) {
      await needsTick(typed(data(true)), words);
      await isPermit(data(false));
    }
  });

  variant('an operation of a smart account that sends something needs a tick', async () => {
    const ACCOUNT = new Interface(['function execute(address to, uint256 value, bytes data)']);
    const operation = (recipient: string): Data => ({
      primaryType: 'PackedUserOperation',
      types: {
        PackedUserOperation: fields(
          'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
        ),
      },
      domain: {
        name: 'ERC4337',
        version: '1',
        chainId: CHAIN_ID,
        verifyingContract: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
      },
      message: {
        sender: wallet.address,
        nonce: 0,
        initCode: '0x',
        callData: ACCOUNT.encodeFunctionData('execute', [
          world.ethereum.contracts.DUSD,
          0,
          TOKEN.encodeFunctionData('transfer', [recipient, String(900n * 10n ** 18n)]),
        ]),
        accountGasLimits: `0x${'00'.repeat(32)}`,
        preVerificationGas: 0,
        gasFees: `0x${'00'.repeat(32)}`,
        paymasterAndData: '0x',
      },
    });
    await needsTick(typed(operation(FRIEND)), /This signature can send .*900 DUSD/);
    // What else the account's own code does is not known.
    await isPermit(operation(wallet.address), /I could lose what the account holds/);
  });
});

describeVariants('sign-ins', () => {
  const signIn = (change: SignIn = {}) => said(signInOf(visitor.origin, wallet, change));
  const control = async (): Promise<void> => {
    const text = signInOf(visitor.origin, wallet);
    const { result } = await isSigned(said(text));
    assert.equal(verifyMessage(text, result.signature), wallet.address);
  };

  for (const [what, change, words] of [
    ['for another site', () => ({ domain: 'bank.example' }), /This sign-in is for bank\.example/],
    [
      'for a sub-domain of the site',
      () => ({ domain: `bank.${new URL(visitor.origin).host}` }),
      /This sign-in is for bank\./,
    ],
    [
      'that hides the other site behind a user name',
      () => ({ domain: `${new URL(visitor.origin).host}@bank.example`.replace(':', '') }),
      /This sign-in is for .*@bank\.example/,
    ],
    [
      'for the site on another port',
      () => ({ domain: `${new URL(visitor.origin).hostname}:8443` }),
      /This sign-in is for .*:8443/,
    ],
    ['for a page of another site', () => ({ uri: 'https://bank.example/login' }), /page of another site/],
    ['of another wallet', () => ({ address: FRIEND }), /for another wallet/],
    ['on another network', () => ({ chainId: 1 }), /for another network/],
    ['that is over', () => ({ more: '\nExpiration Time: 2021-01-05T00:00:00Z' }), /no longer valid/],
    ['that is good only later', () => ({ more: '\nNot Before: 2100-01-07T14:31:43.952Z' }), /not valid yet/],
    [
      'with more words after its end',
      () => ({ more: '\nI give away all my tokens.' }),
      /reads like a sign-in, but is not one/,
    ],
  ] as [string, () => SignIn, RegExp][])
    variant(`one ${what} needs a tick`, async () => {
      await needsTick(signIn(change()), words);
      await control();
    });

  for (const chain of ['Polygon', 'Arbitrum One', 'eip155', 'EVM'])
    variant(`one for another site with a ${chain} account needs a tick`, async () => {
      const dialect = (change: SignIn = {}) =>
        said(signInOf(visitor.origin, wallet, change).replace('Ethereum account', `${chain} account`));
      await needsTick(dialect({ domain: 'bank.example' }), /This sign-in is for bank\.example/);
      await isSigned(dialect());
    });

  variant('one for the same name by https needs a tick, in these words', async () => {
    const { host } = new URL(visitor.origin);
    await needsTick(signIn({ domain: `https://${host}` }), /This sign-in is for https:.*, not for http:/);
    await control();
  });

  variant('one with invisible characters between its words is not one', async () => {
    const text = signInOf(visitor.origin, wallet).replace('sign in', 'sign\u200b in');
    await needsTick(said(text), /reads like a sign-in, but is not one/);
    await control();
  });
});

describeVariants('raw data', () => {
  const unprefixed = (data: string) => raw(data, { prefix: false });

  variant('an EIP-7702 authorization is refused; the same bytes as a message are not', async () => {
    const authorisation = `0x05d70194${FRIEND.slice(2).toLowerCase()}80`;
    await isRefused(unprefixed(authorisation), 'data');
    await visitor.startAgain();
    await isRefused({ ...unprefixed(authorisation), type: 'ETHEREUM_TRANSACTION' }, 'data');
    await visitor.startAgain();
    const view = await ask(raw(authorisation));
    await view.root.getByRole('checkbox').first().check();
    await view.approve();
    const { value } = await visitor.answer<SignResult>();
    assert.equal(
      verifyMessage(Buffer.from(authorisation.slice(2), 'hex'), value!.result.signature),
      wallet.address,
    );
  });

  variant('typed data that is already hashed is refused; as typed data it is shown and signed', async () => {
    const data = permit({ value: MAX });
    await isRefused(unprefixed(TypedDataEncoder.encode(data.domain, data.types, data.message)), 'data');
    await isPermit(permit());
  });

  variant(
    'a digest of 32 bytes says that it could hand over the whole account, and needs a tick',
    async () => {
      const data = permit({ value: MAX });
      const digest = TypedDataEncoder.hash(data.domain, data.types, data.message);
      await needsTick({ ...unprefixed(digest), hash: false }, /hand over the whole account/);
      await isPermit(permit());
    },
  );

  variant('text that is signed without its prefix has a caution', async () => {
    const before = await holdings(world, wallet);
    const view = await ask({ ...said('Hello'), prefix: false });
    await view.text('This is not marked as a message').first().waitFor();
    await view.approve();
    const { value } = await visitor.answer<SignResult>();
    assert.equal(recoverAddress(id('Hello'), value!.result.signature), wallet.address);
    await visitor.startAgain();
    const marked = await ask(said('Hello'));
    await marked.button(/^Approve/).waitFor();
    assert.equal(await marked.text('This is not marked as a message').count(), 0);
    await marked.press('Reject');
    assert.equal(await holdings(world, wallet), before, 'nothing moved');
  });
});

if (EVERY_VARIANT)
  describe('in a window, cross-site', () => {
    before(async () => {
      await visitor.close();
      visitor = await world.visit('popup');
      wallet = await visitor.wealthyWallet();
    });

    core('an unlimited permit needs a tick; one with a limit does not', async () => {
      await needsTick(typed(permit({ value: MAX })), /could take all your DUSD/);
      await isPermit(permit());
    });

    variant('a sign-in for another site needs a tick; one for this site does not', async () => {
      const text = (change: SignIn = {}) => signInOf(visitor.origin, wallet, change);
      await needsTick(said(text({ domain: 'bank.example' })), /This sign-in is for bank\.example/);
      const { result } = await isSigned(said(text()));
      assert.equal(verifyMessage(text(), result.signature), wallet.address);
    });

    variant(
      'a digest of 32 bytes says that it could hand over the whole account, and needs a tick',
      async () => {
        const data = permit({ value: MAX });
        const digest = TypedDataEncoder.hash(data.domain, data.types, data.message);
        await needsTick(raw(digest, { prefix: false, hash: false }), /hand over the whole account/);
        await isPermit(permit());
      },
    );
  });
