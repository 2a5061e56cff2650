/** Looks up the address of an e-mail's wallet on a chain, before anything is built or approved. */
import { findRecipient } from '../../src/api/routes.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';

export const recipients: Area = (app, service) => {
  serve(app, findRecipient, async ({ body, principal }) => ({
    address: await service.recipients.find(principal, body.email, body.secretType),
  }));
};
