/** Fills the wallet's own Send form from a payment code, scanned or pasted. */
import { formatAmount } from '../../base/amount.ts';
import { msg } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import type { Asset } from '../../ui/assets.ts';
import { readCode } from '../../ui/payment-code.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { ScanView } from './scan-view.ts';

interface Form {
  readonly assets: readonly Asset[];
  fill(to: string, value?: string, asset?: Asset): void;
}

/** Resolves once a code has filled the form, or the user went back. A code for another network is refused, naming that network. */
export async function scan(frame: Frame, network: Network, options: OpenOptions, form: Form): Promise<void> {
  const view = Object.assign(new ScanView(), { clock: frame.clock });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type, detail } = await screen.next('cbf-scanned', 'cbf-back');
    if (type === 'cbf-back') return;
    const why = await fillFrom(detail.text, network, form);
    if (why === undefined) return;
    view.error = why;
  }
}

/** Fills the form from a code. If that fails, resolves with the reason, as text for the user. */
export async function fillFrom(code: string, network: Network, form: Form): Promise<string | undefined> {
  const payment = await readCode(code, network);
  if ('why' in payment) return payment.why;
  const { to, value, token, raw } = payment;
  if (token === undefined) {
    form.fill(to, value, value === undefined ? undefined : form.assets[0]);
    return undefined;
  }
  const asset = form.assets.find(({ address }) => address?.toLowerCase() === token.toLowerCase());
  if (asset?.decimals == null) return msg('This code is for a token that this wallet does not list.');
  form.fill(to, raw === undefined ? undefined : formatAmount(raw, asset.decimals), asset);
  return undefined;
}
