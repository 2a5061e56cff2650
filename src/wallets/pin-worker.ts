import plain from 'argon2id/dist/no-simd.wasm?url&inline';
import simd from 'argon2id/dist/simd.wasm?url&inline';
import setUp from 'argon2id/lib/setup.js';
import type { PinWork } from './pin-hash.ts';

type Loader = Parameters<typeof setUp>[0];

/** Inside this file, so that the first PIN waits for one download and not for two. */
const from =
  (url: string): Loader =>
  (imports) =>
    WebAssembly.instantiate(
      Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0)),
      imports,
    );

/** Answers the hash, or null where the browser has no room for it. */
addEventListener('message', async ({ data }: MessageEvent<PinWork>) => {
  const { pin, salt, memory, iterations, parallelism } = data;
  try {
    const argon2id = await setUp(from(simd), from(plain));
    postMessage(
      argon2id({
        password: pin,
        salt,
        memorySize: memory,
        passes: iterations,
        parallelism,
        tagLength: 32,
      }),
    );
  } catch {
    postMessage(null);
  }
});
