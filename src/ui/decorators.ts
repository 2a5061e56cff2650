/**
 * Lit's decorators, for TypeScript's legacy decorators only. Lit's own also support standard decorators, which are not used here; they
 * would add 1 KiB to every frame.
 */
import type { PropertyDeclaration, ReactiveElement } from 'lit';

type Decorator = (prototype: ReactiveElement, name: PropertyKey) => void;

/** Registers the element, once. */
export function customElement(name: string) {
  return (element: CustomElementConstructor): void => customElements.define(name, element);
}

/** A public reactive property. */
export function property(options?: PropertyDeclaration): Decorator {
  return ({ constructor }, name) => (constructor as typeof ReactiveElement).createProperty(name, options);
}

/** A private reactive property, without an attribute. */
export function state(): Decorator {
  return property({ state: true, attribute: false });
}

/** The first match of `selector` in the render root, looked up on each access; null before the first render. */
export function query(selector: string): Decorator {
  return (prototype, name) => {
    // Returns nothing: TypeScript would use a returned value as the property descriptor.
    Object.defineProperty(prototype, name, {
      get(this: ReactiveElement) {
        return this.renderRoot?.querySelector(selector) ?? null;
      },
      enumerable: true,
      configurable: true,
    });
  };
}
