/**
 * The server of the frame's origin. It sends `connect.js` with its chunks, the wallet's pages and the one for reads, `networks.json` with the
 * files it lists, and `embed.json`, and nothing else: keys live on this origin, so no other page may.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Networks } from '../src/chains/network.ts';
import { embedAnswer } from './networks/embed.ts';
import { ERROR_HEADERS, type FramePage, frameHeaders, publicHeaders } from './frame-headers.ts';
import { listen } from './listen.ts';
import { content, type Content, send, StaticFiles } from './http/static-files.ts';
import { scripts, VERSION } from './releases.ts';

export interface FrameServerOptions {
  /** Folder that `npm run build` wrote. */
  dist: string;
  /** Folder of earlier releases, whose scripts are still served (`releases.ts`). */
  releases?: string | undefined;
  /** Requests wait for the promise. A function is called for each request, and returns a new object when something has changed. */
  networks: Networks | Promise<Networks> | (() => Networks);
  /** Words for contracts, by their path beside `networks.json` (`networks/descriptor-files.ts`). */
  descriptors?: ReadonlyMap<string, string> | undefined;
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on; both loopback addresses when absent. TLS is left to a proxy. */
  host?: string | undefined;
}

export interface Running {
  url: string;
  close(): Promise<void>;
}

/** No part of a path begins or ends with a dot: no `..`, no hidden file. */
const PAGE = /^\/(frame|read|wallet)\/((?:[\w-]+\/)*[\w-][\w.-]*)?$/;
/** The wallet by itself, to which `/` leads. Relative: the origin's address is the proxy's affair. */
const OWN_PAGE = 'wallet/';
/** A page learns within five minutes that the operator added or removed it. */
const EMBED_SECONDS = 300;

type Headers = Record<string, string>;

/** What is derived from the current networks. */
interface Derived {
  of: Networks;
  networks: Content;
  page: Record<FramePage, Headers>;
  open: Headers;
}

function derive(of: Networks): Derived {
  return {
    of,
    networks: content(Buffer.from(JSON.stringify(of)), 'networks.json'),
    page: {
      frame: frameHeaders({ networks: of }),
      read: frameHeaders({ networks: of }, 'read'),
      wallet: frameHeaders({ networks: of }, 'wallet'),
    },
    open: publicHeaders({ networks: of }),
  };
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0]!;
}

export async function startFrameServer(options: FrameServerOptions): Promise<Running> {
  const files = new StaticFiles();
  const findScript = scripts({ dist: options.dist, version: VERSION, kept: options.releases });
  const { networks: source } = options;
  const networksNow = typeof source === 'function' ? source : () => source;
  // Whoever passed the promise handles its rejection.
  Promise.resolve(networksNow()).catch(() => {});
  let derived: Derived | undefined;
  async function current(): Promise<Derived> {
    const networks = await networksNow();
    return derived?.of === networks ? derived : (derived = derive(networks));
  }

  async function find(
    path: string,
    asking: string | undefined,
  ): Promise<{ file: Content | undefined; headers: Headers }> {
    const { of, networks, page, open } = await current();
    if (path === '/') return { file: undefined, headers: { ...page.wallet, Location: OWN_PAGE } };
    if (path === '/networks.json') return { file: networks, headers: open };
    if (path === '/embed.json') {
      const answer = Buffer.from(embedAnswer(of.embed ?? [], asking));
      const file = { ...content(answer, path), fresh: EMBED_SECONDS };
      return { file, headers: { ...open, Vary: 'Accept-Encoding, Origin' } };
    }
    const words = options.descriptors?.get(path.slice(1));
    // Its name is its hash.
    if (words !== undefined)
      return { file: { ...content(Buffer.from(words), path), immutable: true }, headers: open };
    const script = findScript(path);
    if (script) {
      const file = await files.get(script.file);
      return { file: file && { ...file, immutable: file.immutable || script.pinned }, headers: open };
    }
    const [, folder] = PAGE.exec(path) ?? [];
    if (!folder) return { file: undefined, headers: page.frame };
    const file = path.endsWith('/') ? `${path}index.html` : path;
    return { file: await files.get(join(options.dist, file)), headers: page[folder as FramePage] };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { file, headers } = await find(pathOf(request), request.headers.origin);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    else if (file) await send(request, response, file, headers);
    else if (headers['Location']) response.writeHead(302, headers).end();
    else response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found\n');
  }

  const { port, close } = await listen(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error('frame server:', error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, ERROR_HEADERS).end();
      });
    },
    { port: options.port, host: options.host, setting: 'FRAME_PORT', errorHeaders: ERROR_HEADERS },
  );
  return { url: `http://localhost:${port}`, close };
}
