/** JSON-RPC for a page's provider (EIP-1193): listed read methods, sent to the nodes of `networks.json` or to one the page may name. */
import { networkFor } from '../../chains/nodes/network-choice.ts';
import { rpcOf } from '../../chains/evm/json-rpc.ts';
import { rpcErrorIn } from '../../chains/evm/rpc-error.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import type { Network } from '../../chains/network.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { ChainNetworks } from '../../channel/node-methods.ts';
import type { ParamsOf, RpcAnswer } from '../../channel/messages.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import type { NodeReader } from '../frame.ts';

type Client = ReturnType<typeof rpcOf>;

/** Kept for the life of the page, so that each node is asked for its chain id only once. */
const clients = new WeakMap<NodeReader, Map<string, Client>>();

export async function rpc(frame: NodeReader, asked: ParamsOf<'rpc'>): Promise<RpcAnswer> {
  const { secretType, method, params } = asked;
  if (method === 'carabiner_networks') return { result: networksOf(frame, secretType) };
  if (method === 'carabiner_unsigned' || method === 'carabiner_send')
    return { result: await (await import('./handover.ts'))[method](frame, asked) };
  if (secretType !== 'ETHEREUM' && secretType !== 'GOCHAIN')
    throw new RequestInvalidError([{ path: 'secretType', message: 'must be ETHEREUM or GOCHAIN' }]);
  const network = networkFor(frame.networks, asked, asked.custom, frame.link.origin);
  if (method === 'carabiner_listed') return { result: lists(network, params[0]) };
  if (method === 'carabiner_signer') return { result: (await import('./signer.ts')).signerOf(params) };
  const client = await clientOf(frame, network);
  try {
    return { result: await client.call(method, ...params) };
  } catch (error) {
    const said = rpcErrorIn(error);
    if (!said) throw error;
    const { code, message, data } = said;
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
  };
}

function lists({ tokens }: Network, address: unknown): boolean {
  const wanted = String(address).toLowerCase();
  return tokens.some((token) => token.address.toLowerCase() === wanted);
}

async function clientOf(frame: NodeReader, network: Network): Promise<Client> {
  const known = clients.get(frame) ?? new Map<string, Client>();
  clients.set(frame, known);
  const key = [network.id, network.chainId, ...network.nodes].join(' ');
  const client = known.get(key) ?? rpcOf((await frame.chain(network.secretType)).node(network));
  known.set(key, client);
  return client;
}
