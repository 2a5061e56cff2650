/** Every documented bad input, by action. Each must be refused with the code and the path that its case names, and open nothing. */
import type { Payload, Scenario } from './scenarios.ts';

export interface BadCase {
  name: string;
  code: string;
  /** Field that an issue must name. */
  path?: string;
  payload: Payload;
}

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
/** One letter in the wrong case. */
const BAD_CHECKSUM = '0x8F3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

interface Field {
  path: string;
  values: unknown[];
  /** Field that the value goes into, when it is not the path. */
  field?: string;
}

/** One case for each bad value; `undefined` leaves the field out. */
function cases(base: Payload, inside: 'request' | null, fields: Field[]): BadCase[] {
  return fields.flatMap(({ path, field = path, values }) =>
    values.map((value) => {
      const target = inside ? (base[inside] as Record<string, unknown>) : base;
      const changed = { ...target, [field]: value };
      return {
        name: `${field}: ${value === undefined ? 'missing' : JSON.stringify(value)}`,
        code: 'request.invalid',
        path,
        payload: (inside ? { ...base, [inside]: changed } : changed) as Payload,
      };
    }),
  );
}

const ADDRESSES = ['', '0x1234', 'nobody', BAD_CHECKSUM, 7, null];
const HEX = ['hello', '0x123', '0xzz', 7];
const PINCODES = ['12', '1234567', 'abcd', 1234];

function transfer(): BadCase[] {
  return cases({ action: 'transfer', to: TO, value: '1', secretType: 'ETHEREUM' }, null, [
    { path: 'to', values: [...ADDRESSES, undefined] },
    { path: 'value', values: [-1, '-1', '1e3', 'one', '', '0.1234567890123456789', null, undefined] },
    { path: 'secretType', values: ['DOGECOIN', '', undefined] },
    { path: 'tokenAddress', values: ['0x1234', 'USD', BAD_CHECKSUM] },
    { path: 'data', values: HEX },
  ]);
}

function common(action: Payload): BadCase[] {
  return cases(action, 'request', [
    { path: 'value', values: [-1, 1.5, '1.5', '1e18', 'one', 123456789012345680000, null, undefined] },
    { path: 'gasPrice', values: [0, -1, 1.5, 'fast'] },
    { path: 'gas', values: [-1, 1.5, 'much'] },
    { path: 'nonce', values: [-1, 1.5, 'next'] },
    { path: 'pincode', values: PINCODES },
    { path: 'network', values: ['mainnet', 7] },
    {
      path: 'network.nodeUrl',
      field: 'network',
      values: [
        { name: 'Mine', chainId: 31337 },
        { name: 'Mine', nodeUrl: 'node', chainId: 31337 },
      ],
    },
    { path: 'colour', values: ['red'] },
  ]);
}

function transaction(): BadCase[] {
  const base = { action: 'execute', request: { type: 'ETH_TRANSACTION', to: TO, value: '1' } };
  return [
    ...common(base),
    ...cases(base, 'request', [
      { path: 'to', values: [...ADDRESSES, undefined] },
      { path: 'data', values: HEX },
      { path: 'type', values: ['ETH_TRANSFER', '', undefined] },
    ]),
  ];
}

function token(): BadCase[] {
  const base = {
    action: 'execute',
    request: { type: 'ETHEREUM_ERC20_TRANSACTION', to: TO, value: '1', tokenAddress: TO },
  };
  return [
    ...common(base),
    ...cases(base, 'request', [
      { path: 'to', values: [...ADDRESSES, undefined] },
      { path: 'tokenAddress', values: [...ADDRESSES, undefined] },
      { path: 'data', values: ['0x00'] },
    ]),
  ];
}

function signature(): BadCase[] {
  const base = { action: 'sign', type: 'ETHEREUM_RAW', data: '0x00' };
  return [
    ...cases(base, null, [
      { path: 'type', values: ['ETHEREUM', '', undefined] },
      { path: 'data', values: [...HEX, '', undefined] },
      { path: 'prefix', values: ['no'] },
      { path: 'hash', values: ['no'] },
    ]),
    ...cases({ ...base, prefix: false, hash: false }, null, [
      { path: 'data', values: ['0x00', `0x${'ab'.repeat(33)}`] },
    ]),
    ...cases({ ...base, type: 'ETHEREUM_TRANSACTION', prefix: false }, null, [
      { path: 'data', values: ['0xc0ffee'] },
    ]),
  ];
}

function link(): BadCase[] {
  return [
    ...cases({ action: 'linkWallets' }, null, [{ path: 'secretTypes', values: ['ETHEREUM'] }]),
    ...cases({ action: 'linkWallets' }, null, [
      { path: 'secretTypes.0', field: 'secretTypes', values: [['NEO'], ['DOGECOIN'], [7]] },
    ]),
    ...cases({ action: 'manageWallets' }, null, [{ path: 'chain', values: ['NEO', '', 7, undefined] }]),
  ];
}

/** A wallet of another site and one that never was are told apart by nobody. */
function strangers(): BadCase[] {
  const walletId = '00000000-0000-4000-8000-000000000000';
  const forbidden: Payload[] = [
    { action: 'transfer', walletId, to: TO, value: '1', secretType: 'ETHEREUM' },
    { action: 'execute', request: { walletId, type: 'ETH_TRANSACTION', to: TO, value: '1' } },
    { action: 'sign', walletId, type: 'ETHEREUM_RAW', data: '0x00' },
    { action: 'balance', walletId },
  ];
  return forbidden.map((payload) => ({
    name: `${payload.action} with an unknown wallet`,
    code: 'wallet.forbidden',
    payload,
  }));
}

function chains(): BadCase[] {
  const body = { to: TO, value: '1' };
  const unsupported: Payload[] = [
    { action: 'build', body: { ...body, type: 'TRANSFER', secretType: 'NEO' } },
    {
      action: 'build',
      body: { ...body, type: 'NFT_TRANSFER', secretType: 'BITCOIN', tokenAddress: TO, tokenId: '1' },
    },
  ];
  return unsupported.map((payload) => ({
    name: `build for ${(payload['body'] as { secretType: string }).secretType}`,
    code: 'chain.not-supported',
    payload,
  }));
}

function scenario(id: string, title: string, hint: string, made: () => BadCase[]): Scenario {
  return { id, title, hint, payload: () => ({ action: 'refused', cases: made() }) };
}

const HINT = 'Every case must be refused with the field’s path, and nothing may open.';

export const BAD_INPUT: Scenario[] = [
  scenario('bad-transfer', 'Transfer', HINT, transfer),
  scenario('bad-transaction', 'ETH_TRANSACTION', HINT, transaction),
  scenario('bad-token', 'ERC-20 transaction', HINT, token),
  scenario('bad-signature', 'Signature', HINT, signature),
  scenario('bad-link', 'Link and manage', HINT, link),
  scenario(
    'bad-wallet',
    'Unknown wallet',
    'wallet.forbidden, whether it is another site’s or nobody’s.',
    strangers,
  ),
  scenario('bad-chain', 'Unsupported chain', 'chain.not-supported.', chains),
];
