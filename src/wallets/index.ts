export { openVault, type VaultOptions } from './vault.ts';
