/** The key provider that the settings name. */
import { fileKeys } from './file-keys.ts';
import type { KeyProvider } from './key-provider.ts';
import { type VaultSettings, vaultKeys } from './vault-keys.ts';

export interface KeySettings {
  masterKeyFile: string;
  /** Absent: the master key is in `masterKeyFile`. */
  vault: VaultSettings | undefined;
}

/** `create`: make the master key file if it is missing. */
export async function openKeys(
  { vault, masterKeyFile }: KeySettings,
  { create }: { create: boolean },
): Promise<KeyProvider> {
  return vault ? vaultKeys(vault) : fileKeys(masterKeyFile, { create });
}
