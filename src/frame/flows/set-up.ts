/** First use, import, restore: everything that makes or brings in a key. */
import type { Wallet } from '../../api/wallet.ts';
import type { PrivateKey } from '../../chains/chain.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../../errors.ts';
import { msg } from '../../ui/localize.ts';
import type { PhraseCheck } from '../../wallets/phrase.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import { siteName } from '../origin.ts';
import type { ImportSecret } from '../views/import.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions } from './stage.ts';
import { askPin } from './unlock.ts';

/** No vault yet: make one, or bring one in. Ends with a wallet of the chain. Rejects with `user.rejected`. */
export async function setUp(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<Wallet> {
  const { FirstUseView } = await import('../views/first-use.ts');
  const view = Object.assign(new FirstUseView(), { site: siteName(frame.link.origin) });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-create', 'cbf-import');
    const wallet =
      type === 'cbf-create'
        ? await createFirst(frame, vault, secretType, options)
        : await importWallet(frame, vault, secretType, options);
    if (wallet) return wallet;
  }
}

async function createFirst(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<Wallet | undefined> {
  const unlocked = await choosePin(
    frame,
    options,
    3,
    (pin) => vault.create(pin),
    () => {
      // The chain is the largest part; it loads while the PIN is typed.
      frame.chain(secretType).catch(() => {});
    },
  );
  if (!unlocked) return undefined;
  let wallet: Wallet;
  let words: string[];
  try {
    wallet = await vault.createWallet(unlocked, secretType);
    words = await vault.phrase(unlocked);
  } finally {
    unlocked.close();
  }
  await backUp(frame, vault, words, options);
  return wallet;
}

/** The words and the check of the copy. Closing here means later: the wallet exists. */
export async function backUp(
  frame: Frame,
  vault: Vault,
  words: string[],
  options: OpenOptions,
): Promise<void> {
  const [{ BackUpView }, { CheckCopyView }] = await Promise.all([
    import('../views/back-up.ts'),
    import('../views/check-copy.ts'),
  ]);
  try {
    for (;;) {
      const shown = frame.stage.open(Object.assign(new BackUpView(), { reveal: () => words }), options);
      if ((await shown.next('cbf-continue', 'cbf-later', 'cbf-close')).type !== 'cbf-continue') return;
      const check = (position: number, word: string): boolean => words[position - 1] === word;
      const copy = frame.stage.open(Object.assign(new CheckCopyView(), { check }), options);
      const { type } = await copy.next('cbf-finish', 'cbf-back', 'cbf-close');
      if (type === 'cbf-finish') await vault.confirmBackup();
      if (type !== 'cbf-back') return;
    }
  } finally {
    words.fill('');
  }
}

/** A new PIN for `use`. Undefined on Back. `steps`: how many steps the whole has, for the progress line. */
export async function choosePin<T>(
  frame: Frame,
  options: OpenOptions,
  steps: number,
  use: (pin: string) => Promise<T>,
  onShown = (): void => {},
): Promise<T | undefined> {
  const { ChoosePinView } = await import('../views/choose-pin.ts');
  const view = Object.assign(new ChoosePinView(), { progressOf: steps });
  const screen = frame.stage.open(view, options);
  void view.updateComplete.then(onShown);
  const { type } = await screen.next('cbf-pin', 'cbf-back');
  if (type === 'cbf-back') return undefined;
  view.busy = true;
  return use(view.pin);
}

/** A phrase where there is no vault yet, a private key or key file anywhere. Undefined on Back. */
export async function importWallet(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<Wallet | undefined> {
  const [{ ImportView }, { exists }, { checkPhrase }, chain] = await Promise.all([
    import('../views/import.ts'),
    vault.state(),
    import('../../wallets/phrase.ts'),
    frame.chain(secretType),
  ]);
  const view = Object.assign(new ImportView(), {
    site: siteName(frame.link.origin),
    kinds: exists ? ['key', 'keystore'] : ['phrase', 'key', 'keystore'],
    check: checkWord(checkPhrase),
  });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-import', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.busy = true;
    const { secret } = view;
    try {
      const wallet =
        secret.kind === 'phrase'
          ? await importPhrase(secret)
          : await importKey(await chain.importKey(secret.text, secret.password));
      if (wallet) return wallet;
    } catch (error) {
      view.error = importError(error);
    }
    view.busy = false;
  }

  async function importPhrase({ text }: ImportSecret): Promise<Wallet | undefined> {
    if (!checkPhrase(text).valid)
      throw new RequestInvalidError([
        {
          path: 'phrase',
          message: msg('These words do not belong together. Check each word and their order.'),
        },
      ]);
    const unlocked = await choosePin(frame, options, 0, (pin) => vault.restore(text, pin));
    return unlocked && using(unlocked, () => vault.createWallet(unlocked, secretType));
  }

  async function importKey(key: PrivateKey): Promise<Wallet | undefined> {
    try {
      const unlocked = exists
        ? await askPin(frame, vault, msg('To keep the imported key safe.'), options)
        : await choosePin(frame, options, 0, (pin) => vault.create(pin));
      return unlocked && (await using(unlocked, () => vault.importWallet(unlocked, secretType, key)));
    } finally {
      key.fill(0);
    }
  }
}

/** The PIN is forgotten or locked: the words of this browser's wallet, then a new PIN. */
export async function restore(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const [{ RestoreView }, { checkPhrase }] = await Promise.all([
    import('../views/restore.ts'),
    import('../../wallets/phrase.ts'),
  ]);
  const view = Object.assign(new RestoreView(), { check: checkWord(checkPhrase) });
  for (;;) {
    const { type } = await frame.stage.open(view, options).next('cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return;
    const { phrase } = view;
    view.error = '';
    try {
      const unlocked = await choosePin(frame, options, 0, (pin) => vault.restore(phrase, pin));
      if (!unlocked) continue;
      unlocked.close();
      return;
    } catch (error) {
      view.error = importError(error);
    }
  }
}

/** Words are looked up one by one as they are typed. */
function checkWord(checkPhrase: (text: string) => PhraseCheck): (word: string) => string | true {
  return (word) => checkPhrase(word).unknown[0]?.near ?? true;
}

/** What the user can mend in the view; anything else is not the view's to say. */
function importError(error: unknown): string {
  if (error instanceof RequestInvalidError) return sentence(error.issues[0]?.message ?? error.shortMessage);
  if (error instanceof ConnectError && error.code === 'request.conflict') return error.shortMessage;
  throw error;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}

async function using<T>(unlocked: Unlocked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    unlocked.close();
  }
}
