/** The profile of the token's holder. */
import { sql } from 'kysely';
import { readProfile } from '../../src/api/routes.ts';
import { batchedRead } from '../database/batched-read.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';

export const profile: Area = (app, { db }) => {
  const find = batchedRead(
    (ids) =>
      db
        .selectFrom('accounts')
        .select(['id', 'username', 'email', 'first_name', 'last_name'])
        .select((of) =>
          of
            .exists(of.selectFrom('pins').whereRef('pins.id', '=', 'accounts.id').select('pins.id'))
            .as('has_pin'),
        )
        .where('id', '=', sql<string>`any(${ids})`)
        .execute(),
    ({ id }) => id,
  );
  serve(app, readProfile, async ({ principal }) => {
    const account = (await find(principal.accountId))!;
    return {
      userId: account.id,
      hasMasterPin: account.has_pin as boolean,
      username: account.username,
      email: account.email,
      firstName: account.first_name,
      lastName: account.last_name,
    };
  });
};
