/** `exchanges` of a network in `networks.json`: deployments of contracts that tokens are swapped on. A kind is one file beside this. */
import * as z from 'zod/mini';
import { type Network, or } from '../chains/network.ts';
import { toIssues } from '../chains/requests/payloads.ts';
import { ConnectError, type Issue } from '../errors.ts';

const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'));

const exchangeFields = {
  /** Shown to people, and asked for by it: `Uniswap V2`. Error codes have it in lower case with hyphens. */
  name: z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/, 'must be words of letters and digits'),
      z.maxLength(64),
    ),
  factory: Address,
  router: Address,
  /** The token that stands for the coin in pools: WETH. */
  wrapped: Address,
  /** Tokens that a swap may go through besides `wrapped`: the ones that most pools have. */
  bases: or(z.array(Address).check(z.maxLength(8)), []),
};

const KINDS = {
  'uniswap-v2': z.object({
    ...exchangeFields,
    kind: z.literal('uniswap-v2'),
    /** In percent, with at most 4 digits behind the point: what a pool takes of the input. */
    fee: or(z.number().check(z.gte(0), z.lt(100)), 0.3),
  }),
  'uniswap-v3': z.object({
    ...exchangeFields,
    kind: z.literal('uniswap-v3'),
    /** QuoterV2. */
    quoter: Address,
    /** In percent: the fee tiers whose pools are looked for. */
    fees: or(
      z.array(z.number().check(z.gt(0), z.lt(100))).check(z.minLength(1), z.maxLength(8)),
      [0.01, 0.05, 0.3, 1],
    ),
  }),
};
export type ExchangeEntry = z.infer<(typeof KINDS)[keyof typeof KINDS]>;

/** An exchange's name in error codes: `uniswap-v2` of `Uniswap V2`. */
export function dexOf(exchange: string): string {
  return exchange.toLowerCase().replaceAll(' ', '-');
}

/** What is wrong with each field, by its path: nothing where the entries can be used. */
export function readEntries(exchanges: readonly unknown[]): { entries: ExchangeEntry[]; issues: Issue[] } {
  const entries: ExchangeEntry[] = [];
  const issues: Issue[] = [];
  for (const [i, given] of exchanges.entries()) {
    const kind = String((given as { kind?: unknown } | null)?.kind);
    // Not by a union of zod, which is in nothing else that a browser loads, and says only that none fits.
    const schema = Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : undefined;
    const wrong = (path: string, message: string) => issues.push({ path: `exchanges.${i}.${path}`, message });
    if (!schema) {
      wrong('kind', `must be one of ${Object.keys(KINDS).join(', ')}`);
      continue;
    }
    const { data, error } = schema.safeParse(given);
    for (const { path, message } of error?.issues.flatMap(toIssues) ?? []) wrong(path, message);
    if (!data) continue;
    if (entries.some(({ name }) => dexOf(name) === dexOf(data.name))) wrong('name', 'is there twice');
    entries.push(data);
  }
  return { entries, issues };
}

/** Of a network, none where it has none. Throws `internal.error` that names what is wrong with them. */
export function entriesOf({ id, exchanges = [] }: Pick<Network, 'id' | 'exchanges'>): ExchangeEntry[] {
  const { entries, issues } = readEntries(exchanges);
  if (issues.length === 0) return entries;
  const where = issues.map(({ path }) => path).join(', ');
  throw new ConnectError('internal.error', `networks.json is not valid for ${id} at: ${where}`);
}
