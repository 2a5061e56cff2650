/** `npm run frame`: the frame's origin alone, for a deployment behind a TLS proxy. Settings come from the environment. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { config, locales, prettifyError } from 'zod';
import { Networks } from '../src/chains/network.ts';
import { startFrameServer } from './frame-server.ts';

// The schemas are of zod/mini, which brings no messages.
config(locales.en());
const { FRAME_PORT = '4000', FRAME_HOST, FRAME_ANCESTORS, NETWORKS } = process.env;

async function readNetworks(): Promise<Networks> {
  if (!NETWORKS)
    throw new Error('NETWORKS is not set. It is the path of the networks.json that the frame uses.');
  const { data, error } = Networks.safeParse(JSON.parse(await readFile(NETWORKS, 'utf8')));
  if (error) throw new Error(`${NETWORKS} does not say what networks there are:\n${prettifyError(error)}`);
  return data;
}

try {
  const server = await startFrameServer({
    dist: resolve(import.meta.dirname, '../dist'),
    networks: await readNetworks(),
    port: Number(FRAME_PORT),
    host: FRAME_HOST,
    frameAncestors: FRAME_ANCESTORS,
  });
  console.log(`frame ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
