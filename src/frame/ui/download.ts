/** Files that the user saves. */
import type { Clock } from '../../base/clock.ts';

/** The download reads the file asynchronously. */
const KEPT_MS = 60_000;

/** `carabiner-activity-2026-11-30.csv`. */
export function fileName(clock: Clock, what: string, extension: string): string {
  const day = new Date(clock.date()).toISOString().slice(0, 10);
  return `carabiner-${what}-${day}.${extension}`;
}

/**
 * Hands a file to the browser's downloads. Browsers do not tell a page whether it arrived.
 *
 * @example download(frame.clock, new Blob([text], { type: 'text/csv' }), fileName(frame.clock, 'activity', 'csv'));
 */
export function download(clock: Clock, file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  clock.after(KEPT_MS, () => URL.revokeObjectURL(link.href));
}
