/** What the user wants of every page: Chromium can be told so at any time. */
import { executeServerCommand } from '@web/test-runner-commands';

interface Wishes {
  reducedMotion?: 'reduce' | 'no-preference';
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
}

/** Whether it is so now. The others were told when they started, that nothing shall move. */
export async function wish(wishes: Wishes): Promise<boolean> {
  const { reducedMotion, colorScheme, forcedColors } = wishes;
  await executeServerCommand('wish', wishes);
  return [
    reducedMotion && `(prefers-reduced-motion: ${reducedMotion})`,
    colorScheme && `(prefers-color-scheme: ${colorScheme})`,
    forcedColors && `(forced-colors: ${forcedColors})`,
  ].every((query) => !query || matchMedia(query).matches);
}
