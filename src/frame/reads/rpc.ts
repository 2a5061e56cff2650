/** JSON-RPC for a page's provider (EIP-1193): listed read methods, sent to the nodes of `networks.json` or to one the page may name. */
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import { rpcOf } from '../../chains/evm/json-rpc.ts';
import { rpcErrorIn } from '../../chains/evm/rpc-error.ts';
import type { Network } from '../../chains/network.ts';
import { networkFor } from '../../chains/nodes/network-choice.ts';
import { networkOf, usableNetworks } from '../../chains/nodes/networks.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import type { AnySignature } from '../../chains/terms.ts';
import type { ParamsOf, RpcAnswer } from '../../channel/messages.ts';
import type { ChainNetworks } from '../../channel/node-methods.ts';
import type { NodeReader } from '../frame.ts';

type Client = ReturnType<typeof rpcOf>;

/** Kept for the life of the page, so that each node is asked for its chain id only once. */
const clients = new WeakMap<NodeReader, Map<string, Client>>();

export async function rpc(frame: NodeReader, call: ParamsOf<'rpc'>): Promise<RpcAnswer> {
  const { secretType, method, params } = call;
  if (method === 'carabiner_networks') return { result: networksOf(frame, secretType) };
  if (method === 'carabiner_unsigned') return { result: await unsigned(frame, call) };
  if (method === 'carabiner_send') return { result: await sendSigned(frame, call) };
  if (method === 'carabiner_signed') return { result: await isSigned(frame, call) };
  if (secretType !== 'ETHEREUM' && secretType !== 'GOCHAIN')
    throw new RequestInvalidError([{ path: 'secretType', message: 'must be ETHEREUM or GOCHAIN' }]);
  const network = networkFor(frame.networks, call, call.custom, frame.link.origin);
  if (method === 'carabiner_listed') return { result: lists(network, params[0]) };
  if (method === 'carabiner_signer') return { result: (await import('./signer.ts')).signerOf(params) };
  const client = await clientOf(frame, network);
  try {
    return { result: await client.call(method, ...params) };
  } catch (error) {
    const rpcError = rpcErrorIn(error);
    if (!rpcError) throw error;
    const { code, message, data } = rpcError;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}

function networksOf({ networks }: NodeReader, secretType: SecretType): ChainNetworks {
  return {
    networks: usableNetworks(networks, secretType).map(({ id, chainId, genesis, name, kind }) => ({
      id,
      chainId: chainId!,
      ...(genesis !== undefined && { genesis }),
      name,
      kind,
    })),
    customNodes: secretType === 'ETHEREUM' && networks.customNodes,
    ...(!CARDS[secretType].addressPerNetwork && { portable: true }),
  };
}

function lists({ tokens }: Network, address: unknown): boolean {
  const contract = String(address).toLowerCase();
  return tokens.some((token) => token.address.toLowerCase() === contract);
}

async function clientOf(frame: NodeReader, network: Network): Promise<Client> {
  const byNode = clients.get(frame) ?? new Map<string, Client>();
  clients.set(frame, byNode);
  const key = [network.id, network.chainId, ...network.nodes].join(' ');
  const client = byNode.get(key) ?? rpcOf((await frame.chain(network.secretType)).node(network));
  byNode.set(key, client);
  return client;
}

// Transactions for external wallets to sign, which need them complete; some wallets do not broadcast them.

async function unsigned(frame: NodeReader, call: ParamsOf<'rpc'>): Promise<string> {
  const { chain, handover, node } = await handoverOf(frame, call);
  const [body, from] = call.params;
  const request = (await frame.payloads(call.secretType)).parse(body);
  const draft = await chain.prepare(request, text(from, 1), node);
  return handover.unsigned(draft);
}

async function sendSigned(frame: NodeReader, call: ParamsOf<'rpc'>): Promise<string> {
  const { chain, handover, node } = await handoverOf(frame, call);
  const [unsignedText, signedText] = call.params.map(text);
  return chain.broadcast(await handover.signed(unsignedText!, signedText!), node);
}

/** False where the chain cannot tell. */
async function isSigned(frame: NodeReader, { secretType, params }: ParamsOf<'rpc'>): Promise<boolean> {
  const [body, answer, address] = params;
  const request = (await frame.payloads(secretType)).parseSigning(body);
  const { isSignedBy } = await frame.chain(secretType);
  return (await isSignedBy?.(request, Object(answer) as AnySignature, text(address, 2))) ?? false;
}

async function handoverOf(frame: NodeReader, { secretType, network }: ParamsOf<'rpc'>) {
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
