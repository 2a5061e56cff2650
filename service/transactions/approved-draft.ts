/** Drafts from outside: what was approved in the frame. Only what is signed counts; it is checked here once more, field by field. */
import * as z from 'zod';
import { draftFromJson } from '../../src/api/draft-json.ts';
import type { Chain, Draft } from '../../src/chains/chain.ts';
import type { Network } from '../../src/chains/network.ts';
import { invalid, toIssues } from '../../src/chains/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { isAssetId } from '../../src/chains/tron/fields.ts';

const MAX_DATA = 131_072;

const uint = (bits: number) =>
  z
    .bigint()
    .min(0n)
    .lt(2n ** BigInt(bits));
const Count = z.int().min(0);
const Uint32 = Count.max(0xffffffff);
const Hex = z
  .string()
  .max(2 + 2 * MAX_DATA)
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be bytes in hex');
const bytes = (length: number) =>
  Hex.refine((text) => text.length === 2 + 2 * length, `must be ${length} bytes in hex`);
const Address = z.string().min(1).max(128);
const Recipient = Address.nullable();
/** Not signed: reads of the node, which nothing here relies on. */
const Facts = z.looseObject({}).default({});

const EvmFields = z
  .object({
    chainId: z.int().min(1),
    type: z.literal([0, 2]),
    nonce: Count,
    gas: uint(64),
    gasPrice: uint(256).optional(),
    maxFeePerGas: uint(256).optional(),
    maxPriorityFeePerGas: uint(256).optional(),
    to: Recipient,
    value: uint(256),
    data: Hex,
  })
  .refine(
    ({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }) =>
      type === 0
        ? gasPrice !== undefined && maxFeePerGas === undefined && maxPriorityFeePerGas === undefined
        : gasPrice === undefined && maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined,
    { path: ['type'], error: 'must go with its prices' },
  );

const UtxoFields = z.object({
  to: Address,
  value: uint(63),
  inputs: z
    .array(
      z.object({
        txid: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
        vout: Uint32,
        value: uint(63),
        script: Hex.max(200),
      }),
    )
    .min(1)
    .max(200),
  outputs: z
    .array(z.object({ value: uint(63), script: Hex.max(200) }))
    .min(1)
    .max(2),
  fee: uint(63),
  size: Count,
});

const TronFields = z.object({
  contract: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('coin'), to: Address, amount: uint(63) }),
    z.object({
      kind: z.literal('asset'),
      token: z.string().max(19).refine(isAssetId, 'must be digits'),
      to: Address,
      amount: uint(63),
    }),
    z.object({ kind: z.literal('call'), to: Address, value: uint(63), data: Hex }),
  ]),
  refBlockBytes: bytes(2),
  refBlockHash: bytes(8),
  expiration: Count,
  timestamp: Count,
  feeLimit: uint(63),
  memo: Hex,
});

const VechainFields = z
  .object({
    chainTag: Count.max(255),
    blockRef: bytes(8),
    expiration: Uint32,
    clauses: z
      .array(z.object({ to: Recipient, value: uint(256), data: Hex }))
      .min(1)
      .max(500),
    gasPriceCoef: Count.max(255).optional(),
    maxPriorityFeePerGas: uint(256).optional(),
    maxFeePerGas: uint(256).optional(),
    gas: uint(64),
    dependsOn: bytes(32).nullable(),
    nonce: uint(64),
    delegated: z.boolean(),
    sponsor: z.object({ host: Address, signature: bytes(65) }).optional(),
  })
  .refine(
    ({ gasPriceCoef, maxFeePerGas, maxPriorityFeePerGas }) =>
      (gasPriceCoef === undefined) === (maxFeePerGas !== undefined) &&
      (maxFeePerGas === undefined) === (maxPriorityFeePerGas === undefined),
    { path: ['gasPriceCoef'], error: 'or the two prices must be there' },
  );

const AeternityFields = z.object({
  to: Address,
  amount: uint(256),
  fee: uint(256),
  ttl: Count,
  nonce: Count,
  payload: Hex,
  networkId: z.string().min(1).max(128),
});

const FIELDS: Readonly<Record<SecretType, z.ZodType<object>>> = {
  BITCOIN: UtxoFields,
  LITECOIN: UtxoFields,
  ETHEREUM: EvmFields,
  GOCHAIN: EvmFields,
  VECHAIN: VechainFields,
  TRON: TronFields,
  AETERNITY: AeternityFields,
};

const Common = z.object({
  secretType: z.string(),
  from: z.string(),
  network: z.looseObject({ id: z.string() }),
  custom: z.undefined('must be absent: the node of a site is not asked here').optional(),
  facts: Facts,
});

/** Throws `request.invalid` at `draft`. `network` is the wallet's; what the draft says about its own, other than its id, is left out. */
export function readApproved(
  text: string,
  { chain, network, address }: { chain: Chain; network: Network; address: string },
): Draft {
  let json: unknown;
  try {
    json = draftFromJson(text);
  } catch {
    throw wrong('is not the text of one');
  }
  const { from, facts, secretType, ...common } = parsed(Common, json);
  if (secretType !== chain.secretType)
    throw wrong(`is of ${secretType}, and the wallet of ${chain.secretType}`);
  if (from !== address) throw wrong('is of another wallet: from must be its address');
  if (common.network.id !== network.id) throw wrong(`must be on ${network.id}, as the wallet is`);
  const fields = parsed(FIELDS[chain.secretType], json);
  checkNetwork(fields, network);
  for (const to of recipientsOf(fields))
    if (!chain.isAddress(to, network.kind)) throw wrong(`has a recipient that is no address: ${to}`);
  return { ...fields, facts, secretType: chain.secretType, from, network } as Draft;
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const [issue] = error.issues.flatMap(toIssues);
  throw wrong(`${issue?.path ? `has a wrong field: ${issue.path} ` : ''}${issue?.message}`);
}

/** What makes a signature good on one network only. */
function checkNetwork(fields: object, network: Network): void {
  const { chainId, networkId, chainTag } = fields as Record<string, unknown>;
  const isOther =
    (chainId !== undefined && chainId !== network.chainId) ||
    (networkId !== undefined && networkId !== network.genesis) ||
    (chainTag !== undefined && chainTag !== Number(`0x${network.genesis?.slice(-2)}`));
  if (isOther) throw wrong(`is for another network than ${network.name}`);
}

function recipientsOf(fields: object): string[] {
  const { to, contract, clauses } = fields as {
    to?: string | null;
    contract?: { to: string };
    clauses?: { to: string | null }[];
  };
  return [to, contract?.to, ...(clauses ?? []).map((clause) => clause.to)].filter(
    (one) => typeof one === 'string',
  );
}

export function wrong(message: string): Error {
  return invalid('draft', message);
}
