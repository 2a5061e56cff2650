/** An allowance that a failed deposit has left. */
import { msg } from '../../../base/localize.ts';
import type { CrossChainOrder } from '../../../chains/approval/summary.ts';
import { encodeCall } from '../../../chains/contracts/abi.ts';
import type { Frame } from '../../frame.ts';
import type { OpenOptions } from '../../ui/screen.ts';
import { type OwnTransaction, sendOwn } from '../own-transaction-flow.ts';
import { knownTo } from '../prepare.ts';

/** What the outcome of a deposit that failed offers: the exchange may take nothing any more. Rejects with `user.rejected`. */
export async function takeBack(
  frame: Frame,
  { vault, wallet, chain, node }: Pick<OwnTransaction, 'vault' | 'wallet' | 'chain' | 'node'>,
  { router, input }: CrossChainOrder,
  options: OpenOptions,
): Promise<void> {
  const data = encodeCall('approve', ['address', 'uint256'], [router!, 0n]);
  const body = { type: 'ETH_TRANSACTION', walletId: wallet.id, to: input.token!, value: '0', data };
  const [payloads, known] = await Promise.all([
    frame.payloads(wallet.secretType),
    knownTo(frame, vault, wallet),
  ]);
  const request = payloads.parse(body);
  const make = () => chain.prepare(request, wallet.address, node, known);
  await sendOwn(frame, { vault, wallet, chain, node, heading: msg('Take back the approval'), make }, options);
}
