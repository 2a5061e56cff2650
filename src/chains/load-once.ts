/**
 * `load`, which imports a module, asked once: asking the module loader again takes as long as a signature. What could not be loaded is asked
 * for again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
