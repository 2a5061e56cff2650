/** Imports a recovery phrase, a private key, a key file, or the wallets of a backup file. */
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { Chain } from '../../chains/chain.ts';
import { KeyInvalidError, type KeyTrouble } from '../../chains/keys/key-error.ts';
import { chainOfAddress } from '../../chains/requests/foreign-address.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { PrivateKey } from '../../chains/terms.ts';
import { readBackup } from '../../wallets/backup-file.ts';
import type { HeldWallet, NewHome, SettingsAndBackup, Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { askPin } from '../unlock/ask-pin-flow.ts';
import { homeOn, homesOf } from './choose-network-flow.ts';
import { type ImportSecret, ImportView } from './import-view.ts';
import { RestoreFileView } from './restore-file-view.ts';
import { checkWord, phraseProblem } from './restore.ts';
import { type ChosenWallet, creating, offerCopy, using } from './set-up-flow.ts';
import { choosePin, makeVault } from './way-in-flow.ts';

/** One import on one chain. */
export class Import {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #secretType: SecretType;
  readonly #options: OpenOptions;
  readonly #view = new ImportView();

  constructor(frame: Frame, vault: Vault, secretType: SecretType, options: OpenOptions) {
    this.#frame = frame;
    this.#vault = vault;
    this.#secretType = secretType;
    this.#options = options;
  }

  /** Undefined on Back. */
  async run(): Promise<ChosenWallet | undefined> {
    const secretType = this.#secretType;
    const [{ exists }, chain] = await Promise.all([this.#vault.state(), this.#frame.chain(secretType)]);
    const view = Object.assign(this.#view, {
      secretType,
      networks: homesOf(this.#frame.networks, secretType),
      kinds: [
        ...(exists ? [] : ['phrase' as const]),
        'key',
        ...(CARDS[secretType].privateKey.keystore ? ['keystore' as const] : []),
      ],
      check: checkWord,
    });
    for (;;) {
      const screen = this.#frame.stage.open(view, this.#options);
      const { type } = await screen.next('cbf-import', 'cbf-file', 'cbf-back');
      if (type === 'cbf-back') return undefined;
      if (type === 'cbf-file') {
        const wallet = await this.#importFile();
        if (wallet) return { wallet, how: 'restored' };
        continue;
      }
      view.busy = true;
      const { secret } = view;
      const home = this.#home;
      try {
        const wallet =
          secret.kind === 'phrase'
            ? await this.#importPhrase(secret, home)
            : await this.#importSecret(secret, home, screen, chain, exists);
        if (wallet) return { wallet, how: 'imported' };
      } catch (error) {
        view.error = importError(error, secret, secretType);
      }
      view.busy = false;
    }
  }

  /** On the network that the view shows. */
  get #home(): NewHome | undefined {
    const { network } = this.#view;
    return network && homeOn(this.#frame.networks, network);
  }

  /** Restores all wallets of the file; returns one of this chain, created if the file has none. */
  async #importFile(): Promise<HeldWallet | undefined> {
    const vault = this.#vault;
    const secretType = this.#secretType;
    const unlocked = await restoreFile(this.#frame, vault, this.#options);
    return (
      unlocked &&
      using(this.#frame, vault, unlocked, async () => {
        const [first] = await vault.wallets({ secretType });
        return first ?? vault.createWallet(unlocked, secretType, undefined, this.#home);
      })
    );
  }

  async #importPhrase({ text }: ImportSecret, home: NewHome | undefined): Promise<HeldWallet | undefined> {
    const vault = this.#vault;
    const problem = phraseProblem(text);
    if (problem) {
      this.#view.error = problem;
      return undefined;
    }
    const unlocked = await makeVault(this.#frame, vault, this.#options, 0, {
      withPin: (pin, signal) => vault.restore(text, pin, signal),
      withPasskey: (signal) => vault.restoreWithPasskey(text, signal),
    });
    return (
      unlocked && this.#using(unlocked, () => vault.createWallet(unlocked, this.#secretType, undefined, home))
    );
  }

  /** `existed`: the vault was not made for it. */
  #using<T>(unlocked: Unlocked, work: () => Promise<T>, existed = false): Promise<T> {
    return using(this.#frame, this.#vault, unlocked, async () => {
      const result = await work();
      if (!existed) await offerCopy(this.#frame, this.#vault, unlocked, this.#options);
      return result;
    });
  }

  /** Opening a key file takes seconds; the user may go back meanwhile. */
  async #importSecret(
    { text, password }: ImportSecret,
    home: NewHome | undefined,
    screen: Screen,
    chain: Chain,
    exists: boolean,
  ): Promise<HeldWallet | undefined> {
    const key = await screen.leavable(
      () => chain.importKey(text, password, home?.kind),
      (late) => void late.fill(0),
    );
    return key && this.#importKey(key, home, exists);
  }

  async #importKey(
    key: PrivateKey,
    home: NewHome | undefined,
    exists: boolean,
  ): Promise<HeldWallet | undefined> {
    const vault = this.#vault;
    try {
      const unlocked = exists
        ? await askPin(this.#frame, vault, msg('To keep the imported key safe.'), this.#options)
        : await makeVault(this.#frame, vault, this.#options, 0, creating(vault));
      return (
        unlocked &&
        (await this.#using(
          unlocked,
          () => vault.importWallet(unlocked, this.#secretType, key, undefined, home),
          exists,
        ))
      );
    } finally {
      key.fill(0);
    }
  }
}

/** Restores the wallets of a backup file in a browser that has none. Undefined on Back. */
async function restoreFile(
  frame: Frame,
  vault: SettingsAndBackup,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  const view = Object.assign(new RestoreFileView(), { check: checkWord });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-file', 'cbf-passkey', 'cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    const { file, phrase } = view;
    try {
      if (type === 'cbf-file') {
        view.passkey = readBackup(file).passkey !== undefined;
        continue;
      }
      view.busy = true;
      view.error = type === 'cbf-phrase' ? (phraseProblem(phrase) ?? '') : '';
      if (view.error) continue;
      const opened =
        type === 'cbf-passkey'
          ? await screen.leavable((signal) => vault.restoreFile(file, 'passkey', signal), close)
          : await choosePin(
              frame,
              options,
              0,
              (pin, signal) => vault.restoreFile(file, { phrase, pin }, signal),
              { drop: close },
            );
      if (opened) return opened;
    } catch (error) {
      tell(error);
    } finally {
      view.busy = false;
    }
  }

  function close(late: Unlocked): void {
    late.close();
  }

  function tell(error: unknown): void {
    if (error instanceof RequestInvalidError && error.issues[0]?.path === 'phrase')
      view.error = msg('These words belong to another wallet than the one in the file.');
    else if (error instanceof RequestInvalidError)
      view.fileError = error.issues[0]!.message.includes('newer')
        ? msg('A newer version of the wallet saved this file. Update the wallet.')
        : msg('This is not a back-up file of this wallet, or it is damaged.');
    else if (error instanceof ConnectError && error.code === 'user.rejected' && !options.signal.aborted)
      view.error = msg('The passkey was not used. Try again, or type the words.');
    else throw error;
  }
}

