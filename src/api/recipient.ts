/** Recipients by e-mail address. */
import * as z from 'zod/mini';
import { SecretTypeSchema } from './secret-type.ts';
import { line } from './text.ts';

export const FindRecipient = z.strictObject({
  email: line(254).check(z.regex(/^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, 'must be an e-mail address')),
  secretType: SecretTypeSchema,
});
export type FindRecipient = z.infer<typeof FindRecipient>;

/** Address of the wallet, on its chain. */
export const Recipient = z.object({ address: z.string() });
export type Recipient = z.infer<typeof Recipient>;
