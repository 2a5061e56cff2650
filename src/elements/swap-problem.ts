/** What the panel says of a swap that cannot be built, for the person at the screen. */
import type { ConnectError } from '../errors.ts';
import { msg } from '../ui/localize.ts';

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
export function problemOf({ code, details, shortMessage }: ConnectError): Problem {
  if (details?.['reason'] === 'moved') return MOVED();
  const look = 'danger';
  if (code === 'swap.no-exchange-found' || code.endsWith('.exchange-not-found'))
    return {
      look,
      title: msg('No exchange can do this swap'),
      text: msg('Try a smaller amount or another token.'),
    };
  const title = msg('The swap could not be prepared');
  return code === 'node.unreachable' || code.startsWith('frame.')
    ? { look, title, text: msg('The network did not answer. Try again in a moment.') }
    : { look, title, text: shortMessage };
}
