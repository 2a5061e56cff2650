/** How an application's payment pages look: docs/checkout.md#your-look. */
import multipart from '@fastify/multipart';
import * as routes from '../../../src/api/checkout-routes.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { serve } from '../../http/serve.ts';
import type { Area } from '../../service.ts';
import { ICON_BYTES, readIcon } from './icon-image.ts';
import { hasIcon, iconPath, keepIcon, readPng } from './icons.ts';
import { readUpload } from './read-upload.ts';

/** Decoding an image costs more than other calls. */
const ICONS_A_MINUTE = 60;

/** A foreign image on our origin: any page may show it, and that is all. Its id changes with its pixels. */
const ICON_HEADERS = {
  'Content-Type': 'image/png',
  'Content-Disposition': 'inline; filename="icon.png"',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
};

export const branding: Area = async (app, service) => {
  const { db } = service;

  await app.register(async (uploads) => {
    await uploads.register(multipart);
    // The handler answers bodies that are not forms, and says what it expects.
    uploads.removeContentTypeParser('application/json');
    uploads.addContentTypeParser('*', (_request, _body, done) => done(null));
    const limits = service.config.rateLimit > 0 ? { perMinute: ICONS_A_MINUTE } : {};
    const { file: part } = routes.uploadIcon;
    serve(
      uploads,
      routes.uploadIcon,
      async ({ principal, request }) => {
        const { file, filename, type } = await readUpload(request, part, ICON_BYTES);
        const png = await readIcon(file, type);
        return keepIcon(db, { applicationId: principal.accountId, png, filename, url: service.url() });
      },
      limits,
    );
  });

  serve(app, routes.setBranding, async ({ principal, body }) => {
    const { primary_color, secondary_color, icon } = body.settings.branding;
    const values = {
      primary_color: inSix(primary_color),
      secondary_color: inSix(secondary_color),
      icon_id: icon,
      changed_at: new Date(),
    };
    await db.transaction().execute(async (tx) => {
      if (!(await hasIcon(tx, principal.accountId, icon)))
        throw invalid('settings.branding.icon', 'must be the id of an icon that you uploaded');
      await tx
        .insertInto('branding')
        .values({ application_id: principal.accountId, ...values })
        .onConflict((on) => on.column('application_id').doUpdateSet(values))
        .execute();
    });
    return body;
  });

  app.get<{ Params: { id: string } }>(iconPath(':id'), async ({ params, headers }, reply) => {
    const etag = `"${params.id}"`;
    const png = /^file_[\w-]{24}$/.test(params.id) ? await readPng(db, params.id) : undefined;
    if (!png) throw new ConnectError('request.not-found', 'There is no such icon.');
    void reply.headers({ ...ICON_HEADERS, ETag: etag });
    return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(png);
  });
};

/** `#rgb` as `#rrggbb`, which the page counts with. */
function inSix(color: string): string {
  return color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color;
}
