/** Tests on a node that is built here, or skipped with the reason why it cannot be. */
import { describe } from 'node:test';
import { goMissing } from '../../demo/networks/real/go-nodes.ts';

export function onNode(name: string, tests: () => void): void {
  describe(name, { skip: goMissing() ?? false }, tests);
}
