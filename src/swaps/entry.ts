/** `exchanges` of a network in `networks.json`: deployments of contracts that tokens are swapped on. */
import type * as z from 'zod/mini';
import type { Network } from '../chains/network.ts';
import { toIssues } from '../chains/requests/payloads.ts';
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

/** What is wrong with each field, by its path: empty if the entries are valid. */
export function readEntries(exchanges: readonly unknown[]): { entries: ExchangeEntry[]; issues: Issue[] } {
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
    if (entries.some(({ name }) => dexOf(name) === dexOf(data.name))) wrong('name', 'is there twice');
    entries.push(data);
  }
  return { entries, issues };
}

/** A network's exchanges; empty if it has none. Throws `internal.error` that names what is wrong with them. */
export function entriesOf({ id, exchanges = [] }: Pick<Network, 'id' | 'exchanges'>): ExchangeEntry[] {
  const { entries, issues } = readEntries(exchanges);
  if (issues.length === 0) return entries;
  const where = issues.map(({ path }) => path).join(', ');
  throw new ConnectError('internal.error', `networks.json is not valid for ${id} at: ${where}`);
}
