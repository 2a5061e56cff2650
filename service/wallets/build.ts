/** Builds a native transaction request from an intent. */
import { buildTransaction } from '../../src/api/routes.ts';
import type { BuildRequest } from '../../src/api/transaction.ts';
import { loadChain, loadPayloads } from '../networks/chains.ts';
import { type NetworkChoice, splitNetwork } from '../../src/chains/nodes/networks.ts';
import { isEmail } from '../../src/chains/requests/foreign-address.ts';
import { withOpenFields } from '../../src/chains/requests/open-fields.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { archived } from '../custody/wallet-errors.ts';
import { serve } from '../http/serve.ts';
import type { Principal } from '../http/principal.ts';
import { nodeFor } from '../networks/request-node.ts';
import { unknownRecipient } from '../recipients/recipients.ts';
import type { Area, Service } from '../service.ts';
import { walletOf } from './stored-wallets.ts';
import { usableOn } from './wallet-network.ts';

export const build: Area = (app, service) => {
  serve(app, buildTransaction, async ({ body: intent, principal, device }) => {
    const { networkId, body } = splitNetwork(intent);
    // Also refuses NEO, which is a value of the interface without a chain.
    const secretType = body.secretType as SecretType;
    const [chain, payloads] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
    const stored = await walletOf(service.db, principal, body.walletId);
    if (stored.secret_type !== secretType)
      throw invalid('secretType', `must be ${stored.secret_type}, as the wallet's`);
    if (stored.archived_at) throw archived();
    const wallet = await usableOn(service, principal, stored, networkId);
    let request = payloads.parse(
      body.type === 'NFT_TRANSFER' ? { ...body, from: await holderOf(service.db, principal, body) } : body,
    );
    const node = await nodeFor(service, wallet, request['network'] as NetworkChoice | undefined);
    if (isEmail(body.to)) {
      // A page with a user's token must not learn who has a wallet here.
      if (!principal.isApplication && device === undefined) throw unknownRecipient();
      const address = await service.recipients.find(principal, body.to, secretType);
      if (!chain.isAddress(address, node.network.kind)) throw unknownRecipient();
      request = payloads.parse({ ...request, to: address });
    }
    const built = withOpenFields(await chain.build(request, wallet.address, node), payloads);
    return networkId === undefined ? built : { ...built, network: networkId };
  });
};

const WALLET_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The address of the wallet that `from` names by its id; what is not an id is left to the chain. Throws `wallet.forbidden`. */
async function holderOf(
  db: Service['db'],
  principal: Principal,
  { from, secretType }: Extract<BuildRequest, { type: 'NFT_TRANSFER' }>,
): Promise<string | null | undefined> {
  if (!from || !WALLET_ID.test(from)) return from;
  const holder = await walletOf(db, principal, from);
  if (holder.secret_type !== secretType) throw invalid('from', `must be a wallet of ${secretType}`);
  return holder.address;
}
