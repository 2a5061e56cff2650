/** Builds a native transaction request from an intent (spec 4.3.1). */
import { buildTransaction } from '../../src/api/routes.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { isEmail } from '../../src/chains/requests/fields.ts';
import { withOpenFields } from '../../src/chains/requests/open-fields.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { archived } from '../custody/wallet-errors.ts';
import { serve } from '../http/serve.ts';
import { nodeFor } from '../networks/request-node.ts';
import { unknownRecipient } from '../recipients/recipients.ts';
import type { Area } from '../service.ts';
import { walletOf } from './stored-wallets.ts';

export const build: Area = (app, service) => {
  serve(app, buildTransaction, async ({ body, principal, device }) => {
    // Also refuses NEO, which is a value of the interface without a chain.
    const secretType = body.secretType as SecretType;
    const [chain, payloads] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
    const wallet = await walletOf(service.db, principal, body.walletId);
    if (wallet.secret_type !== secretType)
      throw invalid('secretType', `must be ${wallet.secret_type}, as the wallet's`);
    if (wallet.archived_at) throw archived();
    let request = payloads.parse(body);
    const node = await nodeFor(service, wallet, request['network'] as NetworkChoice | undefined);
    if (isEmail(body.to)) {
      // A page with a user's token must not learn who has a wallet here.
      if (!principal.isApplication && device === undefined) throw unknownRecipient();
      const address = await service.recipients.find(principal, body.to, secretType);
      if (!chain.isAddress(address, node.network.kind)) throw unknownRecipient();
      request = payloads.parse({ ...request, to: address });
    }
    return withOpenFields(await chain.build(request, wallet.address, node), payloads);
  });
};
