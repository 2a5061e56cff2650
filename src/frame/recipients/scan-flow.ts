/** Fills the wallet's own Send form from a payment code, scanned or pasted. */
import { formatAmount } from '../../base/amount.ts';
import { msg } from '../../base/localize.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import type { Network } from '../../chains/network.ts';
import type { Asset } from '../../ui/assets.ts';
import { chainIdIn, readCode } from '../../ui/payment-code.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { ScanView } from './scan-view.ts';

interface Form {
  readonly network: Network;
  /** The networks that the wallet is on. */
  readonly places: readonly Network[];
  readonly assets: readonly Asset[];
  /** Switches to another of these networks. */
  choose(network: Network): void;
  fill(to: string, value?: string, asset?: Asset): void;
}

/** Resolves once a code has filled the form, or the user went back. A code for a network that the wallet is not on is refused, naming that. */
export async function scan(frame: Frame, options: OpenOptions, form: Form): Promise<void> {
  const view = Object.assign(new ScanView(), { clock: frame.clock });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type, detail } = await screen.next('cbf-scanned', 'cbf-back');
    if (type === 'cbf-back') return;
    const why = await fillFrom(detail.text, form);
    if (why === undefined) return;
    view.error = why;
  }
}

/** Fills the form from a code, on the network that the code names. If that fails, resolves with the reason, as text for the user. */
export async function fillFrom(code: string, form: Form): Promise<string | undefined> {
  const before = form.network;
  const chainId = chainIdIn(code);
  const network =
    chainId === undefined || before.chainId === chainId
      ? before
      : (form.places.find((one) => one.chainId === chainId) ?? before);
  const payment = await readCode(code, network);
  if ('why' in payment) return payment.why;
  const { to, value, token, raw } = payment;
  const listed = token === undefined ? undefined : listedToken(network.tokens, token);
  if (token !== undefined && !listed) return msg('This code is for a token that this wallet does not list.');
  if (network !== form.network) form.choose(network);
  if (!listed) {
    form.fill(to, value, value === undefined ? undefined : form.assets[0]);
    return undefined;
  }
  const { address, symbol, decimals } = listed;
  const asset = form.assets.find((one) => one.address === address) ?? {
    address,
    symbol,
    decimals,
    raw: null,
  };
  form.fill(to, raw === undefined ? undefined : formatAmount(raw, decimals), asset);
  return undefined;
}
