/** The passkey of a user's master PIN. */
import type { PasskeyState } from '../../src/api/passkey.ts';
import * as routes from '../../src/api/routes.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { challengeOf, type StoredPasskey } from '../custody/passkeys.ts';
import { conflict } from '../custody/wallet-errors.ts';
import { readNewCredential } from '../custody/webauthn.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { requireUser } from './own-wallets.ts';

function answer(passkey: StoredPasskey | undefined): PasskeyState {
  return {
    passkey: passkey
      ? {
          credentialId: passkey.credentialId.toString('base64url'),
          salt: passkey.salt.toString('base64url'),
          transports: passkey.transports,
          createdAt: passkey.createdAt.getTime(),
        }
      : null,
  };
}

export const userPasskeys: Area = (app, { db, custody, passkeys, audit }) => {
  serve(app, routes.readPasskey, async ({ principal }) => {
    requireUser(principal);
    return answer(await passkeys.read(principal.accountId));
  });

  serve(app, routes.addPasskey, async ({ body, principal }) => {
    requireUser(principal);
    const { accountId } = principal;
    const { passkey, ...rest } = body;
    const { nonce, at, transports } = passkey;
    const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
    const alreadyThere = (): Error => conflict('The account already has a passkey. Remove it first.');
    if (await passkeys.read(accountId)) throw alreadyThere();
    if (!(await custody.pins.has(accountId)))
      throw conflict('There is no master PIN yet. The first wallet sets it.');
    passkeys.checkTime(at);
    const { method, path } = routes.addPasskey;
    const credential = readNewCredential(
      {
        clientDataJSON: bytes(passkey.clientDataJSON),
        authenticatorData: bytes(passkey.authenticatorData),
      },
      {
        challenge: challengeOf({ method, path, params: {}, body: rest, key: '', nonce, at }),
        party: passkeys.party,
      },
    );
    const byPasskey = await custody.pins.wrapByPasskey(accountId, body.pincode, bytes(passkey.secret));
    const made = { ...credential, salt: bytes(body.salt), transports, byPasskey };
    await db.transaction().execute(async (tx) => {
      if (!(await passkeys.add(tx, accountId, made))) throw alreadyThere();
      await audit(tx, { event: 'passkey.added', accountId, details: {} });
    });
    return answer(await passkeys.read(accountId));
  });

  serve(app, routes.removePasskey, async ({ body, principal, passkey }) => {
    requireUser(principal);
    const { accountId } = principal;
    const none = (): Error => conflict('The account has no passkey.');
    if (!(await passkeys.read(accountId))) throw none();
    if (!passkey) {
      if (body.recoveryCode === undefined)
        throw invalid('passkey', "is required, or the recovery code of the user's PIN as recoveryCode");
      await custody.pins.checkRecoveryCode(accountId, body.recoveryCode);
    }
    await db.transaction().execute(async (tx) => {
      if (!(await passkeys.remove(tx, accountId))) throw none();
      await audit(tx, {
        event: 'passkey.removed',
        accountId,
        details: { by: passkey ? 'passkey' : 'recovery code' },
      });
    });
    return {};
  });
};
