/** The intents that a passkey confirms. */
import type { Wallet } from '../../api/wallet.ts';
import type { Draft, Node, SignRequest } from '../../chains/terms.ts';
import { chainOf, type Intent } from '../../wallets/passkey-intent.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';

/** To send exactly this draft. `own`: started by the user in the wallet. */
export function intentToSend(
  { link }: Frame,
  { id }: Wallet,
  draft: Draft,
  { requestId, own }: OpenOptions,
): Intent {
  return {
    action: 'send',
    walletId: id,
    origin: own ? location.origin : link.origin,
    chain: chainOf(draft.network),
    requestId,
    content: draft,
  };
}

/** To sign exactly this request. */
export function intentToSign(
  { link }: Frame,
  { id }: Wallet,
  { network }: Node,
  request: SignRequest,
  { requestId }: OpenOptions,
): Intent {
  return {
    action: 'sign',
    walletId: id,
    origin: link.origin,
    chain: chainOf(network),
    requestId,
    content: request,
  };
}

export function intentToExport({ id, secretType }: Wallet, options: OpenOptions): Intent {
  return { ...intentToOpen(options), action: 'export', walletId: id, chain: secretType };
}

/** For an action started in the wallet that neither sends nor signs. */
export function intentToOpen({ requestId }: OpenOptions): Intent {
  return {
    action: 'open',
    walletId: '',
    origin: location.origin,
    chain: '',
    requestId,
    content: null,
  };
}
