/** Files from a folder, cached in memory until they change. They are compressed by the build (`.br` beside them), else on first request. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
};

const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof ENCODERS;

/** A file that the build named after its content never changes. */
const HASHED = /\/(chunks|assets)\/[^/]+-[\w-]{7,8}\.\w+$/;

export interface Content {
  type: string;
  etag: string;
  immutable: boolean;
  /** Seconds that a browser may use it without asking again. */
  fresh?: number;
  body: Buffer;
  encoded: Map<Encoding, Buffer>;
}

export function content(body: Buffer, path: string): Content {
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    immutable: HASHED.test(path),
    body,
    encoded: new Map(),
  };
}

export class StaticFiles {
  readonly #files = new Map<string, { modified: number; content: Content }>();

  /** Undefined when there is no such file. */
  async get(path: string): Promise<Content | undefined> {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const cached = this.#files.get(path);
    if (cached?.modified === info.mtimeMs) return cached.content;
    const fresh = content(await readFile(path), path);
    const built = await stat(`${path}.br`).catch(() => undefined);
    if (built && built.mtimeMs >= info.mtimeMs) fresh.encoded.set('br', await readFile(`${path}.br`));
    this.#files.set(path, { modified: info.mtimeMs, content: fresh });
    return fresh;
  }
}

/** Pictures are compressed as they are. */
function preferred(request: IncomingMessage, { type }: Content): Encoding | undefined {
  if (type === 'image/webp') return undefined;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted),
  );
}

async function encoded(from: Content, encoding: Encoding): Promise<Buffer> {
  const body = from.encoded.get(encoding);
  if (body) return body;
  const made = await ENCODERS[encoding](from.body);
  from.encoded.set(encoding, made);
  return made;
}

/** Each encoding has its own: the bytes differ, and a cache on the way to the browser may hold several. */
function etagOf({ etag }: Content, encoding: Encoding | undefined): string {
  return encoding ? etag.replace(/"$/, `-${encoding}"`) : etag;
}

/** Ignores the weak mark, which a compressing proxy adds to the tag. */
function isKnown(request: IncomingMessage, etag: string): boolean {
  const etags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return etags?.includes(etag) ?? false;
}

/** Answers a GET or HEAD with `from`. With another status than 200 nobody may keep the answer. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  from: Content,
  headers: Record<string, string>,
  status = 200,
): Promise<void> {
  const encoding = preferred(request, from);
  const etag = etagOf(from, encoding);
  const isKept = status === 200;
  const unasked = from.fresh === undefined ? 'no-cache' : `public, max-age=${from.fresh}`;
  const asIs = from.immutable ? 'public, max-age=31536000, immutable' : unasked;
  response.setHeaders(
    new Map(
      Object.entries({
        Vary: 'Accept-Encoding',
        ...headers,
        'Content-Type': from.type,
        ETag: etag,
        'Cache-Control': isKept ? asIs : 'no-store',
      }),
    ),
  );
  if (isKept && isKnown(request, etag)) {
    response.writeHead(304).end();
    return;
  }
  if (encoding) response.setHeader('Content-Encoding', encoding);
  const body = encoding ? await encoded(from, encoding) : from.body;
  response.setHeader('Content-Length', body.length);
  response.writeHead(status).end(request.method === 'HEAD' ? undefined : body);
}
