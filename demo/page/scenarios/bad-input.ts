/** Invalid requests, by action. Each must be refused with the code and path that its case names. */
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import type { Payload, Scenario } from './scenario.ts';

export interface BadCase {
  name: string;
  code: string;
  /** The field that an issue must name. */
  path?: string;
  payload: Payload;
}

export interface Field {
  path: string;
  values: unknown[];
  /** The field that gets the value, if it is not the path. */
  field?: string;
}

/** Values that no field for hex bytes accepts. */
export const NOT_HEX = ['hello', '0x123', '0xzz', 7];
/** Values that are no amount in smallest units. */
export const NOT_SMALLEST = [-1, 1.5, '1.5', '1e18', 'one', 123456789012345680000, null, undefined];

/** A PIN must be well-formed even though it is dropped. Only Ethereum's requests have `network`, none have `colour`. */
export const EVERYWHERE: Field[] = [
  { path: 'pincode', values: ['12', '1234567', 'abcd', 1234] },
  { path: 'colour', values: ['red'] },
];
export const NO_NETWORK: Field = { path: 'network', values: ['mainnet', { name: 'Mine' }] };

const EXAMPLES: Partial<Record<SecretType, string>> = {
  ETHEREUM: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  BITCOIN: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  LITECOIN: 'ltc1qw2u7f3puu6fqusyahwky0l894l6233kqk38395',
  TRON: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  AETERNITY: 'ak_2rWzKE9RQJEUxVPJjZZtTddfvHRj3PcAY6Ytim9AzCKKbfC3fN',
};

/** Values that are no address of the chain: other text, typical mistakes for the chain (`more`), and every other chain's addresses. */
export function notAddresses(own: SecretType, ...more: string[]): unknown[] {
  const sameForm = ['ETHEREUM', 'GOCHAIN', 'VECHAIN'].includes(own) ? 'ETHEREUM' : own;
  const foreign = Object.entries(EXAMPLES).flatMap(([chain, address]) =>
    chain === sameForm ? [] : [address],
  );
  return ['', '0x1234', 'nobody', ...more, ...foreign, 7, null, undefined];
}

/** One case per bad value in the payload, or in the object in its field `inside`; `undefined` leaves the field out. */
export function cases(base: Payload, inside: 'request' | null, fields: Field[]): BadCase[] {
  return fields.flatMap(({ path, field = path, values }) =>
    values.map((value) => {
      const target = inside ? (base[inside] as Record<string, unknown>) : base;
      const changed = { ...target, [field]: value };
      return refusal(field, value, path, (inside ? { ...base, [inside]: changed } : changed) as Payload);
    }),
  );
}

export function refusal(field: string, value: unknown, path: string, payload: Payload): BadCase {
  return {
    name: `${field}: ${value === undefined ? 'missing' : JSON.stringify(value)}`,
    code: 'request.invalid',
    path,
    payload,
  };
}

/** `secretType`: the chain whose schemas are loaded first, so that nothing opens. */
export function badInput(
  secretType: SecretType,
  id: string,
  title: string,
  made: () => BadCase[],
  hint = 'Every case must be refused with the field’s path, and nothing may open.',
): Scenario {
  return { id, title, hint, payload: () => ({ action: 'refused', secretType, cases: made() }) };
}

/** `tooFine`: a value with more decimals than the coin. */
export function badTransfer(
  secretType: SecretType,
  to: string,
  notTo: unknown[],
  tooFine: string,
  ...more: Field[]
): Scenario {
  return badInput(secretType, 'bad-transfer', 'Transfer', () =>
    cases({ action: 'transfer', to, value: '1', secretType }, null, [
      { path: 'to', values: notTo },
      { path: 'value', values: [-1, '-1', '1e3', 'one', '', tooFine, null, undefined] },
      { path: 'secretType', values: ['DOGECOIN', '', undefined] },
      ...more,
    ]),
  );
}

export function badNative(
  secretType: SecretType,
  id: string,
  title: string,
  request: Record<string, unknown>,
  fields: Field[],
): Scenario {
  return badInput(secretType, id, title, () => cases({ action: 'execute', request }, 'request', fields));
}

/** Requests that only the wallet can refuse: it opens and closes by itself. */
export function refusedByWallet(
  secretType: SecretType,
  id: string,
  title: string,
  request: Record<string, unknown>,
  fields: Field[],
): Scenario {
  return badInput(
    secretType,
    id,
    title,
    () => cases({ action: 'execute', request }, 'request', fields),
    'Needs a linked wallet. It opens, because only the wallet knows its network, and refuses.',
  );
}

/** Another site's wallet and one that never existed must be indistinguishable. */
export function badWallet(
  secretType: SecretType,
  to: string,
  request: Record<string, unknown>,
  signature?: Record<string, unknown>,
): Scenario {
  const walletId = '00000000-0000-4000-8000-000000000000';
  const forbidden: Payload[] = [
    { action: 'transfer', walletId, to, value: '1', secretType },
    { action: 'execute', request: { walletId, ...request } },
    ...(signature ? [{ action: 'sign', walletId, ...signature }] : []),
    { action: 'balance', walletId },
  ];
  return badInput(
    secretType,
    'bad-wallet',
    'Unknown wallet',
    () =>
      forbidden.map((payload) => ({
        name: `${payload.action} with an unknown wallet`,
        code: 'wallet.forbidden',
        payload,
      })),
    'wallet.forbidden, whether it is another site’s wallet or nobody’s.',
  );
}

/** Build bodies that the chain does not support, by type. */
export function badChain(
  secretType: SecretType,
  to: string,
  unsupported: Record<string, Record<string, unknown>> = {},
): Scenario {
  const bodies: Record<string, unknown>[] = [
    { type: 'TRANSFER', secretType: 'NEO', to, value: '1' },
    ...Object.entries(unsupported).map(([type, fields]) => ({ type, secretType, to, ...fields })),
  ];
  return badInput(
    secretType,
    'bad-chain',
    'Unsupported chain',
    () =>
      bodies.map((body) => ({
        name: `${body['type']} for ${body['secretType']}`,
        code: 'chain.not-supported',
        payload: { action: 'build', body },
      })),
    `chain.not-supported, for NEO and for what ${CHAIN_NAMES[secretType]} does not have; nothing opens.`,
  );
}

export function badLink(secretType: SecretType): Scenario {
  return badInput(
    secretType,
    'bad-link',
    'Link and manage',
    () => [
      ...cases({ action: 'linkWallets' }, null, [
        { path: 'secretTypes', values: [secretType] },
        { path: 'secretTypes.0', field: 'secretTypes', values: [['NEO'], ['DOGECOIN'], [7]] },
      ]),
      ...cases({ action: 'manageWallets' }, null, [{ path: 'chain', values: ['NEO', '', 7, undefined] }]),
    ],
    'Every case must be refused with the field’s path.',
  );
}
