/** Drafts from outside: what was approved in the frame. Only what is signed counts; it is checked here once more, field by field. */
import * as z from 'zod';
import { draftFromJson } from '../../src/api/draft-json.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { Draft, Node } from '../../src/chains/terms.ts';
import { loadDraftReader } from '../../src/chains/requests/draft-fields.ts';
import type { Network } from '../../src/chains/network.ts';
import { invalid, toIssues } from '../../src/chains/requests/payloads.ts';

/** Not signed: reads of the node, which nothing here relies on. */
const Facts = z.looseObject({}).default({});

const Common = z.object({
  secretType: z.string(),
  from: z.string(),
  network: z.looseObject({ id: z.string() }),
  custom: z.undefined('must be absent: nodes that a site names are not used here').optional(),
  facts: Facts,
});

/** Throws `request.invalid` at `draft`. `node` is of the wallet's network; what the draft says about its own, other than its id, is left out. */
export async function readApproved(
  text: string,
  { chain, node, address }: { chain: Chain; node: Node; address: string },
): Promise<Draft> {
  const { network } = node;
  let json: unknown;
  try {
    json = draftFromJson(text);
  } catch {
    throw wrong('is not the text of a draft');
  }
  const { from, facts, secretType, ...common } = parsed(Common, json);
  if (secretType !== chain.secretType)
    throw wrong(`is of ${secretType}, and the wallet of ${chain.secretType}`);
  if (from !== address) throw wrong('is of another wallet: from must be its address');
  if (common.network.id !== network.id) throw wrong(`must be on ${network.id}, as the wallet is`);
  const { draftFields, checkDraft } = await loadDraftReader(chain.secretType);
  const fields = parsed(draftFields, json);
  checkNetwork(fields, network);
  for (const to of recipientsOf(fields))
    if (!chain.isAddress(to, network.kind)) throw wrong(`has a recipient that is not an address: ${to}`);
  const draft = { ...fields, facts, secretType: chain.secretType, from, network } as Draft;
  await checkDraft?.(draft, node);
  return draft;
}

function parsed<T>(schema: z.core.$ZodType<T>, json: unknown): T {
  const { success, data, error } = z.safeParse(schema, json);
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
