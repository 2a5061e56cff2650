/** The key provider that the settings name. */
import type { ServiceConfig } from '../config.ts';
import { fileKeys } from './file-keys.ts';
import type { KeyProvider } from './key-provider.ts';
import { vaultKeys } from './vault-keys.ts';

export async function openKeys({
  vault,
  masterKeyFile,
  databaseUrl,
}: Pick<ServiceConfig, 'vault' | 'masterKeyFile' | 'databaseUrl'>): Promise<KeyProvider> {
  return vault ? vaultKeys(vault) : fileKeys(masterKeyFile, { create: !databaseUrl });
}
