import type { Rules } from './rules.ts';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** By the local time of that time zone, also on days when its clocks change. */
export function isOpen({ timeZone, windows }: NonNullable<Rules['hours']>, now: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  const day = DAYS.indexOf(part('weekday'));
  const minute = Number(part('hour')) * 60 + Number(part('minute'));
  return windows.some(({ days, from, to }) => (days?.includes(day) ?? true) && minute >= from && minute < to);
}
