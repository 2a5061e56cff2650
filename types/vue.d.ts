/** `import 'carabiner/types/vue'` types the tags in templates of Vue 3. */
import type { HTMLAttributes, PublicProps } from 'vue';
import type { Attributes, Camel, Element, Events, Properties, Tag } from './shared.js';

/** Templates are checked by names in camelCase, whichever way they are written. */
type CamelAttributes<T extends Tag> = {
  [N in keyof Attributes<T> as Camel<N> & string]: Attributes<T>[N];
};
type Either<A, B> = {
  [N in keyof A | keyof B]?: (N extends keyof A ? A[N] : never) | (N extends keyof B ? B[N] : never);
};
type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on${Capitalize<Camel<E> & string>}`]?: (event: Events<T>[E]) => void;
};
type Props<T extends Tag> = Omit<HTMLAttributes, keyof Properties<T>> &
  PublicProps &
  Either<Properties<T>, CamelAttributes<T>> &
  Listeners<T>;
type Tags = { [T in Tag]: new () => Element<T> & { $props: Props<T> } };

declare module 'vue' {
  interface GlobalComponents extends Tags {}
}
