/** `crossChain` of `networks.json`: exchanges between chains, of which there is none by default. */
import type * as z from 'zod/mini';
import type { Issue } from '../../base/errors.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { toIssues } from '../../chains/requests/payloads.ts';
import { dexOf } from '../entry.ts';
import * as kinds from './kinds.ts';
import type { ThorchainEntry } from './thorchain/entry.ts';

type Kinds = typeof kinds;
export type CrossChainEntry = z.infer<Kinds[keyof Kinds]['entry']>;

/** What `entry.ts` of a kind's folder exports. */
interface EntryKind {
  entry: z.ZodMiniType<CrossChainEntry>;
  /** What is wrong with an entry among the networks of its file, by field. */
  problemsOf(entry: CrossChainEntry, networks: Pick<Networks, 'networks'>): Issue[];
}

/** By `kind`. */
const KINDS = new Map<string, EntryKind>(
  Object.values(kinds).map((kind) => [kind.entry.shape.kind.def.values[0]!, kind]),
);

/** What is wrong with each field, by its path; empty if the entries are valid. */
export function readCrossChain(networks: Pick<Networks, 'networks' | 'crossChain'>): {
  entries: CrossChainEntry[];
  issues: Issue[];
} {
  const entries: CrossChainEntry[] = [];
  const issues: Issue[] = [];
  for (const [i, value] of (networks.crossChain ?? []).entries()) {
    const wrong = ({ path, message }: Issue): void =>
      void issues.push({ path: `crossChain.${i}.${path}`, message });
    const kind = KINDS.get(String((value as { kind?: unknown } | null)?.kind));
    if (!kind) {
      wrong({ path: 'kind', message: `must be one of ${[...KINDS.keys()].join(', ')}` });
      continue;
    }
    const { data, error } = kind.entry.safeParse(value);
    for (const issue of error?.issues.flatMap(toIssues) ?? []) wrong(issue);
    if (!data) continue;
    for (const issue of kind.problemsOf(data, networks)) wrong(issue);
    if (entries.some(({ name }) => dexOf(name) === dexOf(data.name)))
      wrong({ path: 'name', message: 'is there twice' });
    entries.push(data);
  }
  return { entries, issues };
}

/** Those that are valid and of THORChain, whose orders are read from transactions. */
export function thorchainsOf(networks: Pick<Networks, 'networks' | 'crossChain'>): ThorchainEntry[] {
  return readCrossChain(networks).entries.filter(
    (entry): entry is ThorchainEntry => entry.kind === 'thorchain',
  );
}

/** The contracts that pay out coins on a network by themselves, which none of its transactions shows. */
export function payersOn(
  networks: Pick<Networks, 'networks' | 'crossChain'>,
  { id }: Pick<Network, 'id'>,
): string[] {
  return thorchainsOf(networks).flatMap(({ routers }) =>
    routers.filter(({ network }) => network === id).map(({ address }) => address),
  );
}
