/** The custom-elements manifest, which the analyzer reads from the comments of the elements' classes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import { ROOT } from '../command.ts';
import type { Types } from './types.ts';

interface Named {
  name: string;
  description?: string;
  type?: { text: string };
}

interface Member extends Named {
  kind: 'field' | 'method';
  readonly?: boolean;
  attribute?: string;
  reflects?: boolean;
  parameters?: { name: string; optional?: boolean; type?: { text: string } }[];
  return?: { type: { text: string } };
}

interface Attribute extends Named {
  fieldName: string;
}

/** A class in the manifest. */
export interface Declaration {
  kind: 'class';
  name: string;
  tagName: string;
  description: string;
  members: Member[];
  attributes: Attribute[];
  events: Named[];
  slots?: Named[];
  cssParts?: Named[];
  cssProperties?: Named[];
}

interface Module {
  path: string;
  declarations: Declaration[];
}

const BASE = 'src/elements/connect-element.ts';
const ATTRIBUTE = /@attr \{(.+?)\} ([\w-]+) -/g;

/** The elements, by tag. */
export async function readElements({ elements }: Types): Promise<Declaration[]> {
  const { modules } = (await cli({ argv: ['analyze'], cwd: ROOT, noWrite: true })) as { modules: Module[] };
  return (JSON.parse(JSON.stringify(modules), tidied) as Module[])
    .flatMap(({ path, declarations }) =>
      declarations
        .filter(({ tagName }) => tagName)
        .map((each) => {
          const members = elements.find(({ tag }) => tag === each.tagName)!.members;
          return publicPart(each, new Set(members.map(({ name }) => name)), documented(path));
        }),
    )
    .toSorted((a, b) => (a.tagName < b.tagName ? -1 : 1));
}

/** Removes line breaks from comments, and the origin of inherited members, which does not matter to users. */
function tidied(name: string, value: unknown): unknown {
  if (name === 'inheritedFrom') return undefined;
  return name === 'description' ? String(value).replaceAll(/\s+/g, ' ') : value;
}

/** Types by attribute. The analyzer gives the property's type instead, which may not fit the attribute's text. */
function documented(path: string): Map<string, string> {
  const texts = [BASE, path].map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return new Map(
    texts.flatMap((text) => [...text.matchAll(ATTRIBUTE)].map(([, type, name]) => [name!, type!])),
  );
}

/** The declaration without internal members. */
function publicPart(all: Declaration, members: Set<string>, types: Map<string, string>): Declaration {
  const { kind, name, tagName, description, events, slots, cssParts, cssProperties } = all;
  return {
    kind,
    name,
    tagName,
    description,
    attributes: all.attributes
      .filter((each) => types.has(each.name))
      .map((each) => ({
        name: each.name,
        fieldName: each.fieldName,
        type: { text: types.get(each.name)! },
        description: each.description ?? '',
      })),
    members: all.members.filter((each) => members.has(each.name)),
    // The analyzer guesses others from calls of `dispatchEvent`.
    events: events.filter((each) => each.description),
    ...(slots && { slots }),
    ...(cssParts && { cssParts }),
    ...(cssProperties && { cssProperties }),
  };
}

/** `custom-elements.json`, for tools. */
export function manifestText(elements: readonly Declaration[]): string {
  const modules = elements.map((element) => {
    const path = `dist/elements/${element.tagName}/${element.tagName}.js`;
    const declaration = { name: element.name, module: path };
    return {
      kind: 'javascript-module',
      path,
      declarations: [{ ...element, customElement: true }],
      exports: [
        { kind: 'js', name: element.name, declaration },
        { kind: 'custom-element-definition', name: element.tagName, declaration },
      ],
    };
  });
  return json({ schemaVersion: '1.0.0', modules });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The values of a union of string literals; none for another type. */
function valuesOf(type: string): string[] {
  const parts = type.split('|').map((part) => /^'(.*)'$/.exec(part.trim())?.[1]);
  return parts.every((part) => part !== undefined) ? parts : [];
}

/** VS Code: `html.customData`. */
export function htmlData(elements: readonly Declaration[]): string {
  const tags = elements.map(({ tagName, description, attributes }) => ({
    name: tagName,
    description,
    attributes: attributes.map(({ name, description: about, type }) => {
      const values = valuesOf(type!.text).map((value) => ({ name: value }));
      const isFlag = type!.text === 'boolean';
      return { name, description: about, ...(isFlag && { valueSet: 'v' }), ...(values.length && { values }) };
    }),
  }));
  return json({ version: 1.1, tags });
}

/** VS Code: `css.customData`. */
export function cssData(elements: readonly Declaration[]): string {
  const properties = new Map<string, Named>();
  const parts = new Map<string, string[]>();
  for (const { tagName, cssParts = [], cssProperties = [] } of elements) {
    for (const each of cssProperties) properties.set(each.name, each);
    for (const { name, description } of cssParts)
      parts.set(name, [...(parts.get(name) ?? []), `<${tagName}>: ${description}`]);
  }
  return json({
    version: 1.1,
    properties: [...properties.values()].map(({ name, description }) => ({ name, description })),
    pseudoElements: [...parts].map(([name, about]) => ({
      name: `::part(${name})`,
      description: about.join('\n'),
    })),
  });
}

/** `src/elements/element-types.ts`, from which the declarations for each framework are made. */
export function elementTypes(elements: readonly Declaration[]): string {
  const events = ['Cancel', 'Error', 'Progress', 'Request', 'Result'].map((name) => `Connect${name}Event`);
  return `/** What every element takes and fires, by tag. Written by \`npm run api\` from the comments of the classes. */
import type { ConnectProvider } from './connect-provider/connect-provider.ts';
import type {
${events.map((name) => `  ${name},`).join('\n')}
} from './events.ts';
${elements
  .filter(({ name }) => name !== 'ConnectProvider')
  .map(({ name, tagName }) => `import type { ${name} } from './${tagName}/${tagName}.ts';`)
  .join('\n')}

export interface ElementTypes {
${elements.map(typeOf).join('\n')}
}
`;
}

function typeOf({ name, tagName, members, attributes, events }: Declaration): string {
  const properties = members.filter(({ kind, readonly }) => kind === 'field' && !readonly);
  return `  '${tagName}': {
    element: ${name};
    properties:
${properties.map((each) => `      | '${each.name}'`).join('\n')};
    attributes: {
${attributes.map((each) => `      ${quoted(each.name)}: ${spaced(each.type!.text)};`).join('\n')}
    };
    events: {
${events.map((each) => `      '${each.name}': ${each.type!.text};`).join('\n')}
    };
  };`;
}

const quoted = (name: string): string => (name.includes('-') ? `'${name}'` : name);
/** A boolean attribute is present or absent. */
const spaced = (type: string): string => (type === 'boolean' ? "boolean | ''" : type.split('|').join(' | '));
