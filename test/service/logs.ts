/** Searches the log of every service that the tests start for secrets. The harness does it, so that no test has to. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { after } from 'node:test';
import type { ServiceConfig } from '../../service/config.ts';

export interface Log {
  lines: string[];
  write(line: string): void;
}

/** PINs that tests use even without sending them. */
const PINS = new Set(['739154', '840265']);
/** Secrets seen on the wire, with their field. */
const SECRETS = new Map<string, string>();
const LOGS = new Set<Log>();

/** Patterns that only a secret matches. */
const SHAPES: [string, RegExp][] = [
  ['a signed token', /eyJ[\w-]{8,}\.eyJ[\w-]{8,}/],
  ['a signing secret of a webhook', /whsec_[A-Za-z0-9+/]{20,}/],
  ['a client secret', /cbs_[\w-]{20,}/],
  ['the token of a spending session', /cbss_[\w-]{50,}/],
  ['a recovery code', /\b(?:[0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}\b/],
  ['a private key', /PRIVATE KEY|"d":"[\w-]{40,}"/],
  ['bytes', /"type":"Buffer"/],
  ['a database URL with its password', /postgres(?:ql)?:\/\/[^@\s"]*:[^@\s"]*@/],
];

/** A log that will be checked: pass it to a service as `logTo`. */
export function newLog(): Log {
  const log: Log = { lines: [], write: (line) => void log.lines.push(line) };
  LOGS.add(log);
  return log;
}

/** The same for a process: its output is its log. */
export function logOf(child: ChildProcess): Log {
  const log = newLog();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer | string) => log.write(String(data)));
  return log;
}

/** Adds the keys and passwords of a service's files to the secrets. */
export function keepFilesOut({ masterKeyFile, dataFolder }: ServiceConfig): void {
  for (const file of [masterKeyFile, `${dataFolder}/postgres-password`])
    if (existsSync(file))
      for (const [secret] of readFileSync(file, 'utf8').matchAll(/[\w-]{30,}/g)) SECRETS.set(secret, file);
}

function keep(field: string, value: unknown): void {
  if (typeof value !== 'string') return;
  if (/^\d{6}$/.test(value)) PINS.add(value);
  else if (value.length >= 20) SECRETS.set(value, field);
  // Header and claims identify a token's holder, too.
  const [, claims] = /^eyJ[\w-]+\.([\w-]{20,})\./.exec(value) ?? [];
  if (claims) SECRETS.set(claims, `the claims of ${field}`);
}

/** A request field counts as a secret only if it looks like one: the fuzzer sends anything anywhere. */
function isSent(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\d{6}|eyJ[\w-]+\.[\w-]+\.[\w-]*|cbs_[\w-]{20,})$/.test(value);
}

const SENT = ['pincode', 'next', 'client_secret', 'clientSecret', 'idpToken', 'access_token'];
const ANSWERED = ['access_token', 'refresh_token', 'recoveryCode', 'key', 'token'];

function keepFields(text: string, fields: readonly string[], fits: (value: unknown) => boolean): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = Object.fromEntries(new URLSearchParams(text));
  }
  if (typeof value !== 'object' || value === null) return;
  for (const field of fields) {
    const found: unknown = Object.hasOwn(value, field)
      ? (value as Record<string, unknown>)[field]
      : undefined;
    if (fits(found)) keep(field, found);
  }
}

/** Records the secrets in every request and response of a server, whichever client a test uses. */
export function watchWire(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { authorization, dpop } = request.headers;
    const [, credentials] = /^\w+ +(\S{20,})$/.exec(authorization ?? '') ?? [];
    keep('Authorization', credentials);
    keep('DPoP', dpop);
    const [sent, answered]: Buffer[][] = [[], []];
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, ...more) => {
      if (chunk) sent!.push(chunk);
      return push(chunk, ...more);
    };
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      if (typeof args[0] === 'string' || Buffer.isBuffer(args[0]))
        answered!.push(Buffer.from(args[0] as string));
      return end(...args);
    };
    response.once('finish', () => {
      keepFields(Buffer.concat(sent!).toString(), SENT, isSent);
      keepFields(Buffer.concat(answered!).toString(), ANSWERED, () => true);
    });
  });
}

/** Names the secrets in a text, without their values. */
export function leaksIn(text: string): string[] {
  const pins = new RegExp(String.raw`(?<![\w.:-])(?:${[...PINS].join('|')})(?![\w.:-])`);
  return [
    ...SHAPES.filter(([, shape]) => shape.test(text)).map(([what]) => what),
    ...(pins.test(text) ? ['a PIN'] : []),
    ...[...SECRETS].filter(([secret]) => text.includes(secret)).map(([, field]) => field),
  ];
}

/** Throws if it contains a secret. A log is checked once. */
export function checkLog(log: Log): void {
  LOGS.delete(log);
  const leaks = leaksIn(log.lines.join('\n'));
  if (leaks.length) throw new Error(`The service's log contains ${[...new Set(leaks)].join(', ')}.`);
}

// Logs of services that were not closed, and of processes.
after(() => {
  for (const log of LOGS) checkLog(log);
});
