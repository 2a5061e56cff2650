/** What only the wallet knows about a recipient: its saved name, any look-alike, and whether the typed name still resolves to it. */
import type { Summary, Warning } from '../../chains/approval/summary.ts';
import type { Frame } from '../frame.ts';
import type { KnownRecipient } from '../../wallets/types.ts';
import type { Approval } from './approval.ts';

export async function named(
  frame: Frame,
  { vault, wallet, node, email }: Pick<Approval, 'vault' | 'wallet' | 'node' | 'email'>,
  summary: Summary,
): Promise<Summary> {
  const { to } = summary;
  const { secretType } = wallet;
  const [recipients, own] = await Promise.all([vault.recipients(), vault.wallets({ secretType, now: true })]);
  const all = [
    ...recipients.filter((one) => one.secretType === secretType),
    ...own.map(({ address, alias }) => ({ address, name: alias })),
  ];
  const same = (one: string, other = ''): boolean => one.toLowerCase() === other.toLowerCase();
  const nameOf = (address: string | null | undefined): string | undefined => {
    return all.find((each) => address && same(each.address, address))?.name;
  };
  const savedName = to && !summary.parts && !same(to, wallet.address) ? nameOf(to) : undefined;
  const warnings = summary.warnings.map((warning): Warning => {
    const name = warning.code === 'resembles-known' && nameOf(warning.params?.['known']);
    return name ? { ...warning, params: { ...warning.params, name } } : warning;
  });
  // E-mail addresses are resolved by the service, whose answer does not change within a minute.
  if (email && to && !email.includes('@')) {
    const now = await addressNow(frame, email, node.network);
    if (!same(to, now))
      warnings.push({
        code: 'name-moved',
        level: 'danger',
        tick: true,
        ...(now !== undefined && { params: { address: now } }),
      });
  }
  const name = savedName ?? email;
  const before = to && name && (await paidBefore());
  if (before) {
    const params = { name, end: before.address.slice(-4), times: String(before.times) };
    warnings.push({ code: 'differs-from-known', level: 'caution', params });
  }
  return { ...summary, warnings, ...(savedName && { known: savedName }) };

  /** The recipient that the user paid under this name before, if different. */
  async function paidBefore(): Promise<KnownRecipient | undefined> {
    const book = await vault.recipientBook();
    const called = (await book.list(secretType, own)).filter(
      (one) => !one.own && one.name === name && one.times,
    );
    return called.some(({ address }) => same(address, to ?? '')) ? undefined : called[0];
  }
}

/** Undefined if the name no longer resolves. */
async function addressNow(
  frame: Frame,
  name: string,
  network: Approval['node']['network'],
): Promise<string | undefined> {
  const { lookUpName, NameProblem } = await import('../recipients/look-up-name.ts');
  try {
    return (await lookUpName(frame, name, network)).address;
  } catch (error) {
    if (error instanceof NameProblem) return undefined;
    throw error;
  }
}
