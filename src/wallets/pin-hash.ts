/** argon2id of a PIN, in a worker that is terminated afterwards, which frees its 64 MiB with the PIN in them. */
import { ConnectError } from '../base/errors.ts';
import type { Bytes, Cost } from './records.ts';

/** Tests inject another one: they would otherwise spend their time here. */
export type PinHash = (pin: string, salt: Bytes, cost: Cost) => Promise<Bytes>;

/** The second recommended option of RFC 9106. `memory` is in KiB. */
export const COST: Cost = { memory: 65_536, iterations: 3, parallelism: 1 };

export interface PinWork extends Cost {
  pin: Bytes;
  salt: Bytes;
}

export const hashPin: PinHash = async (pin, salt, cost) => {
  const bytes = new TextEncoder().encode(pin);
  const worker = new Worker(new URL('./pin-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<Bytes>((resolve, reject) => {
      const fail = () =>
        reject(new ConnectError('internal.error', 'The PIN could not be checked. Reload and try again.'));
      worker.onmessage = ({ data }: MessageEvent<Bytes | null>) => (data ? resolve(data) : fail());
      worker.onerror = fail;
      worker.postMessage({ pin: bytes, salt, ...cost } satisfies PinWork, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
};

/**
 * `new Worker(new URL('…', import.meta.url))` must be written out for Vite to bundle the worker, but under Trusted Types the real
 * constructor takes no URL. So here it is this one.
 */
class Worker extends globalThis.Worker {
  constructor(url: URL, options: WorkerOptions) {
    super(trusted(url), options);
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): URL;
  };
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

function trusted(url: URL): URL {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy('carabiner', {
    createScriptURL(href) {
      if (new URL(href).origin !== location.origin)
        throw new TypeError('Workers come from this origin only.');
      return href;
    },
  });
  return policy.createScriptURL(url.href);
}
