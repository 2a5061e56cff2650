/**
 * `npm run api`: writes everything public into one file, `docs/api-surface.md`, so that reviewers see a change to it; and what is generated
 * from the elements' comments: the manifest, the reference pages, editors' data and types for frameworks; and the methods of
 * `carabiner/service`, from the service's contract.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { dependenciesText } from './api/dependencies.ts';
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
import { httpieText, postmanText } from './api/http-files.ts';
import { contractDocument, readRoutes, type Routes } from './api/routes.ts';
import { SDK_FILE, sdkText } from './api/sdk.ts';
import { readTypes, type Types } from './api/types.ts';
import { ROOT } from './command.ts';
import { writeCatalogues } from './strings/fresh.ts';

const API_FILE = 'docs/api-surface.md';
const TYPES_FILE = 'src/elements/element-types.ts';

const block = (language: string, texts: readonly string[]): string =>
  `\`\`\`${language}\n${texts.join('\n\n')}\n\`\`\`\n`;

/** The content of each file, from the current code. */
export async function generated(): Promise<Record<string, string>> {
  const types = readTypes();
  const elements = await readElements(types);
  const document = await contractDocument();
  const pages = Object.entries(referencePages(elements));
  return {
    [API_FILE]: apiSurface(types, elements, readRoutes(document)),
    [TYPES_FILE]: elementTypes(elements),
    [SDK_FILE]: sdkText(document),
    'docs/dependencies.md': dependenciesText(),
    'docs/http/carabiner.postman_collection.json': postmanText(document),
    'docs/http/carabiner.httpie.json': httpieText(document),
    'types/custom-elements.json': manifestText(elements),
    'types/vscode.html-data.json': htmlData(elements),
    'types/vscode.css-data.json': cssData(elements),
    ...Object.fromEntries(pages.map(([name, text]) => [`docs/reference/${name}`, text])),
  };
}

function apiSurface(
  types: Types,
  elements: readonly Declaration[],
  { routes, types: schemas, others }: Routes,
): string {
  const events = Object.entries(types.events).map(([name, type]) => `${name}: ${type}`);
  return `# Public API

Everything that is public ([what that means](releasing.md#what-is-public)), from the code. Written by \`npm run api\` and compared by a
test: do not edit it by hand. What each part does is described in [embedding](embedding.md), [chains](chains.md) and [service](service.md).

## Elements

${block('text', elementLines(types, elements))}
## Events

${block('text', [events.join('\n')])}
## HTTP API of the service

Of scopes with “or” between them one is enough. Limits and patterns of fields are in \`/openapi.json\`.

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

function readText(name: string): string | undefined {
  const path = join(ROOT, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['api'],
    does: 'Writes what is made of the code: docs/api-surface.md, the reference of the elements, editors’ data and types, the methods of carabiner/service, docs/http and docs/dependencies.md. A test compares them.',
  });

  await writeCatalogues();
  let files = await generated();
  // The list of the API contains the types of these.
  const sources = [TYPES_FILE, SDK_FILE].filter((name) => files[name] !== readText(name));
  for (const name of sources) writeFileSync(join(ROOT, name), files[name]!);
  if (sources.length) files = await generated();
  for (const [name, text] of Object.entries(files)) {
    const file = join(ROOT, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(['wrote', ...Object.keys(files)].join('\n  '));
}
