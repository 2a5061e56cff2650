/** JSON Schema as generators and validators of other languages read it, from that of zod. */
import * as z from 'zod';
import { Origin } from '../../src/api/account.ts';
import { Currency, LineItems, MAX_METADATA, Metadata, Url } from '../../src/api/checkout.ts';
import { Card, COUNTRIES, Country, TestCardNumber } from '../../src/api/pay.ts';
import { Amount, ExecuteRequest, SignatureRequest } from '../../src/api/transaction.ts';
import { TEST_CARDS } from '../../src/api/test-cards.ts';
import { Time } from '../../src/api/time.ts';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** What functions check, and JSON Schema could not say otherwise. */
const CHECKED: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [Time, { format: 'date-time' }],
  [
    Origin,
    { pattern: '^https?://[^/?#@]+$', description: 'An origin as browsers write it, without a path.' },
  ],
  [
    Url,
    {
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\\\\\s]+[^@\\\\\\s]*$',
      description: 'A URL as browsers read it, without user name and password.',
    },
  ],
  [
    Amount,
    {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: '^[0-9]+(?:\\.[0-9]+)?$', maxLength: 340 },
      ],
    },
  ],
  [Currency, { enum: Intl.supportedValuesOf('currency') }],
  [LineItems, { description: 'All in one currency, with a sum of at most twelve digits.' }],
  [Metadata, { maxProperties: MAX_METADATA }],
  [Country, { enum: [...COUNTRIES] }],
  [TestCardNumber, { enum: TEST_CARDS.map(({ number }) => number) }],
  [
    Card,
    {
      description:
        'It has not expired, and its security code has 3 digits, or 4 of an American Express card.',
    },
  ],
  [SignatureRequest.shape.type, { description: 'One of the wallet’s chain.' }],
  [ExecuteRequest, { description: 'It has `pincode` or `session`, not both.' }],
]);

/** With what its functions check, if that is known here. For `override` of `z.toJSONSchema`. */
export function describeChecks(zodSchema: unknown, jsonSchema: JsonSchema): void {
  Object.assign(jsonSchema, CHECKED.get(zodSchema));
  // The pattern says it: models for Python import another package for the format.
  if (jsonSchema.format === 'email') delete jsonSchema.format;
}

/** What a request's field must be beyond its schema: by its state, its chain, or another field. */
const MEANINGS: Readonly<Record<string, string>> = {
  address: 'An address of the chain, with its checksum.',
  amount: 'Exact: a number only as far as JSON keeps its digits, else text.',
  annex: 'Of a `VECHAIN_CERTIFICATE` only.',
  before: 'An id in the same list.',
  cursor: 'From the `Link` of the previous page of the same list.',
  data: 'In the form of the type and the chain.',
  draft: 'As the wallet writes it.',
  draftHash: 'Of the transaction that waits for the approval.',
  exchange: 'One that the rates name.',
  format: 'Of a message of Bitcoin or Litecoin only.',
  from: 'An address of the chain, or the id of a wallet.',
  fromSecretType: 'The chain of the wallet.',
  fromToken: 'An address of the chain; empty: the coin.',
  functionName: 'A function name, or a signature with its types.',
  hash: 'A transaction’s hash, in the form of its chain.',
  icon: 'The id of an icon that was uploaded.',
  identityProvider: 'One that the service is set up with.',
  inputs: 'As the function takes them.',
  key: 'In the form of the chain’s wallets.',
  limit: 'Entries of a page.',
  merchant: 'Shown to customers.',
  network: 'The id of a network that the wallet is on.',
  next: 'Not one that is easy to guess.',
  nodeUrl: 'On the public internet, if the network’s operator allows nodes of requests.',
  passkey: 'The answer of the account’s passkey to this request.',
  payments: 'Ids of payments of this session.',
  pincode: 'Required if nothing that the call takes in its place is sent; a new one is not easy to guess.',
  primary: 'Not of an archived wallet.',
  purpose: 'Of a `VECHAIN_CERTIFICATE` only.',
  recoveryCode: 'The one of this PIN, used once.',
  replaces: 'A transaction’s hash, in the form of its chain.',
  secretType: 'A chain that the service has a network for.',
  session: 'Not beside `pincode`.',
  slippage: 'Percent.',
  to: 'An address of the chain, with its checksum.',
  toSecretType: 'The chain of the wallet that receives.',
  toToken: 'An address of the chain; empty: the coin.',
  token: 'An address of the chain.',
  tokenAddress: 'An address of the chain, with its checksum.',
  tokenId: 'A whole number, as text if JSON would not keep its digits.',
  transactionHash: 'In the form of the chain.',
  unsignedFields: 'Of typed data only.',
  url: 'On the public internet, by https.',
  value: 'Exact: a number only as far as JSON keeps its digits, else text.',
  walletType: '`WHITE_LABEL` of an application, `THREEWAY_SHARED` of a user.',
  walletId: 'A wallet of the caller; of the path, where the path names one.',
};

