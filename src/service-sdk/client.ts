import { Caller, type ServiceOptions } from './caller.ts';
import { Calls } from './resources.ts';

/**
 * The client of the wallet service for servers: it takes care of tokens, retries, pages and errors. One is enough for a process.
 *
 * ```ts
 * const service = new ServiceClient({ url: 'https://service.example', clientId, clientSecret });
 * const wallet = await service.wallets.create({ walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode });
 * const { transactionHash } = await service.transactions.execute({ ...request, pincode });
 * ```
 */
export class ServiceClient extends Calls {
  constructor(options: ServiceOptions) {
    super(new Caller(options));
  }
}
