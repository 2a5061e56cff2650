/** Forms that environment variables have in common. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

export const SecureUrl = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  },
  { error: 'must be an https URL (http only on this machine)' },
);

/** To which paths are added. Without a slash at its end. */
export const BaseUrl = SecureUrl.refine(
  (text) => {
    const { search, hash, username, password } = URL.canParse(text) ? new URL(text) : new URL('x:');
    return !(search || hash || username || password);
  },
  { error: 'must be a URL without a query, a fragment and a password' },
).transform((text) => text.replace(/\/+$/, ''));

/** A JSON list in the variable itself, or the path of a file with one. */
export function jsonList<T extends z.ZodType>(item: T) {
  return z.string().transform((text, context): z.infer<T>[] => {
    let value: unknown;
    try {
      value = JSON.parse(/^\s*\[/.test(text) ? text : readFileSync(text, 'utf8'));
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `is neither a JSON list nor a file with one: ${(error as Error).message}`,
      });
      return z.NEVER;
    }
    const { data, error } = z.array(item).safeParse(value);
    if (data) return data;
    for (const { path, message } of error.issues)
      context.addIssue({ code: 'custom', message: `[${path.join('.')}]: ${message}` });
    return z.NEVER;
  });
}

/** What `read` makes of the text. The message of the error that it throws becomes the issue's. */
export function readBy<T>(read: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: `cannot be used: ${(error as Error).message}` });
      return z.NEVER;
    }
  });
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, { error: `must be ${min} to ${max}` });
}

/** `on` or `off`. */
export const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((text) => text === 'on');
/** A list, separated by commas or spaces. */
export const list = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));
/** The path of a file; its content without the white space around it. */
export const secretFile = readBy((path) => {
  const text = readFileSync(path, 'utf8').trim();
  if (!text) throw new Error('the file is empty');
  return text;
});
