/** What the payment page shows about paying by wallet. */
import type { PayChoice, PayWallet } from '../../../src/api/pay.ts';
import type { Network } from '../../../src/chains/network.ts';
import { usableNetworks } from '../../../src/chains/nodes/networks.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { confirmationsFor } from './confirmations.ts';
import { type Offer, offersFor } from './offer.ts';
import { currentOffer, currentQuote, isFor, isUnderWay } from './current-quote.ts';
import { describePayment, withOrder } from './describe-payment.ts';

/** Null when it is not offered. A payment in progress is shown to its end, even if the receiving wallet has changed. */
export async function payWallet(
  service: Pick<Service, 'db' | 'config' | 'networks' | 'signingKeys' | 'tokens'>,
  session: SessionRow,
): Promise<PayWallet | null> {
  const { db, config, networks } = service;
  const { frameUrl: frame } = config;
  if (frame === undefined) return null;
  const [offers, quote] = await Promise.all([offersFor(service, session), currentQuote(db, session.id)]);
  const file = networks.file;
  const place = (network: Network) => ({
    frame,
    network: network.id,
    networkName: network.name,
    kind: network.kind,
    chainId: network.chainId ?? null,
    firstNetwork: usableNetworks(file, network.secretType)[0]?.id === network.id,
    site: file.site ?? null,
  });
  if (quote && (quote.state === 'paid' || isUnderWay(quote))) {
    const network = file.networks.find(({ id }) => id === quote.network);
    return network
      ? {
          ...place(network),
          secretType: quote.secret_type,
          symbol: quote.symbol,
          tokenAddress: quote.token_address || null,
          decimals: quote.decimals,
          needed: quote.confirmations,
          payment: await describePayment(db, quote),
          choices: [],
        }
      : null;
  }
  const offer = currentOffer(offers, quote);
  if (!offer) return null;
  const { wallet, asset } = offer;
  const choice = ({ network, wallet, asset }: Offer): PayChoice => {
    const { firstNetwork, networkName } = place(network);
    const { secret_type: secretType, token_address: token } = wallet;
    return {
      secretType,
      network: network.id,
      networkName,
      firstNetwork,
      symbol: asset.symbol,
      tokenAddress: token || null,
    };
  };
  return {
    ...place(offer.network),
    ...choice(offer),
    decimals: asset.decimals,
    needed: confirmationsFor(wallet, session),
    payment:
      quote && isFor(quote, offer)
        ? await withOrder(service, session, await describePayment(db, quote))
        : null,
    choices: offers.map(choice),
  };
}
