/** What the form tells the user about a swap that cannot be built. Loaded with the first one. */
import type { ConnectError, Issue } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';

export interface Problem {
  look: '' | 'good' | 'danger';
  title: string;
  text?: string;
}

const MOVED = (): Problem => ({
  look: '',
  title: msg('The price moved'),
  text: msg('Getting new rates. Check them before you go on.'),
});

/** Why an exchange between chains takes no swap now, by the `reason` of its error. */
export function whyUnavailable(reason: unknown): string {
  switch (reason) {
    case 'dust':
    case 'below-minimum':
    case 'fees-exceed-output':
      return msg('The amount is too small for a swap between chains. Try a larger one.');
    case 'halted':
    case 'signing-halted':
      return msg('The exchange does not trade on one of the two chains now. Try again later.');
    case 'pool':
      return msg('The exchange cannot take this token. Choose another one.');
    case 'contract':
      return msg('One of the two wallets has a contract, so the coins could be lost. Choose another wallet.');
    default:
      return msg('The nodes of the exchange do not answer, or do not agree. Try again in a moment.');
  }
}

/** Why a swap could not be built. */
export function problemOf({ code, details }: ConnectError): Problem {
  if (details?.['reason'] === 'moved') return MOVED();
  if (code.endsWith('.unavailable'))
    return { look: '', title: msg('Not available now'), text: whyUnavailable(details?.['reason']) };
  const look = 'danger';
  if (code === 'swap.no-exchange-found' || code.endsWith('.exchange-not-found'))
    return {
      look,
      title: msg('No exchange can do this swap'),
      text: msg('Try a smaller amount or another token.'),
    };
  return { look, title: msg('The swap could not be prepared'), text: adviceOn(code, details ?? {}) };
}

function adviceOn(code: string, { reason, issues }: Record<string, unknown>): string {
  if ((issues as readonly Issue[] | undefined)?.some(({ path }) => path === 'destinationWalletId'))
    return msg('This wallet is on another network. Choose another one to receive it.');
  if (code === 'node.unreachable' || code.startsWith('frame.') || reason === 'deadline')
    return msg('The network did not answer. Try again in a moment.');
  if (code.endsWith('.allowance-error') || reason === 'transfer-fee')
    return msg('The exchange cannot take this token. Choose another one.');
  return reason === 'liquidity'
    ? msg('Try a smaller amount or another token.')
    : msg('Try again, or choose another exchange.');
}
