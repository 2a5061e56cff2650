import type { SecretType } from '../chains/secret-type.ts';
import type { Context } from './context.ts';

/** Loads a chain's payload schemas, no signer. From then on its bad requests are refused before anything opens. */
export async function preload({ payloads }: Context, secretType: SecretType): Promise<void> {
  if (payloads.has(secretType)) return;
  // oxlint-disable-next-line no-restricted-imports -- a lazy chunk, and of a chain only its schemas
  const { loadPayloads } = await import('../chains/index.ts');
  payloads.set(secretType, await loadPayloads(secretType));
}
