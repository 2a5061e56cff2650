/** Differs if anything in it does. */
export function exact(what: unknown): string {
  return JSON.stringify(what, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
