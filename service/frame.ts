/**
 * `npm run frame`: the frame's origin alone, for a deployment behind a TLS proxy. Settings come from the environment.
 * `npm run frame -- --nginx <folder>` writes what nginx needs to serve it from files, and ends.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startFrameServer } from './frame-server.ts';
import { answerHelp } from './help.ts';
import { readNetworksFile } from './networks/networks-file.ts';
import { writeNginxFiles } from './nginx-files.ts';
import { readRange } from './outbound/addresses.ts';
import { Outbound } from './outbound/outbound.ts';
import { checkedEntries, VERSION } from './releases.ts';
import { TokenLists } from './networks/token-lists.ts';

answerHelp({
  usage: ['frame', 'frame -- --nginx <folder>'],
  does: 'Serves the frame of the wallet, and prints the integrity of connect.js of each release. It needs the build in dist/.',
  options: { '--nginx': 'writes what nginx needs to serve the frame from files into this folder, and ends' },
  environment: {
    NETWORKS: 'path of the networks.json of the frame; needed',
    FRAME_PORT: 'port; 4000 without it',
    FRAME_HOST: 'address to listen on; localhost without it',
    RELEASES: 'folder with earlier releases that are served, too',
    OUTBOUND_RANGES: 'private addresses that token lists may be read from, separated by commas',
  },
});

const { FRAME_PORT = '4000', FRAME_HOST, NETWORKS, RELEASES, OUTBOUND_RANGES = '' } = process.env;

async function start(
  dist: string,
  lists: TokenLists,
  descriptors: ReadonlyMap<string, string>,
): Promise<void> {
  const server = await startFrameServer({
    dist,
    releases: RELEASES,
    networks: () => lists.networks,
    descriptors,
    port: Number(FRAME_PORT),
    host: FRAME_HOST,
  });
  console.log(`frame ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

try {
  const { nginx } = parseArgs({ options: { nginx: { type: 'string' } } }).values;
  if (!NETWORKS)
    throw new Error('NETWORKS is not set. It is the path of the networks.json that the frame uses.');
  const dist = resolve(import.meta.dirname, '../dist');
  const entries = checkedEntries({ dist, version: VERSION, kept: RELEASES });
  const ranges = OUTBOUND_RANGES.split(/[\s,]+/).filter(Boolean);
  const { networks, descriptors } = readNetworksFile(NETWORKS);
  const lists = await TokenLists.open(networks, new Outbound(ranges.map(readRange)), {
    warn: (message) => console.error(message),
  });
  if (nginx === undefined) await start(dist, lists, descriptors);
  else writeNginxFiles(nginx, lists.networks, descriptors);
  for (const [version, integrity] of entries) console.log(`/v${version}/connect.js ${integrity}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
