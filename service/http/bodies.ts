/** Parses bodies. They must be UTF-8: what is not would otherwise be stored with replacement characters. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { RequestInvalidError } from '../../src/base/errors.ts';
import { type LostNumber, lostNumberOf } from './json-numbers.ts';

export const MAX_DEPTH = 64;
const FORM_BYTES = 16_384;

function unreadable(message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: '', message }]);
}

const notUtf8 = (): RequestInvalidError => unreadable('The body is not UTF-8.');

/** Counts brackets outside strings. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function inexact({ path, double }: LostNumber): RequestInvalidError {
  return new RequestInvalidError([
    { path, message: `would be read as ${double}: a JSON number keeps about 16 digits. Send it as text` },
  ]);
}

/** Nesting is limited before anything recurses into it, and no number may change by being read. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (!isUtf8(bytes)) return done(notUtf8());
    const text = bytes.toString();
    if (deeperThan(text, MAX_DEPTH))
      return done(unreadable(`The body is nested deeper than ${MAX_DEPTH} levels.`));
    void parse(request, text, (error, value) => {
      if (error) return done(error);
      const lost = lostNumberOf(text);
      done(lost ? inexact(lost) : null, value);
    });
  });
}

/** `application/x-www-form-urlencoded`. A field that comes more than once is a list, which no schema takes. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: FORM_BYTES },
    (_request, body, done) => {
      const bytes = body as Buffer;
      if (!isUtf8(bytes)) return done(notUtf8());
      try {
        done(null, fieldsOf(bytes.toString()));
      } catch {
        done(unreadable('The body has a percent sign that encodes no UTF-8.'));
      }
    },
  );
}

function fieldsOf(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const key = formDecoded(name);
    const value = formDecoded(rest.join('='));
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** One name or value of a form. Throws a `URIError`. */
export function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
