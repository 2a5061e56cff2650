/**
 * `npm run frame`: the frame's origin alone, for a deployment behind a TLS proxy. Settings come from the environment.
 * `npm run frame -- --nginx <folder>` writes what nginx needs to serve it from files, and ends.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FrameConfig, readFrameConfig } from './frame-config.ts';
import { startFrameServer } from './frame-server.ts';
import { answerHelp } from './help.ts';
import { writeNginxFiles } from './nginx-files.ts';
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

async function start(config: FrameConfig, dist: string, lists: TokenLists): Promise<void> {
  const server = await startFrameServer({
    dist,
    releases: config.releases,
    networks: () => lists.networks,
    descriptors: config.networks.descriptors,
    port: config.port,
    host: config.host,
  });
  console.log(`frame ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

try {
  const { nginx } = parseArgs({ options: { nginx: { type: 'string' } } }).values;
  const config = readFrameConfig();
  const { networks, descriptors } = config.networks;
  const dist = resolve(import.meta.dirname, '../dist');
  const entries = checkedEntries({ dist, version: VERSION, kept: config.releases });
  const lists = await TokenLists.open(networks, new Outbound(config.outboundRanges), {
    warn: (message) => console.error(message),
  });
  if (nginx === undefined) await start(config, dist, lists);
  else writeNginxFiles(nginx, lists.networks, descriptors);
  for (const [version, integrity] of entries) console.log(`/v${version}/connect.js ${integrity}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
