import type { Payloads } from '../chains/requests/payloads.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';

/** Loads a chain's payload schemas, but no signer. From then on its bad requests are refused before anything opens. */
export async function preload({ payloads }: Context, secretType?: SecretType): Promise<void> {
  if (secretType === undefined || payloads.has(secretType)) return;
  const { loadPayloads } = await chains();
  payloads.set(secretType, await loadPayloads(secretType));
}

/** What identifies a request's chain: its native `type`, or the `secretType` that a build body or a transfer names. */
interface Named {
  type?: string;
  secretType?: unknown;
  /** Whether it is for a signature. */
  signs?: true;
  /** The request's path in a list, with a trailing dot. */
  path?: string;
}

/** The loaded schemas of the request's chain; the frame checks the request in any case. */
export function payloadsOf({ payloads }: Context, { type = '', secretType }: Named): Payloads | undefined {
  for (const [chain, of] of payloads)
    if (
      secretType === undefined
        ? Object.hasOwn(of.transactions, type) || Object.hasOwn(of.signatures, type)
        : secretType === chain
    )
      return of;
  return undefined;
}

/**
 * Runs `check` and opens the wallet. Missing schemas are loaded first, so that a bad request is refused
 * before anything opens; only a window cannot wait for them, because browsers open it only in the user's
 * click.
 */
export function checked<R>(
  context: Context,
  requests: readonly Named[],
  check: () => void,
  open: () => Promise<R>,
): Promise<R> {
  const run = () => {
    check();
    return open();
  };
  const missing = requests.filter((request) => !payloadsOf(context, request));
  if (!missing.length || context.host.opensWindow()) return run();
  return loadFor(context, missing).then(run);
}

async function loadFor(context: Context, requests: readonly Named[]): Promise<void> {
  let registry: Awaited<ReturnType<typeof chains>>;
  try {
    registry = await chains();
  } catch {
    return; // a chunk that the page cannot get; the frame has its own
  }
  for (const { path = '', type, secretType, signs } of requests) {
    const chain = secretType === undefined ? registry.secretTypeOf(type!) : (secretType as SecretType);
    if (!chain || (type === undefined && !registry.isSecretType(chain))) {
      const { path: name, message } = registry.unknownChain({ type, secretType, signs });
      throw invalid(path + name, message);
    }
    await preload(context, chain).catch((error) => {
      if (error.code === 'chain.not-supported') throw error;
    });
  }
}

/**
 * Each is destructured in its own import, so that the bundler leaves out what loads signers: lazy chunks, and
 * of a chain only its schemas.
 */
async function chains() {
  const { loadPayloads } = await import('../chains/load.ts');
  const { isSecretType, secretTypeOf, unknownChain } = await import('../chains/transaction-types.ts');
  return { isSecretType, loadPayloads, secretTypeOf, unknownChain };
}
