/** `import 'carabiner/types/solid'` types the tags in JSX of Solid 1. */
import type { JSX } from 'solid-js';
import type { Attributes, Both, Element, Listeners, Properties, Tag } from './shared.js';

type Prefixed<P extends string, O> = { [N in keyof O & string as `${P}:${N}`]?: O[N] };
type Props<T extends Tag> = Omit<JSX.HTMLAttributes<Element<T>>, keyof Both<T>> &
  Both<T> &
  Prefixed<'prop', Properties<T>> &
  Prefixed<'attr', Attributes<T>> &
  Listeners<T, 'on:'>;
type Tags = { [T in Tag]: Props<T> };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
