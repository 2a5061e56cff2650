/**
 * `GET /pay/{page}`: where the customer pays. The page itself is built from `src/pay/` and knows nothing of the session yet; for an address that
 * no session has, it says so, and the status is 404.
 */
import { join, resolve } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REFUND_PAGE } from '../../../src/api/refund-link.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Service } from '../../service.ts';
import { readPageSession } from '../sessions/read-session.ts';
import { type Content, send, StaticFiles } from '../../http/static-files.ts';

/** Folder that `npm run build` wrote. */
const DIST = resolve(import.meta.dirname, '../../../dist/pay');

/**
 * A page that takes card numbers runs only its own script, cannot be framed, and reveals its address to no other site. When it can be
 * paid by wallet, it may also frame the wallet's origin, and a window of the wallet may answer it.
 */
function headers(frameUrl: string | undefined): Record<string, string> {
  const frame = frameUrl ? [new URL(frameUrl).origin] : [];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      // The page asks there whether it may embed the wallet.
      ['connect-src', "'self'", ...frame].join(' '),
      ...frame.map((origin) => `frame-src ${origin}`),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ].join('; '),
    'Cross-Origin-Opener-Policy': frameUrl ? 'same-origin-allow-popups' : 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
}

/** Names do not begin or end with a dot: no `..`, no hidden file. */
const ASSET = /^[\w-][\w.-]*\w$/;

/** What the database cannot say now, the page tells the customer. */
async function isPage(db: Service['db'], page: string): Promise<boolean> {
  // Which link it is, its address tells the page alone.
  if (page === REFUND_PAGE) return true;
  try {
    await readPageSession(db, page);
    return true;
  } catch (error) {
    return !(error instanceof ConnectError && error.code === 'checkout.session.unknown');
  }
}

export function servePageFiles(app: FastifyInstance, { config, db }: Service): void {
  const files = new StaticFiles();
  const own = headers(config.frameUrl);
  app.addHook('onReady', async () => {
    if (!(await files.get(join(DIST, 'index.html'))))
      app.log.warn('the payment page is not built: npm run build');
  });

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    file: Content,
    status = 200,
  ): Promise<void> {
    // The service's usual headers forbid caching, which is right for data but not for files.
    const { 'cache-control': _kept, pragma: _, ...always } = reply.getHeaders() as Record<string, string>;
    const { raw } = reply.hijack();
    await send(request.raw, raw, file, { ...always, ...own }, status);
  }

  app.get<{ Params: { page: string } }>('/pay/:page', async (request, reply) => {
    const page = await files.get(join(DIST, 'index.html'));
    if (!page)
      throw new ConnectError('internal.error', 'The payment page is not built here. Run npm run build.');
    await answer(request, reply, page, (await isPage(db, request.params.page)) ? 200 : 404);
  });

  app.get<{ Params: { file: string } }>('/pay/assets/:file', async (request, reply) => {
    const { file } = request.params;
    const asset = ASSET.test(file) ? await files.get(join(DIST, 'assets', file)) : undefined;
    if (!asset) throw new ConnectError('request.not-found', 'There is no such file.');
    await answer(request, reply, asset);
  });
}
