/** `docs/reference/`: a page for each element, from the manifest. */
import type { Declaration } from './manifest.ts';

type Row = readonly string[];

/** By file name. */
export function referencePages(elements: readonly Declaration[]): Record<string, string> {
  return {
    'README.md': `# Elements

Everything that each element takes and fires. Written by \`npm run api\` from the comments of the classes: do not edit it by hand.
[Embedding](../embedding.md) says how the elements work together, [the API report](../../api/elements.api.md) has their types.

${elements.map(({ tagName, description }) => `- [\`<${tagName}>\`](${tagName}.md): ${description}`).join('\n')}
`,
    ...Object.fromEntries(elements.map((each) => [`${each.tagName}.md`, page(each)])),
  };
}

function page({ tagName, description, ...element }: Declaration): string {
  const { attributes, members, events, slots = [], cssParts = [], cssProperties = [] } = element;
  const aboutOf = (field: string): string =>
    attributes.find(({ fieldName }) => fieldName === field)?.description ?? '';
  const fields = members.filter(({ kind }) => kind === 'field');
  const methods = members.filter(({ kind }) => kind === 'method');
  return `# \`<${tagName}>\`

${description}

${[
  section(
    'Attributes',
    ['attribute', 'type', 'property', ''],
    attributes.map((each) => [
      code(each.name),
      code(each.type!.text),
      fieldOf(each.fieldName, fields),
      each.description!,
    ]),
  ),
  section(
    'Properties',
    ['property', 'type', ''],
    fields.map((each) => [
      code(each.name),
      code(each.type!.text),
      `${each.readonly ? 'Read-only. ' : ''}${each.description ?? aboutOf(each.name)}`,
    ]),
  ),
  section(
    'Methods',
    ['method', 'returns', ''],
    methods.map((each) => [
      code(`${each.name}(${(each.parameters ?? []).map(({ name }) => name).join(', ')})`),
      code(each.return!.type.text),
      each.description!,
    ]),
  ),
  section(
    'Events',
    ['event', 'type', ''],
    events.map((each) => [code(each.name), code(each.type!.text), each.description!]),
  ),
  section(
    'Slots',
    ['slot', ''],
    slots.map((each) => [each.name ? code(each.name) : 'default', each.description!]),
  ),
  section(
    'Parts',
    ['part', ''],
    cssParts.map((each) => [code(each.name), each.description!]),
  ),
  section(
    'CSS properties',
    ['property', ''],
    cssProperties.map((each) => [code(each.name), each.description!]),
  ),
]
  .filter(Boolean)
  .join('\n')}`;
}

const code = (text: string): string => `\`${text}\``;

/** The public property of an attribute, if there is one. */
function fieldOf(name: string, fields: readonly { name: string }[]): string {
  return fields.some((each) => each.name === name) ? code(name) : '';
}

function section(title: string, head: Row, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at]!.length)));
  const line = (row: Row): string => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  const [first, ...others] = cells.map(line);
  return `## ${title}\n\n${[first, line(widths.map((width) => '-'.repeat(width))), ...others].join('\n')}\n`;
}
