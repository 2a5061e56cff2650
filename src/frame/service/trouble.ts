import { ConnectError } from '../../errors.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Trouble } from '../ui/holder-notes.ts';

/** Why the user's wallets of the service are not among the others. */
export async function readTrouble({ service }: Vault): Promise<Trouble> {
  const trouble = await service?.trouble();
  if (!trouble) return undefined;
  return trouble.code.startsWith('token.') ? 'signed-out' : 'unreachable';
}

/** What a call of the service ran into, when it is neither the call's fault nor the user's. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ConnectError)) return undefined;
  if (error.code.startsWith('token.')) return 'signed-out';
  return error.code === 'service.unreachable' ? 'unreachable' : undefined;
}
