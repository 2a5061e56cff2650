import * as z from 'zod/mini';

/** Three parts of base64url. */
export const Jws = z.string().check(z.maxLength(8192), z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/));
