/** Transactions for external wallets to sign, which need them complete; some wallets do not broadcast them. */
import { networkOf } from '../../chains/nodes/networks.ts';
import type { ParamsOf } from '../../channel/messages.ts';
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import type { NodeReader } from '../frame.ts';

export async function carabiner_unsigned(frame: NodeReader, asked: ParamsOf<'rpc'>): Promise<string> {
  const { chain, handover, node } = await chainOf(frame, asked);
  const [body, from] = asked.params;
  const request = (await frame.payloads(asked.secretType)).parse(body);
  const draft = await chain.prepare(request, text(from, 1), node);
  return handover.unsigned(draft);
}

export async function carabiner_send(frame: NodeReader, asked: ParamsOf<'rpc'>): Promise<string> {
  const { chain, handover, node } = await chainOf(frame, asked);
  const [unsigned, signed] = asked.params.map(text);
  return chain.broadcast(await handover.signed(unsigned!, signed!), node);
}

async function chainOf(frame: NodeReader, { secretType, network }: ParamsOf<'rpc'>) {
  const chain = await frame.chain(secretType);
  if (!chain.handover)
    throw new ConnectError(
      'chain.not-supported',
      `External wallets make transactions of ${secretType} themselves.`,
    );
  return {
    chain,
    handover: await chain.handover(),
    node: chain.node(networkOf(frame.networks, { secretType, network })),
  };
}

function text(value: unknown, index: number): string {
  if (typeof value === 'string') return value;
  throw new RequestInvalidError([{ path: `params.${index}`, message: 'must be text' }]);
}
