/**
 * What nginx needs to serve the frame's origin from files, without a process of ours: the headers, which follow from `networks.json`, as files
 * to include, and the files that our own server makes.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Networks } from '../src/chains/network.ts';
import { frameHeaders, publicHeaders } from './frame-headers.ts';
import { makeFolder } from './files/make-folder.ts';
import { embedAnswer } from './networks/embed.ts';

/** Also with errors, which nginx sends without headers of ours unless told `always`. */
function includeOf(headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `add_header ${name} "${value}" always;\n`);
  return `# Written by "npm run frame -- --nginx": edit networks.json instead.\n${lines.join('')}`;
}

/** Content by name. Throws if the list of pages is too long for one answer to all of them. */
export function nginxFiles(
  networks: Networks,
  descriptors: ReadonlyMap<string, string> = new Map(),
): Record<string, string> {
  const embed = networks.embed ?? [];
  const answer = embedAnswer(embed, undefined);
  if (answer !== JSON.stringify({ embed }))
    throw new Error(
      'embed names more pages than embed.json can hold: the answer then depends on the page. Put nginx in front of "npm run frame" instead.',
    );
  return {
    'frame.conf': includeOf(frameHeaders({ networks })),
    'read.conf': includeOf(frameHeaders({ networks }, 'read')),
    'wallet.conf': includeOf(frameHeaders({ networks }, 'wallet')),
    'public.conf': includeOf(publicHeaders({ networks })),
    'networks.json': JSON.stringify(networks),
    'embed.json': answer,
    ...Object.fromEntries(descriptors),
  };
}

export function writeNginxFiles(
  folder: string,
  networks: Networks,
  descriptors: ReadonlyMap<string, string>,
): void {
  const files = nginxFiles(networks, descriptors);
  makeFolder(resolve(folder, 'descriptors'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    // nginx does not compress what it looks up by `brotli_static`.
    if (name.endsWith('.json')) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  }
}
