/** What `<transfer-dialog>` checks and sends, and its error for a recipient who was not found. Loaded with `transfer-asides.ts`. */
import type { Wallet } from '../api/wallet.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import type { ConnectError } from '../base/errors.ts';
import { type BareFields, type Checks, type Field } from '../ui/transfer-fields.ts';
import { transferChecks as fieldChecks } from '../ui/transfer-checks.ts';
import { ignore } from './connect-element.ts';
import type { TransferForm } from './transfer-form.ts';
import { unknownRecipient } from './unknown-recipient.ts';

/** By form, the recipient that the wallet found no address for. */
const unknown = new WeakMap<BareFields, { to: string; wallet: Wallet | undefined; why: string }>();

export const transferChecks: Checks = {
  ...fieldChecks,
  error(fields, field) {
    const known = field === 'to' ? unknown.get(fields) : undefined;
    return known?.to === fields.to && known.wallet === fields.wallet
      ? known.why
      : fieldChecks.error(fields, field);
  },
};

/** Returns the first invalid field. A recipient who was unknown before is tried again: they may have an address by now. */
export function check({ fields }: TransferForm): Field | undefined {
  unknown.delete(fields);
  return (['to', 'value', 'data'] as const).filter((field) => fields.check(field))[0];
}

export function paramsOf({ fields, host }: TransferForm): TransferParams {
  const { wallet, to, amount, asset, data } = fields;
  const { id, secretType } = wallet!;
  const params: TransferParams = { walletId: id, to: to.trim(), value: amount, secretType };
  if (asset?.address) params.tokenAddress = asset.address;
  else if (data) params.data = data.trim();
  const { alias, order } = host;
  if (alias) params.alias = alias;
  if (order) params.order = order;
  return params;
}

/** Shows at the recipient's field that there is no address. If the wallet still covers the form, the field gets the focus once it closes. */
export function failed({ fields, host }: TransferForm, error: ConnectError): void {
  if (error.code !== 'recipient.unknown') return;
  const { to, wallet } = fields;
  unknown.set(fields, { to, wallet, why: unknownRecipient(error) });
  fields.check('to');
  host.status = { kind: 'idle' };
  host.updateComplete.then(() => host.renderRoot.querySelector<HTMLElement>('#to')?.focus(), ignore);
}