export function meaningOf(name: string): { description: string } | undefined {
  const description = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  return description === undefined ? undefined : { description };
}

/** With the meaning of each field. */
export function withMeanings(schema: JsonSchema): JsonSchema {
  return everywhere(schema, (one) =>
    typeof one.properties === 'object'
      ? {
          ...one,
          properties: Object.fromEntries(
            Object.entries(one.properties).map(([name, of]) => [
              name,
              { ...meaningOf(name), ...(of as object) },
            ]),
          ),
        }
      : one,
  ) as JsonSchema;
}

const CONTROLS = String.raw`\x00-\x1f\x7f-\x9f`;

/** By their text: within brackets, and outside. */
const CLASSES: Readonly<Record<string, readonly [inside: string, outside: string]>> = {
  [String.raw`\d`]: ['0-9', '[0-9]'],
  [String.raw`\w`]: ['A-Za-z0-9_', '[A-Za-z0-9_]'],
  [String.raw`\p{Cc}`]: [CONTROLS, `[${CONTROLS}]`],
  [String.raw`\P{Cc}`]: ['', `[^${CONTROLS}]`],
  // Half a character is no Unicode text: it cannot be sent as UTF-8, and most languages have no pattern for it.
  [String.raw`\p{Surrogate}`]: ['', ''],
};

/**
 * The same pattern without what only JavaScript reads: Python's `re` and Rust's `regex` (pydantic) refuse `\p{…}` and `[^]`, and take digits
 * and letters of all scripts for `\d` and `\w`.
 */
export function portablePattern(pattern: string): string {
  let isInside = false;
  return pattern.replaceAll(/\[\^\]|\\[pP]\{\w+\}|\\.|[[\]]/gs, (part) => {
    if (part === '[^]') return String.raw`[\s\S]`;
    if (part === '[' || part === ']') {
      isInside = part === '[';
      return part;
    }
    return CLASSES[part]?.[isInside ? 0 : 1] ?? part;
  });
}

/** What `change` makes of every schema in `value`, from inside out. */
export function everywhere(value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => everywhere(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, of]) => [name, everywhere(of, change)] as const);
  return change(Object.fromEntries(inner) as JsonSchema);
}

export function withPortablePatterns(schema: JsonSchema): JsonSchema {
  return everywhere(schema, (one) =>
    typeof one.pattern === 'string' ? { ...one, pattern: portablePattern(one.pattern) } : one,
  ) as JsonSchema;
}

/** The field by whose value the options of a union differ. */
function discriminatorOf(options: readonly JsonSchema[]): string | undefined {
  const consts = options.map(({ properties = {} }) =>
    Object.keys(properties).filter((name) => 'const' in (properties[name] as JsonSchema)),
  );
  return consts[0]?.find((name) => consts.every((names) => names.includes(name)));
}

/** `EthTransaction` of `ETH_TRANSACTION`. */
function pascal(text: string): string {
  return text
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/**
 * With a name for each option of the unions among `components`, and a `discriminator` that maps to them: OpenAPI has none for options without
 * a name (4.8.25), and generators would number them.
 */
export function withNamedOptions(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components).flatMap(([name, schema]) => {
      const options = (schema.oneOf ?? []) as JsonSchema[];
      const propertyName = discriminatorOf(options);
      if (propertyName === undefined) return [[name, schema]];
      const entries = options.map((option) => {
        const value = String((option.properties![propertyName] as JsonSchema).const);
        return { value, name: `${name}${pascal(value)}`, option };
      });
      const refOf = (one: { name: string }) => `#/components/schemas/${one.name}`;
      const union = {
        ...schema,
        oneOf: entries.map((one) => ({ $ref: refOf(one) })),
        discriminator: {
          propertyName,
          mapping: Object.fromEntries(entries.map((one) => [one.value, refOf(one)])),
        },
      } as JsonSchema;
      return [[name, union], ...entries.map((one) => [one.name, one.option] as const)];
    }),
  );
}
