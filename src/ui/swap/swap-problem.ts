/** What the form tells the user about a swap that cannot be built. Loaded with the first one. */
import type { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';

export interface Problem {
  look: '' | 'good' | 'danger';
  title: string;
  text?: string;
}

const MOVED = (): Problem => ({
  look: '',
  title: msg('The price moved'),
  text: msg('New rates are asked for. Look at them and go on.'),
});

/** Why a swap could not be built. */
export function problemOf({ code, details }: ConnectError): Problem {
  if (details?.['reason'] === 'moved') return MOVED();
  const look = 'danger';
  if (code === 'swap.no-exchange-found' || code.endsWith('.exchange-not-found'))
    return {
      look,
      title: msg('No exchange can do this swap'),
      text: msg('Try a smaller amount or another token.'),
    };
  return { look, title: msg('The swap could not be prepared'), text: adviceOn(code, details?.['reason']) };
}

function adviceOn(code: string, reason: unknown): string {
  if (code === 'node.unreachable' || code.startsWith('frame.') || reason === 'deadline')
    return msg('The network did not answer. Try again in a moment.');
  if (code.endsWith('.allowance-error') || reason === 'transfer-fee')
    return msg('The exchange cannot take this token. Choose another one.');
  return reason === 'liquidity'
    ? msg('Try a smaller amount or another token.')
    : msg('Try again, or choose another exchange.');
}
