/** Defines the elements whose names are free: a page may load two copies, or have another element of that name. */
export function register(
  elements: Record<string, CustomElementConstructor>,
  registry: Pick<CustomElementRegistry, 'get' | 'define'> = customElements,
): void {
  for (const [name, element] of Object.entries(elements)) {
    const other = registry.get(name);
    if (!other) registry.define(name, element);
    else if (other !== element)
      void import('./mistakes.ts').then(({ warnOfName }) => warnOfName(name, other));
  }
}
