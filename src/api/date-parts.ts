/** Year, month, day, hour, minute, second, nanosecond; UTC. `createdAt` of a wallet has this form. */
export function dateParts(at: number | Date): number[] {
  const d = new Date(at);
  return [
    d.getUTCFullYear(),
    d.getUTCMonth() + 1,
    d.getUTCDate(),
    d.getUTCHours(),
    d.getUTCMinutes(),
    d.getUTCSeconds(),
    d.getUTCMilliseconds() * 1_000_000,
  ];
}
