/**
 * One text for a request and every repetition of it, whatever the order of its keys. Two requests with the same id are the
 * same request if and only if their fingerprints are equal. Throws on a cycle.
 */
export function fingerprint(action: string, params: unknown): string {
  return JSON.stringify([action, params], (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const fields = value as Record<string, unknown>;
    const sorted: [string, unknown][] = Object.keys(fields)
      .sort()
      .map((key) => [key, fields[key]]);
    return Object.fromEntries(sorted);
  });
}
