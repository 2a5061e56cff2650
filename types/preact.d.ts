/** `import 'carabiner/types/preact'` types the tags in JSX of Preact. */
import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { Both, Element, Listeners, Tag } from './shared.js';

type Props<T extends Tag> = ClassAttributes<Element<T>> &
  Omit<HTMLAttributes<Element<T>>, keyof Both<T>> &
  Both<T> &
  Listeners<T, 'on'>;
type Tags = { [T in Tag]: Props<T> };

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
