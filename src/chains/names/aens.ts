/**
 * Names of Aeternity's own register (https://github.com/aeternity/protocol/blob/master/AENS.md). They are resolved here, and the account is
 * paid: of a payment to the name itself, its owner could still change where it goes.
 */
import type { Node } from '../terms.ts';
import type { Rest } from '../nodes/rest.ts';
import { NameProblem } from './name-problem.ts';

/** One label. Names in other scripts have no rule against look-alikes, so they are not looked up. */
const FORM = /^(?!-|..--)[a-z0-9-]{1,63}(?<!-)\.chain$/;

/** `ak_…`. Throws `NameProblem`. */
export async function aensAddress(node: Node, text: string): Promise<string> {
  const name = text.toLowerCase();
  if (!FORM.test(name)) throw new NameProblem('form');
  let pointers: { key?: unknown; id?: unknown }[];
  try {
    pointers = await (node as Rest).get(`/v3/names/${name}`, pointersIn);
  } catch (error) {
    // The node's own answer: there is no such name, or it has ended.
    const { status } = error as { status?: number };
    if (status === 404 || status === 410) throw new NameProblem('unknown');
    throw error;
  }
  const pointer = pointers.find(({ key }) => key === 'account_pubkey');
  if (typeof pointer?.id !== 'string') throw new NameProblem('unknown');
  return pointer.id;
}

function pointersIn(answer: unknown): { key?: unknown; id?: unknown }[] {
  const { pointers } = (answer ?? {}) as { pointers?: unknown };
  if (Array.isArray(pointers)) return pointers as { key?: unknown; id?: unknown }[];
  throw new TypeError('not a name');
}
