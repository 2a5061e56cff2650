/** Puts a call that the wallet itself does not know into the words of a descriptor. Adds words only: what is warned of is decided without it. */
import { formatAmount } from '../../base/amount.ts';
import { inertText } from '../../base/text.ts';
import type { CallWords, WordedField } from '../approval/summary.ts';
import { type AbiValue, decodeExactly } from '../contracts/abi.ts';
import { checksum, isAddress } from '../contracts/evm-address.ts';
import { listedToken, tokenAmount } from '../contracts/listed-token.ts';
import type { Network } from '../network.ts';
import { coinOf } from '../secret-type.ts';
import { type DescribedField, type Format, type Place, readDescriptor } from './descriptor.ts';
import { type Leaf, leavesAt, type Parameter, type Path } from './parameters.ts';

/** A transaction's call of the contract at `address`. */
export interface DescribedCall extends Place {
  network: Network;
  from: string;
  /** Of the coin. */
  value: bigint;
  data: string;
}

/** Hex digits of the longest call, as of those that the wallet knows. */
const LONGEST = 65_536;
/** Rows of one field, and of all. */
const MOST = { values: 10, rows: 40, arguments: 40 };
/** Characters of a value that the call itself holds. */
const LONGEST_VALUE = 160;
/** A hundred years, in seconds: longer ones are no durations. */
const LONGEST_DURATION = 3_155_760_000n;

/** Undefined for a function that the file does not describe, and for arguments that are not exactly its own. Throws for a file that is wrong. */
export function wordsOf(text: string, call: DescribedCall): CallWords | undefined {
  const { owner, functions } = readDescriptor(text, call);
  const described = functions.get(call.data.slice(0, 10).toLowerCase());
  if (!described || call.data.length > LONGEST) return undefined;
  const { name, intent, parameters, fields } = described;
  let values: AbiValue[];
  try {
    const types = parameters.map(({ type }) => type);
    values = decodeExactly(types, `0x${call.data.slice(10)}`);
  } catch {
    return undefined;
  }
  const said = new Wording(call, parameters, values);
  const rows = fields.flatMap((field) => said.rows(field));
  return {
    name,
    ...(owner && { owner }),
    ...(intent && { intent }),
    fields: rows.slice(0, MOST.rows),
    arguments: parameters.slice(0, MOST.arguments).map((parameter, i) => ({
      name: inertText(parameter.name || String(i), 40),
      type: parameter.type.text,
      value: cut(textOf(values[i]!)),
    })),
  };
}

/** The whole is in the raw data. */
function cut(text: string): string {
  return text.length > LONGEST_VALUE * 10 ? `${text.slice(0, LONGEST_VALUE * 10)}…` : text;
}

function textOf(value: AbiValue): string {
  return Array.isArray(value) ? `[${value.map(textOf).join(', ')}]` : String(value);
}

class Wording {
  constructor(
    readonly call: DescribedCall,
    readonly parameters: readonly Parameter[],
    readonly values: readonly AbiValue[],
  ) {}

  /** One for each value. */
  rows({ label, source, format }: DescribedField): WordedField[] {
    if (typeof source === 'string') return [{ label, text: inertText(source, LONGEST_VALUE) }];
    const tokens = format.as === 'tokens' ? this.#tokens(format.token) : [];
    return this.#leaves(source).map((leaf, i) => ({
      label,
      // A token for each amount, or one for all.
      ...this.#shown(leaf, format, tokens.length > 1 ? tokens[i] : tokens[0]),
    }));
  }

  #leaves(path: Path): Leaf[] {
    if (path.root === 'transaction') return this.#ofTransaction(path);
    return leavesAt(path, this, MOST.values);
  }

  #ofTransaction({ steps: [step] }: Path): Leaf[] {
    const name = step && 'name' in step ? step.name : '';
    if (name === 'value') return [{ type: { text: 'uint256' }, value: this.call.value }];
    const address = { to: this.call.address, from: this.call.from }[name];
    return address === undefined ? [] : [{ type: { text: 'address' }, value: address }];
  }

  #tokens(token: string | Path | undefined): string[] {
    if (token === undefined) return [];
    const addresses =
      typeof token === 'string' ? [token] : this.#leaves(token).map(({ value }) => String(value));
    return addresses.filter((one) => isAddress(one));
  }

  #shown({ type, value }: Leaf, format: Format, token: string | undefined): Omit<WordedField, 'label'> {
    if (format.as === 'enum') {
      const text = format.texts.get(String(value));
      return { text: text === undefined ? this.#raw(value) : `${text} (${this.#raw(value)})` };
    }
    if (type.text === 'address' || (format.as === 'address' && isAddress(String(value))))
      return { address: checksum(String(value)) };
    if (typeof value !== 'bigint' || value < 0n) return { text: this.#raw(value) };
    switch (format.as) {
      case 'coins':
        return { amount: { raw: value, ...coinOf(this.call.network) } };
      case 'tokens':
        return this.#tokenAmount(value, format, token);
      case 'date':
        return { time: value };
      case 'duration':
        return { text: value > LONGEST_DURATION ? this.#raw(value) : durationOf(value) };
      case 'unit':
        return { text: `${formatAmount(value, format.decimals)} ${format.base}` };
      default:
        return { text: this.#raw(value) };
    }
  }

  #tokenAmount(
    raw: bigint,
    { coins, threshold, message }: Extract<Format, { as: 'tokens' }>,
    token: string | undefined,
  ): Omit<WordedField, 'label'> {
    const note = threshold !== undefined && raw >= threshold && { note: message };
    const { network } = this.call;
    if (token === undefined) return { text: this.#raw(raw), ...note };
    const isCoin = coins.some((one) => one.toLowerCase() === token.toLowerCase());
    if (isCoin && !listedToken(network.tokens, token))
      return { amount: { raw, ...coinOf(network) }, ...note };
    return { amount: tokenAmount(raw, checksum(token), network), ...note };
  }

  #raw(value: AbiValue): string {
    return inertText(textOf(value), LONGEST_VALUE);
  }
}

/** `26:00:00`: hours, minutes and seconds. */
function durationOf(seconds: bigint): string {
  const two = (n: bigint): string => String(n).padStart(2, '0');
  return [two(seconds / 3600n), two((seconds / 60n) % 60n), two(seconds % 60n)].join(':');
}
