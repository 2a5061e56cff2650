/** A screen that nobody sees, for browsers with windows. */
import { existsSync } from 'node:fs';
import { startWatched, untilItAnswers } from '../demo/networks/watched.ts';

export const XVFB = '/usr/bin/Xvfb';

export interface VirtualScreen {
  /** For `DISPLAY`. */
  display: string;
  close(): Promise<void>;
}

export async function startVirtualScreen(): Promise<VirtualScreen> {
  // It prints the number of the display that it chose.
  const screen = startWatched(
    [XVFB, '-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    true,
  );
  const number = (): string | undefined => /^\d+$/m.exec(screen.words())?.[0];
  try {
    await untilItAnswers('Xvfb', screen, () =>
      number() ? Promise.resolve() : Promise.reject(new Error('none')),
    );
  } catch (error) {
    await screen.close();
    throw error;
  }
  return { display: `:${number()}`, close: () => screen.close() };
}

/** Which of these programs are not installed. */
export function missingOf(paths: readonly string[]): string[] {
  return paths.filter((path) => !existsSync(path));
}