// Why a key or key file was rejected, in the user's words: the chains' own errors are worded for developers.

/** The message for an error that the user can correct in the view. Rethrows any other. */
function importError(error: unknown, secret: ImportSecret, secretType: SecretType): string {
  if (error instanceof RequestInvalidError)
    return secret.kind === 'keystore'
      ? fileProblem(error, secret.text, secretType)
      : keyProblem(error, secret.text, secretType);
  if (!(error instanceof ConnectError) || error.code !== 'request.conflict') throw error;
  const { alias, archived } = error.details;
  if (typeof alias !== 'string')
    return msg('This browser has a wallet already. Close this window and try again.');
  return archived
    ? msg(str`You have this wallet already, in the archive: “${alias}”.`)
    : msg(str`You have this wallet already: “${alias}”.`);
}

function fileProblem({ issues }: RequestInvalidError, text: string, secretType: SecretType): string {
  if (issues[0]?.path === 'password') return msg('This password does not open the key file.');
  const file = jsonOf(text);
  if (!file) return msg('This is not a key file. Choose the JSON file that your other wallet saved.');
  const other = chainOfFile(file);
  return other && other !== secretType
    ? msg(str`This key file belongs to ${CHAIN_NAMES[other]}, not to ${CHAIN_NAMES[secretType]}.`)
    : msg('This key file cannot be opened. It is damaged, or of a kind that the wallet does not know.');
}

function keyProblem(error: RequestInvalidError, text: string, secretType: SecretType): string {
  if (jsonOf(text))
    return CARDS[secretType].privateKey.keystore
      ? msg('This is the text of a key file. Choose “Key file” above, and the file itself.')
      : msg('This is a key file. Only the private key itself can be imported here.');
  const name = CHAIN_NAMES[secretType];
  const { trouble = 'form', chain = undefined } = error instanceof KeyInvalidError ? error : {};
  const digits = text.trim().replace(/^0x/i, '').length;
  const words: Record<KeyTrouble, () => string> = {
    form: () => msg(str`This is not a private key for ${name}. Check that you copied all of it.`),
    length: () =>
      msg(str`A private key does not have ${digits} characters. Check that you copied all of it.`),
    range: () => msg('This is not a valid private key. Check each character.'),
    checksum: () => msg('A character of this key is mistyped or missing. Check each one.'),
    uncompressed: () =>
      msg(
        'This WIF key is of the older, uncompressed form: its coins are on an address that this wallet does not use. Send them from the wallet that made it.',
      ),
    'live-network': () =>
      msg(str`This key is of ${name}’s live network, and the wallet would be on another.`),
    'test-network': () =>
      msg(str`This key is of a test network, and the wallet would be on ${name}’s live one.`),
    chain: () => msg(str`This is a ${CHAIN_NAMES[chain ?? secretType]} key, not a ${name} one.`),
    encrypted: () =>
      msg('This key is encrypted with a password. First decrypt it with the wallet that made it.'),
    extended: () => msg('This key stands for many addresses. Import the private key of one address.'),
    address: () => msg('This is an address. Import the private key that belongs to it.'),
    'public-half': () =>
      msg('The second half of this key does not belong to the first: a digit is mistyped. Check each one.'),
  };
  return words[trouble]();
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The chain identified by the file's address or public key format. Key files of Ethereum and similar chains look the same. */
function chainOfFile({ address, public_key }: Record<string, unknown>): SecretType | undefined {
  const own = public_key ?? address;
  return typeof own === 'string' ? chainOfAddress(own) : undefined;
}
