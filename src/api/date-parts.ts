/** Year, month, day, hour, minute, second, nanosecond; UTC (spec 2.2 `createdAt`). */
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
