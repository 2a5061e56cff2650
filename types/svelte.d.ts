/** `import 'carabiner/types/svelte'` types the tags in Svelte 5. */
import type { HTMLAttributes } from 'svelte/elements';
import type { Both, Element, Listeners, Tag } from './shared.js';

type Props<T extends Tag> = Omit<HTMLAttributes<Element<T>>, keyof Both<T>> & Both<T> & Listeners<T, 'on'>;
type Tags = { [T in Tag]: Props<T> };

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Tags {}
}
