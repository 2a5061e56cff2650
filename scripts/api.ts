/**
 * `npm run api`: writes everything public into one file, `docs/api-surface.md`, so that reviewers see a change to it; and what is generated
 * from the elements' comments: the manifest, the reference pages, editors' data and types for frameworks.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { elementLines } from './api/elements.ts';
import {
  cssData,
  type Declaration,
  elementTypes,
  htmlData,
  manifestText,
  readElements,
} from './api/manifest.ts';
import { referencePages } from './api/reference.ts';
import { readRoutes } from './api/routes.ts';
import { readTypes, type Types } from './api/types.ts';
import { ROOT } from './command.ts';

const API_FILE = 'docs/api-surface.md';
const TYPES_FILE = 'src/elements/element-types.ts';

const block = (language: string, texts: readonly string[]): string =>
  `\`\`\`${language}\n${texts.join('\n\n')}\n\`\`\`\n`;

/** The content of each file, from the current code. */
export async function generated(): Promise<Record<string, string>> {
  const types = readTypes();
  const elements = await readElements(types);
  const pages = Object.entries(referencePages(elements));
  return {
    [API_FILE]: await apiSurface(types, elements),
    [TYPES_FILE]: elementTypes(elements),
    'types/custom-elements.json': manifestText(elements),
    'types/vscode.html-data.json': htmlData(elements),
    'types/vscode.css-data.json': cssData(elements),
    ...Object.fromEntries(pages.map(([name, text]) => [`docs/reference/${name}`, text])),
  };
}

async function apiSurface(types: Types, elements: readonly Declaration[]): Promise<string> {
  const { routes, types: schemas, others } = await readRoutes();
  const events = Object.entries(types.events).map(([name, type]) => `${name}: ${type}`);
  return `# Public API

Everything that is public ([what that means](releasing.md#what-is-public)), from the code. Written by \`npm run api\` and compared by a
test: do not edit it by hand. What each part does is described in [embedding](embedding.md), [chains](chains.md) and [service](service.md).

## Elements

${block('text', elementLines(types, elements))}
## Events

${block('text', [events.join('\n')])}
## HTTP API of the service

Where several scopes are named, one is enough. Limits and patterns of fields are in \`/openapi.json\`.

${block('text', routes)}
${block('ts', schemas)}
Besides the contract:

${block('text', [others.join('\n')])}
## npm package

${Object.entries(types.entries)
  .map(([entry, texts]) => `### \`${entry}\`\n\n${block('ts', texts)}`)
  .join('\n')}
### Types that these mention

No entry exports them by name.

${block('ts', types.mentioned)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let files = await generated();
  const types = files[TYPES_FILE]!;
  if (types !== readFileSync(join(ROOT, TYPES_FILE), 'utf8')) {
    // The list of the API contains these types.
    writeFileSync(join(ROOT, TYPES_FILE), types);
    files = await generated();
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(ROOT, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(['wrote', ...Object.keys(files)].join('\n  '));
}
