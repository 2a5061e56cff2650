/** The address book in Settings: add, rename and remove saved recipients of all chains. */
import { type SecretType } from '../../chains/secret-type.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { editRecipient } from './recipients-flow.ts';
import { BookView } from './book-view.ts';

export async function showBook(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const view = new BookView();
  for (;;) {
    const saved = await vault.recipients();
    view.saved = [...saved].sort((a, b) => a.name.localeCompare(b.name));
    const { type, detail } = await frame.stage.open(view, options).next('cbf-add', 'cbf-edit', 'cbf-back');
    if (type === 'cbf-back') return;
    if (type === 'cbf-edit') await editRecipient(frame, vault, detail.secretType, options, detail);
    else await editRecipient(frame, vault, await chainsOf(frame, vault), options);
  }
}

/** The operator's chains, that of the user's first wallet first. */
async function chainsOf(
  { networks: { networks } }: Frame,
  vault: Vault,
): Promise<[SecretType, ...SecretType[]]> {
  const [first] = await vault.wallets({ now: true });
  const all = networks.map(({ secretType }) => secretType);
  return [...new Set([...(first ? [first.secretType] : []), ...all])] as [SecretType, ...SecretType[]];
}
