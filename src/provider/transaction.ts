/** A JSON-RPC transaction as the wallet's own request: what a page passes to `execute`. */
import type { TransactionRequest } from '../chains/requests.ts';
import { addressOf, bytesOf, chainIdOf, fieldsOf, listOf, only, quantityOf } from './params.ts';
import { invalidParam } from './rpc-error.ts';
import type { Session } from './session.ts';
import type { ProviderChain } from './types.ts';

/** A network whose node the page names. */
export interface CustomNode {
  name: string;
  nodeUrl: string;
  chainId: number;
}

const FIELDS = [
  'from',
  'to',
  'value',
  'data',
  'input',
  'gas',
  'gasLimit',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'nonce',
  'accessList',
  'type',
  'chainId',
];

const TYPES: Record<ProviderChain, string> = { ETHEREUM: 'ETH_TRANSACTION', GOCHAIN: 'GO_TRANSACTION' };

export async function sendTransaction(session: Session, params: unknown): Promise<string> {
  const path = 'params[0]';
  const [transaction] = listOf(params, ['transaction']);
  const { from } = fieldsOf(transaction, path);
  const network = await session.current();
  const chainId = namedChain(transaction, path);
  if (chainId !== undefined && chainId !== network.chainId)
    throw invalidParam(
      `${path}.chainId`,
      `is ${chainId}, but the wallet is on ${network.chainId}: switch it first`,
    );
  const sender = { chain: session.chain, network: await session.nameOf(network) };
  const body = requestOf(transaction, path, sender);
  const { id } = await session.walletAt(from, `${path}.from`, network);
  const request = { ...body, walletId: id } as TransactionRequest;
  const { transactionHash } = await session.prompt.ask(
    'approve',
    (options) => session.host.execute(request, options),
    (name) => (name ? `${path}.${name}` : path),
  );
  return transactionHash;
}

export interface Sender {
  chain: ProviderChain;
  /** `Session.nameOf`. */
  network: string | CustomNode | undefined;
}

/** Of `eth_sendTransaction`, or a call of `wallet_sendCalls`; its wallet is still open. Amounts stay exact: they become decimal text. */
export function requestOf(
  transaction: unknown,
  path: string,
  sender: Sender,
): Omit<TransactionRequest, 'walletId'> {
  const fields = fieldsOf(transaction, path);
  only(fields, FIELDS, path);
  const quantity = (name: string) =>
    fields[name] === undefined ? undefined : quantityOf(fields[name], `${path}.${name}`);
  // The fields decide between types 0 and 2; those of other types are not supported.
  if (Number(quantity('type') ?? 0) > 2)
    throw invalidParam(`${path}.type`, 'must be 0x0, 0x1 or 0x2, or absent');
  const request = {
    type: TYPES[sender.chain],
    to: fields['to'] === undefined ? undefined : addressOf(fields['to'], `${path}.to`),
    value: quantity('value') ?? '0',
    data: dataOf(fields, path),
    gas: either(quantity('gas'), quantity('gasLimit'), `${path}.gasLimit`, 'gas'),
    gasPrice: quantity('gasPrice'),
    maxFeePerGas: quantity('maxFeePerGas'),
    maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
    nonce: quantity('nonce'),
    accessList: fields['accessList'],
    network: sender.network,
  };
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as unknown as TransactionRequest;
}

/** Old clients write `data`, new ones `input`, and some both. */
function dataOf(fields: Record<string, unknown>, path: string): string | undefined {
  const [data, input] = ['data', 'input'].map((name) =>
    fields[name] === undefined ? undefined : bytesOf(fields[name], `${path}.${name}`).toLowerCase(),
  );
  return either(data, input, `${path}.input`, 'data');
}

function either(
  one: string | undefined,
  other: string | undefined,
  path: string,
  name: string,
): string | undefined {
  if (one !== undefined && other !== undefined && one !== other)
    throw invalidParam(path, `must be the same as ${name}, or absent`);
  return one ?? other;
}

/** The chain that a transaction names, if it names one. */
function namedChain(transaction: unknown, path: string): number | undefined {
  const { chainId } = fieldsOf(transaction, path);
  return typeof chainId === 'number'
    ? chainId
    : chainId === undefined
      ? undefined
      : chainIdOf(chainId, `${path}.chainId`);
}
