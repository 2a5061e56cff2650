/** Reads requests and writes answers, for all parts of the demo's server. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves its own paths; returns false for all others. */
export type Part = (path: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export const BODY_LIMIT = 65_536;

export async function bodyOf(request: IncomingMessage, limit = BODY_LIMIT): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > limit) throw new RangeError('The body is too long.');
  }
  return text;
}

/** Other sites can post forms or plain text, but not JSON (CSRF). */
export function isJson(request: IncomingMessage): boolean {
  return request.headers['content-type']?.startsWith('application/json') ?? false;
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      'X-Content-Type-Options': 'nosniff',
      ...headers,
      'Content-Type': 'application/json',
    })
    .end(JSON.stringify(body));
}

export function redirect(response: ServerResponse, to: string, headers: Record<string, string> = {}): void {
  response.writeHead(303, { ...headers, Location: to, 'Cache-Control': 'no-store' }).end();
}

export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Not readable by scripts, and not sent with other sites' forms. */
export function cookie(name: string, value: string, seconds?: number): Record<string, string> {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return { 'Set-Cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}` };
}
