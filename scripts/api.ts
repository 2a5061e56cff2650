/** `npm run api`: everything public in one file, `docs/api-surface.md`, so that a change to it is seen in review. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { elementLines } from './api/elements.ts';
import { readRoutes } from './api/routes.ts';
import { readTypes } from './api/types.ts';
import { ROOT } from './command.ts';

export const API_FILE = join(ROOT, 'docs/api-surface.md');

const block = (language: string, texts: readonly string[]): string =>
  `\`\`\`${language}\n${texts.join('\n\n')}\n\`\`\`\n`;

/** The text of the file, from the code as it is now. */
export async function apiSurface(): Promise<string> {
  const types = readTypes();
  const { routes, types: schemas, others } = await readRoutes();
  const events = Object.entries(types.events).map(([name, type]) => `${name}: ${type}`);
  return `# Public API

Everything that is public ([what that means](releasing.md#what-is-public)), as the code has it. Written by \`npm run api\`, compared by a
test: do not edit it by hand. What each thing does is in [embedding](embedding.md), [chains](chains.md) and [service](service.md).

## Elements

${block('text', elementLines(types))}
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
  writeFileSync(API_FILE, await apiSurface());
  console.log(`wrote ${relative(ROOT, API_FILE)}`);
}
