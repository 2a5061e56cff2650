/** `exchanges` of a network in `networks.json`: deployments of contracts that tokens are swapped on. */
import type * as z from 'zod/mini';
import type { Network } from '../chains/network.ts';
import { toIssues } from '../chains/requests/payloads.ts';
import { CARDS } from '../chains/secret-type.ts';
import { ConnectError, type Issue } from '../base/errors.ts';
import * as kinds from './kinds.ts';

type Kinds = typeof kinds;
export type ExchangeEntry = z.infer<Kinds[keyof Kinds]>;

/** Schemas by `kind`. */
const ENTRIES = new Map<string, z.ZodMiniType<ExchangeEntry>>(
  Object.values(kinds).map((entry) => [entry.shape.kind.def.values[0]!, entry]),
);

/** An exchange's name in error codes: `uniswap-v2` of `Uniswap V2`. */
export function dexOf(exchange: string): string {
  return exchange.toLowerCase().replaceAll(' ', '-');
}

/** With each of its addresses changed. `path` is that of its field. */
export function withAddresses<E extends ExchangeEntry>(
  entry: E,
  change: (address: string, path: string) => string,
): E {
  const changed = Object.entries(entry).map(([field, value]: [string, unknown]) => {
    if (field === 'kind' || field === 'name') return [field, value];
    if (Array.isArray(value))
      return [field, value.map((one, i) => (typeof one === 'string' ? change(one, `${field}.${i}`) : one))];
    return [field, typeof value === 'string' ? change(value, field) : value];
  });
  return Object.fromEntries(changed) as E;
}

/** What is wrong with each field, by its path: empty if the entries are valid. */
export function readEntries({ secretType, exchanges = [] }: Pick<Network, 'secretType' | 'exchanges'>): {
  entries: ExchangeEntry[];
  issues: Issue[];
} {
  const prefix = CARDS[secretType].contracts === 'tron' ? 'T' : '0x';
  const entries: ExchangeEntry[] = [];
  const issues: Issue[] = [];
  for (const [i, value] of exchanges.entries()) {
    const kind = String((value as { kind?: unknown } | null)?.kind);
    // Not a zod union, which nothing else in the browser uses, and which only says that no member fits.
    const schema = ENTRIES.get(kind);
    const wrong = (path: string, message: string) => issues.push({ path: `exchanges.${i}.${path}`, message });
    if (!schema) {
      wrong('kind', `must be one of ${[...ENTRIES.keys()].join(', ')}`);
      continue;
    }
    const { data, error } = schema.safeParse(value);
    for (const { path, message } of error?.issues.flatMap(toIssues) ?? []) wrong(path, message);
    if (!data) continue;
    withAddresses(data, (address, path) => {
      if (!address.startsWith(prefix)) wrong(path, `must be an address of ${CARDS[secretType].name}`);
      return address;
    });
    if (entries.some(({ name }) => dexOf(name) === dexOf(data.name))) wrong('name', 'is there twice');
    entries.push(data);
  }
  return { entries, issues };
}

/** A network's exchanges; empty if it has none. Throws `internal.error` that names what is wrong with them. */
export function entriesOf(network: Pick<Network, 'id' | 'secretType' | 'exchanges'>): ExchangeEntry[] {
  const { entries, issues } = readEntries(network);
  if (issues.length === 0) return entries;
  const where = issues.map(({ path }) => path).join(', ');
  throw new ConnectError('internal.error', `networks.json is not valid for ${network.id} at: ${where}`);
}
