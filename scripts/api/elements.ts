/** The elements' public interface, as lines of text. */
import type { ReactiveElement } from 'lit';
import * as elements from '../../src/elements/index.ts';
import type { Declaration } from './manifest.ts';
import type { Types } from './types.ts';

/** A block of lines for each element. */
export function elementLines({ elements: all }: Types, declarations: readonly Declaration[]): string[] {
  return all.map(({ tag, members }) => {
    const { attributes, events, slots, cssParts, cssProperties } = declarations.find(
      ({ tagName }) => tagName === tag,
    )!;
    const named = (word: string, items: readonly { name: string }[] = []): string[] =>
      items.map(({ name }) => `  ${word}: ${name || '(default)'}`).toSorted();
    return [
      `<${tag}>`,
      ...attributes
        .map(({ name, fieldName }) => `  attribute: ${name}${name === fieldName ? '' : ` (${fieldName})`}`)
        .toSorted(),
      ...members.map(({ text, isMethod }) => `  ${isMethod ? 'method' : 'property'}: ${text}`),
      ...named('slot', slots),
      ...named('event', events),
      ...named('part', cssParts),
      ...named('css property', cssProperties),
    ].join('\n');
  });
}

/** Names of the attributes that a class's comment documents and Lit does not observe, or the other way round. */
export function undocumentedAttributes(declarations: readonly Declaration[]): string[] {
  return declarations.flatMap(({ tagName, attributes }) => {
    const observed = observedBy(tagName);
    const documented = attributes.map(({ name }) => name);
    return [
      ...observed.filter((name) => !documented.includes(name)),
      ...documented.filter((name) => !observed.includes(name)),
    ].map((name) => `<${tagName} ${name}>`);
  });
}

function observedBy(tag: string): string[] {
  const element = Object.values(elements).find(
    (each): each is typeof elements.LinkWallets =>
      typeof each === 'function' && customElements.get(tag) === each,
  ) as typeof ReactiveElement | undefined;
  return element?.observedAttributes ?? [];
}
