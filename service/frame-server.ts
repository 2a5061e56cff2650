/**
 * The server of the frame's origin. It sends `connect.js` with its chunks, the frame page and `networks.json`, and nothing else:
 * keys live on this origin, so no other page may.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Networks } from '../src/chains/network.ts';
import { COMMON_HEADERS, frameHeaders, PUBLIC_HEADERS } from './frame-headers.ts';
import { listen } from './listen.ts';
import { content, type Content, send, StaticFiles } from './static-files.ts';

export interface FrameServerOptions {
  /** Folder that `npm run build` wrote. */
  dist: string;
  /** Requests wait for them. A function is asked at each, and answers another object when something has changed. */
  networks: Networks | Promise<Networks> | (() => Networks);
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on; both loopback addresses when absent. TLS is a proxy's work. */
  host?: string | undefined;
  frameAncestors?: string | undefined;
}

export interface Running {
  url: string;
  close(): Promise<void>;
}

/** Names without a dot at either end of a part: no `..`, no hidden file. */
const SCRIPT = /^\/(connect\.js|chunks\/[\w-][\w.-]*\.js)$/;
const FRAME = /^\/frame\/((?:[\w-]+\/)*[\w-][\w.-]*)?$/;

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0]!;
}

export async function startFrameServer(options: FrameServerOptions): Promise<Running> {
  const files = new StaticFiles();
  const { networks: given } = options;
  const networksNow = typeof given === 'function' ? given : () => given;
  // Whoever gave the promise hears of it first.
  Promise.resolve(networksNow()).catch(() => {});
  let made: { of: Networks; networks: Content; frame: Record<string, string> } | undefined;
  async function current(): Promise<NonNullable<typeof made>> {
    const networks = await networksNow();
    if (made?.of !== networks)
      made = {
        of: networks,
        networks: content(Buffer.from(JSON.stringify(networks)), 'networks.json'),
        frame: frameHeaders({ ...options, networks }),
      };
    return made!;
  }

  async function find(
    path: string,
  ): Promise<{ found: Content | undefined; headers: Record<string, string> }> {
    const { networks, frame } = await current();
    if (path === '/networks.json') return { found: networks, headers: PUBLIC_HEADERS };
    if (SCRIPT.test(path))
      return { found: await files.get(join(options.dist, path)), headers: PUBLIC_HEADERS };
    if (!FRAME.test(path)) return { found: undefined, headers: COMMON_HEADERS };
    const file = path.endsWith('/') ? `${path}index.html` : path;
    return { found: await files.get(join(options.dist, file)), headers: frame };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...COMMON_HEADERS, Allow: 'GET, HEAD' }).end();
      return;
    }
    const { found, headers } = await find(pathOf(request));
    if (found) await send(request, response, found, headers);
    else response.writeHead(404, { ...COMMON_HEADERS, 'Content-Type': 'text/plain' }).end('Not found\n');
  }

  const { port, close } = await listen(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error('frame server:', error);
        response.destroy();
      });
    },
    { port: options.port, host: options.host, setting: 'FRAME_PORT' },
  );
  const stopped = new AbortController();
  const folders = ['', 'chunks', 'frame', 'frame/assets'].map((folder) => join(options.dist, folder));
  files.warm(folders, stopped.signal).catch((error: unknown) => console.error('frame server:', error));
  return {
    url: `http://localhost:${port}`,
    close() {
      stopped.abort();
      return close();
    },
  };
}
