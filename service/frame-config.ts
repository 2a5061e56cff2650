/** Settings of the frame's server: environment variables, checked at the start. `docs/deploying.md` explains each one. */
import { statSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError, VARIABLES } from './config.ts';
import type { DescribedNetworks } from './networks/descriptor-files.ts';
import { readNetworksFile } from './networks/networks-file.ts';
import { type Range, readRange } from './outbound/addresses.ts';
import { list, readBy, whole } from './settings/fields.ts';
import { misspelt } from './settings/spelling.ts';

export interface FrameConfig {
  port: number;
  /** Both loopback addresses when undefined. */
  host: string | undefined;
  networks: DescribedNetworks;
  /** Folder of earlier releases. */
  releases: string | undefined;
  outboundRanges: readonly Range[];
}

function readFolder(path: string): string {
  if (!statSync(path).isDirectory()) throw new Error(`${path} is no folder`);
  return path;
}

const Environment = z.object({
  FRAME_PORT: whole(0, 65_535).default(4000),
  FRAME_HOST: z.string().optional(),
  NETWORKS: z
    .string({ error: 'is not set. It is the path of the networks.json that the frame uses.' })
    .pipe(readBy(readNetworksFile)),
  RELEASES: readBy(readFolder).optional(),
  OUTBOUND_RANGES: list.pipe(z.array(readBy(readRange))).default([]),
});

/** Throws `ConfigError`, which names every variable that is wrong. */
export function readFrameConfig(env: NodeJS.ProcessEnv = process.env): FrameConfig {
  const values = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]),
  );
  const { data, error } = Environment.safeParse(values);
  const spelling = misspelt(env, Object.keys(Environment.shape), VARIABLES);
  if (!data || spelling.length > 0)
    throw new ConfigError(
      [...spelling, ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)],
      "The frame's server",
    );
  return {
    port: data.FRAME_PORT,
    host: data.FRAME_HOST,
    networks: data.NETWORKS,
    releases: data.RELEASES,
    outboundRanges: data.OUTBOUND_RANGES,
  };
}
