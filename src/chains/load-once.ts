/**
 * Caches `load`, which imports a module: asking the module loader again takes as long as a signature.
 * Failures are retried.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
