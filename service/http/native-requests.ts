/**
 * Native transaction requests in `/openapi.json`: one schema for each `type`, from the chain's own payload schemas. These
 * parse most values with functions, which JSON Schema cannot express: such a field has a name and no type.
 */
import * as z from 'zod';
import { NoNetwork } from '../../src/chains/requests/fields.ts';
import { loadPayloads } from '../networks/chains.ts';
import { NATIVE_TYPES } from '../../src/chains/transaction-types.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Properties = Record<string, JsonSchema>;

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
      return json;
    }),
  );
}

/** The `network` of a request: the id of one of the wallet's, or what else the chain's own schema takes. */
function withId(network: JsonSchema): JsonSchema {
  const others = network.not ? [{ type: 'null' as const }] : (network.anyOf ?? [network]);
  return { anyOf: [{ type: 'string', maxLength: 64 }, ...others] };
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
