import axe, { type Result, type RunOptions } from 'axe-core';
import { frames } from './turns.ts';

/** Between light and dark nothing else differs: all that is left to check of what was checked in the other. */
export const CONTRAST: RunOptions = { runOnly: ['color-contrast'] };

/**
 * What axe finds in `root`, and finds again some frames later: a control may turn on meanwhile, and half a change of colours, which ends
 * with the next frame, has a contrast of its own.
 */
export async function violationsIn(root: Element, options: RunOptions): Promise<Result[]> {
  const find = async (): Promise<Result[]> =>
    (await axe.run(root, { ...options, resultTypes: ['violations'], preload: false })).violations;
  const found = await find();
  if (found.length === 0) return found;
  await frames(3);
  return find();
}

/** Throws what axe finds in `root`. */
export async function expectAccessible(root: Element, options: RunOptions = {}): Promise<void> {
  const violations = await violationsIn(root, options);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
  if (found.length) throw new Error(found.join('\n'));
}
