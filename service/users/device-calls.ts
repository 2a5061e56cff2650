/** The devices that may spend for a user. */
import * as routes from '../../src/api/routes.ts';
import type { Device } from '../../src/api/account.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { EnrolledDevice } from '../custody/devices.ts';
import { conflict } from '../custody/wallet-errors.ts';
import { answerEach } from '../http/paging.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { requireUser } from './own-wallets.ts';

function answer({ id, createdAt }: EnrolledDevice): Device {
  return { thumbprint: id, createdAt: createdAt.getTime() };
}

export const userDevices: Area = (app, { custody, devices }) => {
  serve(app, routes.enrolDevice, async ({ body, principal, device, passkey }) => {
    requireUser(principal);
    const { accountId } = principal;
    if (!(await custody.pins.has(accountId)))
      throw conflict('There is no master PIN yet. The first wallet sets it and enrols its device.');
    await custody.enrolDevice(accountId, device!, {
      pin: openerOf(body.pincode, passkey),
      recoveryCode: body.recoveryCode,
    });
    return answer((await devices.read(accountId, device!))!);
  });

  serve(app, routes.listDevices, async (call) => {
    const { principal, query } = call;
    requireUser(principal);
    const page = await devices.list(principal.accountId, query);
    return answerEach(call, page, answer);
  });

  serve(app, routes.removeDevice, async ({ params, principal }) => {
    requireUser(principal);
    if (!(await devices.remove(principal.accountId, params.thumbprint)))
      throw invalid('thumbprint', 'is not that of a device of the account');
    return {};
  });
};
