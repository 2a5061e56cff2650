/** Runs in a page of the frame's origin: a vault with a PIN and a wallet, linked to a site, without a click. */
import { argon2id } from 'hash-wasm';
import type { Wallet } from '../../src/api/wallet.ts';
import { openVault } from '../../src/wallets/vault.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { Cost } from '../../src/wallets/records.ts';
import type { NewHome } from '../../src/wallets/types.ts';

/** A vault is opened at the cost that it was created with: a cheap one, as few tests are about that. */
const COST: Cost = { memory: 64, iterations: 1, parallelism: 1 };

export interface Seed {
  pin: string;
  /** The origin that the wallet is linked to. */
  site: string;
  secretType: SecretType;
  home: NewHome;
  /** How many more wallets of the chain there are, linked to nobody. */
  others?: number | undefined;
}

declare global {
  var plant: (seed: Seed) => Promise<Wallet>;
}

globalThis.plant = async ({ pin, site, secretType, home, others = 0 }) => {
  const vault = await openVault({
    cost: COST,
    hashPin: async (password, salt, { memory: memorySize, iterations, parallelism }) =>
      new Uint8Array(
        await argon2id({
          password,
          salt,
          memorySize,
          iterations,
          parallelism,
          hashLength: 32,
          outputType: 'binary',
        }),
      ),
  });
  const { exists } = await vault.state();
  const unlocked = await (exists ? vault.unlock(pin) : vault.create(pin));
  try {
    const { id } = await vault.createWallet(unlocked, secretType, undefined, home);
    await vault.link(site, [id]);
    for (let made = 0; made < others; made++) await vault.createWallet(unlocked, secretType, undefined, home);
    const linked = (await vault.linked(site)).find((each) => each.id === id);
    const { network: _network, imported: _imported, ...wallet } = linked!;
    return wallet;
  } finally {
    unlocked.close();
  }
};
