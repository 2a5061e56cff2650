/** `import 'carabiner/types/react'` types the tags in JSX of React 19. */
import type { ClassAttributes, HTMLAttributes } from 'react';
import type { Both, Element, Listeners, Tag } from './shared.js';

type Props<T extends Tag> = ClassAttributes<Element<T>> &
  Omit<HTMLAttributes<Element<T>>, keyof Both<T>> &
  Both<T> &
  Listeners<T, 'on'>;
type Tags = { [T in Tag]: Props<T> };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
