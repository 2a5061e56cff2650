/** Who the token stands for (spec 2.6). */
import { readProfile } from '../../src/api/routes.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';

export const profile: Area = (app, { db, custody }) => {
  serve(app, readProfile, async ({ principal }) => {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'username', 'email', 'first_name', 'last_name'])
      .where('id', '=', principal.accountId)
      .executeTakeFirstOrThrow();
    return {
      userId: account.id,
      hasMasterPin: await custody.hasPin(account.id),
      username: account.username,
      email: account.email,
      firstName: account.first_name,
      lastName: account.last_name,
    };
  });
};
