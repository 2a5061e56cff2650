/** Loads what decodes and draws calls: a coin transfer does without. */
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import type { Network } from '../network.ts';
import type { Scene } from './deeds.ts';

/** What a call does; undefined where there is none. */
export async function readingOf(
  { to, data, value }: { to: string | null; data: string; value: bigint },
  wallet: string,
  network: Pick<Network, 'exchanges'> = {},
): Promise<Reading | undefined> {
  if (to === null || data === '0x') return undefined;
  const { readCall } = await import('../call-reading/inner-calls.ts');
  return readCall(to, data, wallet, { value, wrapped: wrappedOn(network) });
}

/** The tokens that stand for the coin: known of a network that lists exchanges. */
export function wrappedOn({ exchanges = [] }: Pick<Network, 'exchanges'>): string[] {
  return exchanges.flatMap((entry) => (entry as { wrapped?: string } | null)?.wrapped ?? []);
}

/** Whether the operator lists words for the calls of the contract, whatever its code is. */
export function hasDescriptors(
  { descriptors = [] }: Pick<Network, 'descriptors'>,
  contract: string,
): boolean {
  const addresses = descriptors.map((entry) => String((entry as { address?: unknown } | null)?.address));
  return addresses.some((address) => address.toLowerCase() === contract.toLowerCase());
}

/** The call as the approval shows it. `value`: of the coin, sent with it. `earlier`: a call before it in the same transaction. */
export async function drawCall(
  reading: Reading,
  value: bigint,
  scene: Scene,
  earlier?: DrawnCall,
): Promise<DrawnCall> {
  const { DrawnCall } = await import('../call-reading/drawn-call.ts');
  return new DrawnCall(reading, value, scene, earlier?.limits);
}
