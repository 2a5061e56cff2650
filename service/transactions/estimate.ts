/** What executing a request would do and cost now, with nothing signed. */
import { type Estimate, moneyIn } from '../../src/api/history.ts';
import type { ParsedRequest } from '../../src/chains/terms.ts';
import { loadChain } from '../networks/chains.ts';
import { isCustom, type NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { archived } from '../custody/wallet-errors.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Service } from '../service.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { assertFit } from './fit.ts';
import { openEntries } from './journal.ts';
import { laneOn } from './lanes.ts';

/** `wallet` as it is on the network of the request. Throws what keeps the chain from making a draft, and `node.unreachable`. What would keep the draft from being signed is in `refusal`. */
export async function estimate(
  service: Pick<Service, 'db' | 'networks' | 'outbound'>,
  wallet: StoredWallet,
  request: ParsedRequest,
): Promise<Estimate> {
  if (wallet.archived_at) throw archived();
  const choice = request['network'] as NetworkChoice | null | undefined;
  const [chain, node] = await Promise.all([loadChain(wallet.secret_type), nodeFor(service, wallet, choice)]);
  const lane = await laneOn(service.networks, wallet, node);
  const open = await openEntries(service.db, wallet.id, lane.networks);
  const claims = open.map(({ claims }) => claims);
  const draft = await chain.prepare(request, wallet.address, node, {
    used: [],
    own: [],
    reported: [],
    taken: claims,
  });
  const summary = await chain.describe(draft);
  const { kind, from, to, amount, fee, total, balance, nonce, facts = [] } = summary;
  return {
    secretType: wallet.secret_type,
    network: isCustom(draft.network) ? 'custom' : draft.network.id,
    kind,
    from,
    to,
    amount: moneyIn(amount),
    fee: { expected: moneyIn(fee.expected), maximum: moneyIn(fee.maximum) },
    total: moneyIn(total),
    balance: moneyIn(balance),
    ...(nonce === undefined ? {} : { nonce }),
    facts: facts.map(({ code, value, amount: of }) => ({
      code,
      ...(value === undefined ? {} : { value }),
      ...(of === undefined ? {} : { amount: moneyIn(of) }),
    })),
    refusal: refusalOf(() => assertFit(summary, request)),
  };
}

function refusalOf(check: () => void): Estimate['refusal'] {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ConnectError) return refusal(error);
    throw error;
  }
}

/** The error as part of an answer. */
export function refusal({ code, shortMessage, details }: ConnectError) {
  return { code, detail: shortMessage, details: { ...details } };
}
