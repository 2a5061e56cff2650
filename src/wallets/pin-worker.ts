import { argon2id } from 'hash-wasm';
import type { PinWork } from './pin-hash.ts';

/** Answers the hash, or null where the browser has no room for it. */
addEventListener('message', async ({ data }: MessageEvent<PinWork>) => {
  const { pin, salt, memory, iterations, parallelism } = data;
  try {
    const hash = await argon2id({
      password: pin,
      salt,
      memorySize: memory,
      iterations,
      parallelism,
      hashLength: 32,
      outputType: 'binary',
    });
    postMessage(hash);
  } catch {
    postMessage(null);
  }
});
