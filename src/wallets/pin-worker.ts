import simd from 'argon2id/dist/simd.wasm?url&inline';
import setUp from 'argon2id/lib/setup.js';
import type { PinWork } from './pin-hash.ts';

type Loader = Parameters<typeof setUp>[0];

const start = (url: string, imports: WebAssembly.Imports): ReturnType<Loader> =>
  WebAssembly.instantiate(
    Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0)),
    imports,
  );
/** Its code is embedded, so that the first PIN waits for one download, not two. */
const withSimd: Loader = (imports) => start(simd, imports);
/** For browsers from before 2023. */
const withoutSimd: Loader = async (imports) =>
  start((await import('argon2id/dist/no-simd.wasm?url&inline')).default, imports);

/** Posts the hash, or null if the browser lacks the memory. */
addEventListener('message', async ({ data }: MessageEvent<PinWork>) => {
  const { pin, salt, memory, iterations, parallelism } = data;
  try {
    const argon2id = await setUp(withSimd, withoutSimd);
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
