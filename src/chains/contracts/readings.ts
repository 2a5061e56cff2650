/** Loads what decodes and draws calls: a coin transfer does without. */
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import type { Network } from '../network.ts';
import type { Scene } from './deeds.ts';

/** What a call does; undefined where there is none. Of a network that lists exchanges, the wrapped coin is known. */
export async function readingOf(
  { to, data }: { to: string | null; data: string },
  wallet: string,
  { exchanges = [] }: Pick<Network, 'exchanges'> = {},
): Promise<Reading | undefined> {
  if (to === null || data === '0x') return undefined;
  const { readCall } = await import('../call-reading/inner-calls.ts');
  const wrapped = exchanges.flatMap((entry) => (entry as { wrapped?: string } | null)?.wrapped ?? []);
  return readCall(to, data, wallet, wrapped);
}

/** The call as the approval shows it. `value`: of the coin, sent with it. */
export async function drawCall(reading: Reading, value: bigint, scene: Scene): Promise<DrawnCall> {
  const { DrawnCall } = await import('../call-reading/drawn-call.ts');
  return new DrawnCall(reading, value, scene);
}
