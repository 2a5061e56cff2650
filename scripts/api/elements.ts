/** What a page can do with the elements: attributes as Lit observes them, the rest from the classes and their comments. */
import type { ReactiveElement } from 'lit';
import * as elements from '../../src/elements/index.ts';
import type { Element, Types } from './types.ts';

/** Kinds of lines that a class's comment has, in the order they are listed. */
const PARTS = [
  ['slot', 'slot'],
  ['fires', 'event'],
  ['csspart', 'part'],
  ['cssproperty', 'css property'],
] as const;

/** A block of lines for each element. */
export function elementLines({ elements: all }: Types): string[] {
  return all.map((element) => {
    const attributes = attributesOf(element.tag);
    return [
      `<${element.tag}>`,
      ...attributes.map(
        ([name, property]) => `  attribute: ${name}${name === property ? '' : ` (${property})`}`,
      ),
      ...element.members.map(({ text, isMethod }) => `  ${isMethod ? 'method' : 'property'}: ${text}`),
      ...PARTS.flatMap(([tag, word]) =>
        textsOf(element, tag)
          .toSorted()
          .map((text) => `  ${word}: ${text || '(default)'}`),
      ),
    ].join('\n');
  });
}

/** Names of the attributes that a class's comment documents and Lit does not observe, or the other way round. */
export function undocumentedAttributes({ elements: all }: Types): string[] {
  return all.flatMap((element) => {
    const observed = attributesOf(element.tag).map(([name]) => name);
    const documented = textsOf(element, 'attr');
    return [
      ...observed.filter((name) => !documented.includes(name)),
      ...documented.filter((name) => !observed.includes(name)),
    ].map((name) => `<${element.tag} ${name}>`);
  });
}

/** Attribute and property, sorted. */
function attributesOf(tag: string): [string, string][] {
  const element = Object.values(elements).find(
    (each): each is typeof elements.LinkWallets =>
      typeof each === 'function' && customElements.get(tag) === each,
  ) as typeof ReactiveElement | undefined;
  // Makes Lit read the properties of the classes above.
  void element?.observedAttributes;
  return [...(element?.elementProperties ?? [])]
    .filter(([, { attribute, state }]) => attribute !== false && !state)
    .map(([property, { attribute }]): [string, string] => [
      typeof attribute === 'string' ? attribute : String(property).toLowerCase(),
      String(property),
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Without type and explanation: `wallet-id`. */
function textsOf(element: Element, tag: string): string[] {
  return element.tags
    .filter(({ name }) => name === tag)
    .map(({ text }) =>
      text
        .replace(/^\{[^}]*\}\s*/, '')
        .replace(/\s*- [\s\S]*$/, '')
        .trim(),
    );
}
