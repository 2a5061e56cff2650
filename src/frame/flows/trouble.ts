import type { Vault } from '../../wallets/types.ts';
import type { Trouble } from '../views/holder-notes.ts';

/** Why the user's wallets of the service are not among the others. */
export async function readTrouble({ service }: Vault): Promise<Trouble> {
  const trouble = await service?.trouble();
  if (!trouble) return undefined;
  return trouble.code.startsWith('token.') ? 'signed-out' : 'unreachable';
}
