/** Headers of every answer, for browsers that show it. Answers are data: nothing in them may run, be framed or be cached. */
import type { FastifyInstance } from 'fastify';

const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
};

/** The policy for pages of our own. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Of the reference, whose own script calls this service, and nothing else. */
export const REFERENCE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

const SECURE = { 'Strict-Transport-Security': 'max-age=31536000' };
/** The address of a payment page is enough to open it. */
const PRIVATE_PATH = /^\/(?:(?:api|auth|pay|checkout|account|webhooks|deliveries|sync)\b|\w+-dashboard\b)/;
const PRIVATE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** For answers that bypass the hooks. */
export const ERROR_HEADERS = { ...COMMON, ...PRIVATE };

export function sendSecurityHeaders(app: FastifyInstance, url: string | undefined): void {
  const always = { ...COMMON, ...(url?.startsWith('https:') ? SECURE : {}) };
  const data = { ...always, ...PRIVATE };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(PRIVATE_PATH.test(request.url) ? data : always).header('X-Request-Id', request.id);
    done();
  });
}
