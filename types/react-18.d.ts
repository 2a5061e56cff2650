/** `import 'carabiner/types/react-18'` types the tags in JSX of React 18, which sets attributes only: for the rest there is `carabiner/react`. */
import type { ClassAttributes, HTMLAttributes } from 'react';
import type { Attributes, Element, Tag } from './shared.js';

type Props<T extends Tag> = ClassAttributes<Element<T>> &
  Omit<HTMLAttributes<Element<T>>, keyof Attributes<T>> &
  Attributes<T> & { class?: string | undefined };
type Tags = { [T in Tag]: Props<T> };

declare global {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
