/** The function that CONTRACT_EXECUTION calls, on chains whose contracts follow Solidity's ABI. */
import * as z from 'zod/mini';
import { abiTypeOf } from './abi-types.ts';
import { type ReadAddress, readArgument } from './arguments.ts';
import { field, readText } from '../requests/fields.ts';

export const FunctionName = field((value) => {
  const name = readText(256)(value);
  if (!/^[A-Za-z_$][\w$]*$/.test(name))
    throw new Error('must be the name of a function alone, for example transfer');
  return name;
});

/** The arguments in order, each with its type. */
export function inputsOf(readAddress: ReadAddress) {
  const Input = z
    .strictObject({
      type: field((value) => {
        const type = typeof value === 'string' ? value.replaceAll(' ', '') : '';
        if (type.length > 500 || !abiTypeOf(type))
          throw new Error('must be a Solidity type, for example uint256');
        return type;
      }),
      value: field<unknown, unknown>((value) => {
        if (value === undefined) throw new Error('is required');
        return value;
      }),
    })
    .check(
      z.check((context) => {
        const { type, value } = context.value;
        try {
          readArgument(abiTypeOf(type)!, value, readAddress);
        } catch (error) {
          context.issues.push({
            code: 'custom',
            path: ['value'],
            message: (error as Error).message,
            input: value,
          });
        }
      }),
    );
  return z.array(Input).check(z.maxLength(64, 'must have at most 64 items'));
}
