/**
 * Native transaction requests in `/openapi.json`: one schema for each `type`, from the chain's own payload schemas. These
 * parse most values with functions, which JSON Schema cannot express: what those take is said here by the field's name.
 */
import * as z from 'zod';
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';
import { everywhere, type JsonSchema, withMeanings, withPortablePatterns } from './published-schemas.ts';
import { NoNetwork } from '../../src/chains/requests/fields.ts';
import { loadPayloads } from '../networks/chains.ts';
import { NATIVE_TYPES } from '../../src/chains/transaction-types.ts';

type Properties = Record<string, JsonSchema>;

const NULL: JsonSchema = { type: 'null' };
const TEXT: JsonSchema = { type: 'string' };
const HEX_ADDRESS: JsonSchema = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };

function countOr(pattern: string): JsonSchema {
  return {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern },
    ],
  };
}
/** In smallest units, or a count. */
const WHOLE = countOr('^[0-9]{1,78}$');

const FIELDS: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    (
      'value amount fee feeLimit feePerByte feePerKiloByte gas gasPrice gasPriceCoef maxFeePerGas maxPriorityFeePerGas ' +
      'nonce ttl expiration chainId'
    )
      .split(' ')
      .map((name) => [name, WHOLE]),
  ),
  ...Object.fromEntries(
    'to tokenAddress token address data memo name nodeUrl functionName type'
      .split(' ')
      .map((name) => [name, TEXT]),
  ),
  blockRef: { type: 'string', pattern: '^0x[0-9a-fA-F]{16}$' },
  dependsOn: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
};

/** Where a chain differs. */
const OF_CHAIN: Partial<Record<SecretType, Readonly<Record<string, JsonSchema>>>> = {
  // Its transactions have one price.
  GOCHAIN: { maxFeePerGas: NULL, maxPriorityFeePerGas: NULL, accessList: NULL },
  VECHAIN: {
    nonce: countOr('^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$'),
    chainTag: countOr('^(?:0x[0-9a-fA-F]{1,2}|[0-9]{1,3})$'),
  },
};

/** With what the functions of its fields take. Null is an optional field's absence. */
function withFields(schema: JsonSchema, secretType: SecretType): JsonSchema {
  const hex = CARDS[secretType].addresses === 'hex' ? HEX_ADDRESS : TEXT;
  const schemas = { ...FIELDS, to: hex, tokenAddress: hex, address: hex, ...OF_CHAIN[secretType] };
  return everywhere(schema, (one) => {
    if (typeof one.properties !== 'object') return one;
    const properties = Object.entries(one.properties as Properties).map(([name, of]) => {
      const field =
        Object.keys(of).length === 0 && Object.hasOwn(schemas, name) ? schemas[name as 'to']! : of;
      const isRequired = one.required?.includes(name) || field === of || field === NULL;
      return [name, isRequired ? field : { anyOf: [...(field.anyOf ?? [field]), NULL] }];
    });
    return { ...one, properties: Object.fromEntries(properties) };
  }) as JsonSchema;
}

/** By `type`, in the order of the table of types. */
export async function nativeRequests(): Promise<JsonSchema[]> {
  return Promise.all(
    Object.entries(NATIVE_TYPES).map(async ([type, secretType]) => {
      const schema = (await loadPayloads(secretType)).transactions[type]!;
      const { $schema: _, ...json } = z.toJSONSchema(schema as z.core.$ZodType, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        override({ zodSchema, jsonSchema }) {
          const { properties } = jsonSchema;
          if (zodSchema === (NoNetwork as unknown)) jsonSchema.not = {};
          const network = properties?.['network'] as JsonSchema | undefined;
          if (network) properties!['network'] = withId(network);
        },
      });
      return withMeanings(withPortablePatterns(withFields(json, secretType)));
    }),
  );
}

/** The `network` of a request: the id of one of the wallet's, or what else the chain's own schema takes. */
function withId(network: JsonSchema): JsonSchema {
  const others = network.not ? [NULL] : ((network.anyOf ?? [network]) as JsonSchema[]);
  return { anyOf: [{ type: 'string', maxLength: 64 }, ...others.filter(({ type }) => type !== 'string')] };
}

/** `general`: the fields of every type, as the API itself checks them; it also says which of them are required. */
export function byType(natives: readonly JsonSchema[], general: JsonSchema): JsonSchema {
  const { type: _, ...common } = (general.properties ?? {}) as Properties;
  return {
    description:
      'Amounts are in smallest units, as a number or, where that would not be exact, as decimal digits. An object has the fields of its `type`.',
    oneOf: natives.map((native) => {
      const { pincode: _pincode, ...properties } = native.properties as Properties;
      return {
        ...native,
        properties: { ...properties, ...common },
        required: [
          ...new Set([
            ...(native.required ?? []).filter((name) => !Object.hasOwn(common, name)),
            ...(general.required ?? []),
          ]),
        ],
      };
    }),
    discriminator: { propertyName: 'type' },
  } as JsonSchema;
}
