/** The list of known recipients: choose one, for the wallet's own Send or for a site; add, rename and remove them. */
import { isLookedUp } from '../../chains/requests/foreign-address.ts';
import { loadAddresses } from '../../chains/modules.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { RequestInvalidError, UserRejectedError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import { recipientCheck } from '../../ui/recipient-check.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { ownWallet } from '../approve/prepare.ts';
import type { Frame, Task } from '../frame.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { knownAs, knownRecipients } from './search.ts';

/** `chooseRecipient`: a site asks whom the user wants to pay. It learns nothing unless the user chooses one. */
export async function chooseRecipient(frame: Frame, task: Task<'chooseRecipient'>): Promise<void> {
  const vault = await frame.vault();
  const wallet = await ownWallet(frame, vault, task, task.params);
  task.progress('approval');
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  const address = await pickRecipient(frame, vault, wallet, options, siteName(frame.link.origin));
  if (address === undefined) throw new UserRejectedError('No recipient was chosen.');
  task.resolve(address);
}

/** The address that the user chose; undefined if none. `site`: the site it is for; without, it is for the wallet itself. */
export async function pickRecipient(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
  site = '',
): Promise<string | undefined> {
  const { secretType } = wallet;
  const [{ RecipientsView }, chain] = await Promise.all([
    import('./recipients-view.ts'),
    frame.chain(secretType),
  ]);
  const kind = networksOf(frame.networks, wallet)[0]?.kind;
  const view = Object.assign(new RecipientsView(), { clock: frame.clock, site });
  for (;;) {
    const recipients = await knownRecipients(vault, secretType);
    // Leaves out addresses of the chain's other networks, and the wallet itself.
    view.known = recipients.filter(
      ({ address }) =>
        chain.isAddress(address, kind) && address.toLowerCase() !== wallet.address.toLowerCase(),
    );
    const { type, detail } = await frame.stage
      .open(view, { ...options, settings: false })
      .next('cbf-choose', 'cbf-add', 'cbf-edit', 'cbf-back');
    switch (type) {
      case 'cbf-choose':
        return detail.address;
      case 'cbf-back':
        return undefined;
      case 'cbf-add':
        await editRecipient(frame, vault, secretType, options);
        break;
      case 'cbf-edit': {
        const { name = '' } = knownAs(recipients, detail.address) ?? {};
        await editRecipient(frame, vault, secretType, options, { address: detail.address, name });
      }
    }
  }
}

/**
 * Saves, renames or removes a recipient. `chains`: its chain, or the possible ones. `recipient`: has an empty name if not saved yet; if
 * absent, the view asks for the address, too.
 */
export async function editRecipient(
  frame: Frame,
  vault: Vault,
  chains: SecretType | readonly [SecretType, ...SecretType[]],
  options: OpenOptions,
  recipient?: { address: string; name: string },
): Promise<void> {
  const all = typeof chains === 'string' ? ([chains] as const) : chains;
  const [{ RecipientView }, book] = await Promise.all([import('./recipient-view.ts'), vault.recipientBook()]);
  const view = Object.assign(new RecipientView(), {
    address: recipient?.address ?? '',
    saved: recipient?.name ?? '',
    chains: all,
    chain: all[0],
  });
  const screen = frame.stage.open(view, { ...options, own: true, settings: false });
  for (;;) {
    const { type } = await screen.next('cbf-save', 'cbf-remove', 'cbf-back');
    if (type === 'cbf-back') return;
    const { chain: secretType = all[0], name, typed } = view;
    if (type === 'cbf-remove') {
      await book.remove(secretType, view.address);
      frame.stage.shell.say({ text: msg('Removed') });
      return;
    }
    view.error = '';
    const [check, { readAddress }] = await Promise.all([
      recipientCheck(secretType),
      loadAddresses(secretType),
    ]);
    view.addressError = isLookedUp(typed)
      ? msg('Enter an address. Names and e-mail addresses can lead to another one later.')
      : (check.error(typed) ?? '');
    if (view.addressError) continue;
    try {
      await book.save({ secretType, address: readAddress(typed), name });
      frame.stage.shell.say({ text: msg('Saved') });
      return;
    } catch (error) {
      if (!(error instanceof RequestInvalidError)) throw error;
      const { BookFullError, MAX_RECIPIENTS } = await import('../../wallets/recipient-book.ts');
      if (error instanceof BookFullError)
        view.error = msg(
          str`You have ${MAX_RECIPIENTS} known recipients, the most that are kept. Remove one first.`,
        );
      else view.error = msg('Use visible letters, digits and signs.');
    }
  }
}
