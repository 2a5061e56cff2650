/** The docs' site on an origin of its own, built when somebody opens it for the first time. Its live elements are those of the demo's frame. */
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve as absolute } from 'node:path';
import { policy } from '../scripts/docs/template.ts';
import { type Content, content, send, StaticFiles } from '../service/http/static-files.ts';
import { listen } from '../service/listen.ts';

const ROOT = absolute(import.meta.dirname, '..');
/** One for all demos: it has the address of a frame that is none, in whose place each puts its own. */
const FOLDER = join(ROOT, '.cache/docs-site');
const NO_FRAME = 'https://frame.invalid';
/** Folders, then a name: no dots but the one before the ending. */
const PATH = /^\/(?:[\w-]+\/)*(?:[\w-]+(?:\.[a-z]{2,4})?)?$/;

export interface DocsServer {
  url: string;
  close(): Promise<void>;
}

class Site {
  #build: Promise<void> | undefined;
  #stop: () => void = () => {};

  /** In a process of its own: drawing the diagrams would keep every other answer waiting. Once a start, if a source is newer. */
  built(): Promise<void> {
    this.#build ??= new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/docs.ts', '--if-stale', FOLDER], {
        cwd: ROOT,
        env: { ...process.env, DOCS_FRAME: NO_FRAME },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      this.#stop = () => child.kill();
      child.once('error', reject);
      child.once('exit', (code) => {
        if (code === 0) return resolve();
        this.#build = undefined;
        reject(new Error('The docs could not be built.'));
      });
    });
    return this.#build;
  }

  stop(): void {
    this.#stop();
  }
}

/** A name without ending is a page's; `.md` is how errors and the repository name it. */
function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`;
  return /\.[a-z]+$/.test(path) ? path : `${path}.html`;
}

/** Of the site, with the demo's frame. */
class Files {
  readonly #files = new StaticFiles();
  readonly #pages = new WeakMap<Content, Content>();
  readonly #frame: string;

  constructor(frame: string) {
    this.#frame = frame;
  }

  async get(path: string): Promise<Content | undefined> {
    const file = await this.#files.get(join(FOLDER, path));
    if (!file || !path.endsWith('.html')) return file;
    const page =
      this.#pages.get(file) ??
      content(Buffer.from(String(file.body).replaceAll(NO_FRAME, this.#frame)), path);
    this.#pages.set(file, page);
    return page;
  }
}

/** `frame`: base URL of the wallet's origin. */
export async function startDocsServer({ port, frame }: { port: number; frame: string }): Promise<DocsServer> {
  const site = new Site();
  const files = new Files(frame);
  const headers = {
    'Content-Security-Policy': `${policy(frame)}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0]!;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    if (path.endsWith('.md'))
      return void response.writeHead(308, { ...headers, Location: path.replace(/\.md$/, '.html') }).end();
    await site.built();
    const file = PATH.test(path) ? await files.get(fileOf(path)) : undefined;
    if (file) await send(request, response, file, headers);
    else response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found\n');
  }

  const server = await listen(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else
          response
            .writeHead(500, { ...headers, 'Content-Type': 'text/plain' })
            .end(`${(error as Error).message}\n`);
      });
    },
    { port, setting: 'DOCS_PORT' },
  );
  return {
    url: `http://localhost:${server.port}`,
    async close() {
      site.stop();
      await server.close();
    },
  };
}
