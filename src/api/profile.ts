/** The logged-in user. */
import * as z from 'zod/mini';

export const Profile = z.object({
  userId: z.string(),
  /** A master PIN was set. */
  hasMasterPin: z.boolean(),
  username: z.nullable(z.string()),
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
});
export type Profile = z.infer<typeof Profile>;
