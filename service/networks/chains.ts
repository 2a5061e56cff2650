/** Chains, each loaded once: unlike a browser, Node resolves a repeated `import()` anew, which takes longer than reading a wallet does. */
import type { Chain } from '../../src/chains/chain.ts';
import { loadChain as loadWhole, loadPayloads as loadSchemas } from '../../src/chains/load.ts';
import { loadOutflow as loadReader, type ReadOutflow } from '../../src/chains/outflow.ts';
import type { Payloads } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';

type Load<T> = (secretType: SecretType) => Promise<T>;

/** What could not be loaded is not kept: callers may name anything. */
function once<T>(load: Load<T>): Load<T> {
  const loaded = new Map<SecretType, T>();
  return async (secretType) => {
    const part = loaded.get(secretType) ?? (await load(secretType));
    if (part !== undefined) loaded.set(secretType, part);
    return part;
  };
}

export const loadChain: Load<Chain> = once((secretType) => loadWhole(secretType));

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export const loadPayloads: Load<Payloads> = once(loadSchemas);

/** Undefined for a chain whose card says that its drafts cannot be limited. */
export const loadOutflow: Load<ReadOutflow | undefined> = once(loadReader);
