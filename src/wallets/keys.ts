/** Everything that touches a key, except unlocking with the PIN. Loaded on first use; signing needs none of it. */
import type { Chain, PrivateKey } from '../chains/chain.ts';
import type { NetworkKind } from '../chains/network.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import { ConnectError } from '../base/errors.ts';
import { Creation } from './creation.ts';
import { type Database, exclusive, settled } from './database.ts';
import { OpenVault } from './open-vault.ts';
import type { RecipientRecord } from './recipient-book.ts';
import { type Bytes, editVault, findVault, readVault, type WalletRecord } from './records.ts';
import type { BackUpFile, HeldWallet, KeyStore, NewHome, SettingsAndBackup, Unlocked } from './types.ts';
import { newWallet } from './wallet-edits.ts';
import { readWallets, toWallet } from './wallet-list.ts';
import { WaysIn, type WaysInOptions } from './ways-in.ts';

/** The vault's dependencies; tests inject their own. */
export interface KeyOptions extends WaysInOptions {
  chain?: (secretType: SecretType) => Promise<Pick<Chain, 'deriveKey' | 'address'>>;
}

type KeysOfWallets = Pick<KeyStore, 'createWallet' | 'importWallet' | 'parts'> &
  Pick<SettingsAndBackup, 'phrase' | 'backUp'>;

/** The keys of this browser's wallets, with the vault's creation and the ways into it. */
export class Keys implements KeysOfWallets {
  readonly ways: WaysIn;
  readonly creation: Creation;
  readonly db: Database;
  readonly options: KeyOptions;
  readonly #now: () => number;
  readonly #chain: NonNullable<KeyOptions['chain']>;

  constructor(db: Database, options: KeyOptions) {
    const {
      now = Date.now,
      chain = async (secretType) => (await import('../chains/load.ts')).loadChain(secretType),
    } = options;
    this.db = db;
    this.options = options;
    this.#now = now;
    this.#chain = chain;
    this.ways = new WaysIn(db, options);
    this.creation = new Creation(db, this.ways, now);
  }

  /** Whether the user has confirmed having a back-up file that opens. */
  async hasFile(): Promise<boolean> {
    const record = await this.db.read(['vault'], findVault);
    const { file, passkey, backedUp = false } = record ?? {};
    return (
      file !== undefined &&
      (backedUp || (passkey !== undefined && String(file.passkey) === String(passkey.id)))
    );
  }

  /** Throws if `parts` was not made by this module. */
  static of(parts: object): Keys {
    if (parts instanceof Keys) return parts;
    throw new TypeError('Not the parts of a browser vault.');
  }

  async parts(): Promise<Keys> {
    return this;
  }

  async phrase(unlocked: Unlocked): Promise<string[]> {
    const entropy = await this.#entropy(OpenVault.of(unlocked));
    const { wordsOf } = await import('./phrase.ts');
    const words = wordsOf(entropy);
    entropy.fill(0);
    return words;
  }

  createWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet> {
    return exclusive(`${this.db.name}:create`, async () => {
      const open = OpenVault.of(unlocked);
      const [{ seedOf }, chain] = await Promise.all([import('./phrase.ts'), this.#chain(secretType)]);
      const entropy = await this.#entropy(open);
      const seed = await seedOf(entropy);
      entropy.fill(0);
      const all = await this.db.read(['wallets'], readWallets);
      const siblings = all.filter((one) => isOn(one, secretType, home));
      try {
        // Seed indexes are never reused; one whose key was imported before is skipped.
        for (let index = Math.max(-1, ...siblings.map((one) => one.index ?? -1)) + 1; ; index++) {
          const key = new Uint8Array(await chain.deriveKey(seed, index));
          try {
            const address = await chain.address(key, kindOf(home));
            if (siblings.some((one) => one.address === address)) continue;
            return await this.#add(open, key, { secretType, address, index }, alias, home);
          } finally {
            key.fill(0);
          }
        }
      } finally {
        seed.fill(0);
      }
    });
  }

  async importWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    key: PrivateKey,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet> {
    const address = await (await this.#chain(secretType)).address(key, kindOf(home));
    const copy = new Uint8Array(key);
    try {
      const open = OpenVault.of(unlocked);
      return await this.#add(open, copy, { secretType, address, index: null }, alias, home);
    } finally {
      copy.fill(0);
    }
  }

  async backUp(unlocked: Unlocked): Promise<BackUpFile> {
    const [record, wallets, recipients] = await this.db.read(
      ['vault', 'wallets', 'recipients'],
      async (tx) => [
        await findVault(tx),
        await readWallets(tx),
        (await settled(tx.objectStore('recipients').getAll())) as RecipientRecord[],
      ],
    );
    const { writeBackup } = await import('./backup-file.ts');
    const file = { passkey: record!.passkey?.id, wallets: wallets.map(({ id }) => id) };
    return {
      text: await writeBackup(OpenVault.of(unlocked), record!, wallets, recipients),
      confirm: () => editVault(this.db, (vault) => ({ ...vault, file })),
    };
  }

  /** The seed's entropy; overwrite it with zeros after use. */
  async #entropy(open: OpenVault): Promise<Bytes> {
    return open.unseal('seed', (await readVault(this.db)).seed);
  }

  async #add(
    open: OpenVault,
    key: Bytes,
    wallet: Pick<WalletRecord, 'secretType' | 'address' | 'index'>,
    alias: string | undefined,
    home: NewHome | undefined,
  ): Promise<HeldWallet> {
    const id = crypto.randomUUID();
    const sealed = await open.seal(id, key);
    return this.db.write(['wallets'], async (tx) => {
      const all = await readWallets(tx);
      const same = all.find((one) => isOn(one, wallet.secretType, home) && one.address === wallet.address);
      if (same)
        throw new ConnectError('request.conflict', `You have this wallet already: “${same.alias}”.`, {
          walletId: same.id,
          alias: same.alias,
          archived: same.archived,
        });
      const record = newWallet(all, { ...wallet, id, network: home?.id, key: sealed }, alias, this.#now());
      await settled(tx.objectStore('wallets').add(record));
      return toWallet(record);
    });
  }
}

function kindOf(home: NewHome | undefined): NetworkKind {
  return home?.kind ?? 'mainnet';
}

/** Whether a wallet is on this network: where addresses are the same on all networks of the chain, it is on each of them. */
function isOn({ secretType, network }: WalletRecord, chain: SecretType, home: NewHome | undefined): boolean {
  if (secretType !== chain) return false;
  if (!CARDS[chain].addressPerNetwork) return true;
  return network === home?.id || (network === undefined && home?.first === true);
}
