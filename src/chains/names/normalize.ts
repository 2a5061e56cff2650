/** The normalised form of a name, which is hashed: names must not differ only by case. */
import { NameProblem } from './name-problem.ts';

/** Labels that ENSIP-15 leaves as they are, once in lower case. https://docs.ens.domains/ensip/15 */
const PLAIN = /^(?!..--)[a-z0-9-]+$/;

/** By ENSIP-15. The tables for other scripts are loaded for names that need them. */
export async function normalized(text: string): Promise<string> {
  const ascii = /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : undefined;
  if (ascii?.split('.').every((label) => PLAIN.test(label))) return ascii;
  const { ens_normalize } = await import('@adraffy/ens-normalize');
  let name: string;
  try {
    name = ens_normalize(text);
  } catch {
    throw new NameProblem('form');
  }
  if (name.split('.').some((label) => !label)) throw new NameProblem('form');
  return name;
}
