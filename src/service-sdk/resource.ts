/** What the classes of `resources.ts` have in common. */
import type { Caller, Parts } from './caller.ts';

export class Resource {
  /** @internal */
  constructor(protected readonly caller: Caller) {}
}

/** Query values as text: `limit: 100` becomes `'100'`. Null means the same as leaving a field out. */
export function texts(query: object): NonNullable<Parts['query']> {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    present.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}
