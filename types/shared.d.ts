/** What the declarations for each framework have in common. */
import type { ElementTypes } from '../dist/elements/index.js';

export type Tag = keyof ElementTypes;
export type Element<T extends Tag> = ElementTypes[T]['element'];
type Name<T extends Tag> = ElementTypes[T]['properties'] & keyof Element<T>;

export type Properties<T extends Tag> = { [N in Name<T>]?: Element<T>[N] | undefined };
export type Attributes<T extends Tag> = {
  [N in keyof ElementTypes[T]['attributes']]?: ElementTypes[T]['attributes'][N] | undefined;
};
export type Events<T extends Tag> = ElementTypes[T]['events'];
/** Attributes beside the properties of the same name, which take more. */
export type Both<T extends Tag> = Properties<T> & Omit<Attributes<T>, Name<T>>;

/** `walletId` of `wallet-id`. */
export type Camel<N> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : N;

/** `onconnect-result`, with the prefix that a framework wants. */
export type Listeners<T extends Tag, Prefix extends string> = {
  [E in keyof Events<T> & string as `${Prefix}${E}`]?: ((event: Events<T>[E]) => void) | undefined;
};
