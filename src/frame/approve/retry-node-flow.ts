import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';

const RETRY = 10_000;

/** No node answers: waits for Retry or 10 seconds. Rejects with `user.rejected`. */
export async function retryNode(frame: Frame, secretType: SecretType, options: OpenOptions): Promise<void> {
  const { NodeDownView } = await import('./node-down-view.ts');
  const view = Object.assign(new NodeDownView(), {
    clock: frame.clock,
    network: CHAIN_NAMES[secretType],
    retryAt: frame.clock.date() + RETRY,
  });
  await frame.stage.open(view, options).next('cbf-retry');
}
