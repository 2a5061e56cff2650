/**
 * Lit's decorators as TypeScript's legacy decorators use them. The library's own serve the standard ones too, which nothing here is
 * compiled to; they would be a kibibyte of every frame.
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

/** A reactive property of the element's own, without an attribute. */
export function state(): Decorator {
  return property({ state: true, attribute: false });
}

/** The first match of `selector` in what the element renders, looked up at each use; null before the first render. */
export function query(selector: string): Decorator {
  return (prototype, name) => {
    // What a decorator returns would take the property's place.
    Object.defineProperty(prototype, name, {
      get(this: ReactiveElement) {
        return this.renderRoot?.querySelector(selector) ?? null;
      },
      enumerable: true,
      configurable: true,
    });
  };
}
