/** `import 'carabiner/types/solid'` types the tags in JSX of Solid 1. */
import type { JSX } from 'solid-js';
import type { Attributes, Camel, Element, Listeners, Properties, Tag } from './shared.js';

/**
 * Solid writes constant text into its template, where `walletId` would become the attribute `walletid`. So names are those of attributes,
 * which take what the property takes, and `prop:` sets the others.
 */
type Own<T extends Tag> = {
  [N in keyof Attributes<T>]?:
    | Attributes<T>[N]
    | (Camel<N> extends keyof Properties<T> ? Properties<T>[Camel<N>] : never);
} & { [N in keyof Properties<T> & string as N extends Lowercase<N> ? N : never]?: Properties<T>[N] };

type Prefixed<P extends string, O> = { [N in keyof O & string as `${P}:${N}`]?: O[N] };
type Props<T extends Tag> = Omit<JSX.HTMLAttributes<Element<T>>, keyof Own<T>> &
  Own<T> &
  Prefixed<'prop', Properties<T>> &
  Prefixed<'attr', Attributes<T>> &
  Listeners<T, 'on:'>;
type Tags = { [T in Tag]: Props<T> };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
