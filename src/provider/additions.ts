/**
 * What a page proposes to a wallet: networks (EIP-3085) and tokens (EIP-747). Neither changes what the wallet
 * shows by itself.
 */
import { isLoopback } from '../base/loopback.ts';
import { addressOf, chainIdOf, fieldsOf, type Fields, listOf, textOf } from './params.ts';
import { CODE, invalidParam, ProviderRpcError } from './rpc-error.ts';
import type { Session } from './session.ts';

/**
 * A network in `networks.json` exists already. Another one is accepted for this page alone, if the wallet
 * allows custom nodes: its approvals say that the site chose the node. Adding does not switch.
 */
export async function addChain(session: Session, params: unknown): Promise<null> {
  const [chain] = listOf(params, ['chain']);
  const fields = fieldsOf(chain, 'params[0]');
  const chainId = chainIdOf(fields['chainId'], 'params[0].chainId');
  const name = textOf(fields['chainName'], 'params[0].chainName', 64);
  const nodeUrl = nodeOf(fields);
  checkCurrency(fields);
  if (await session.networks.byChainId(chainId)) return null;
  if (!(await session.networks.listed()).customNodes)
    throw new ProviderRpcError(CODE.unsupported, 'This wallet uses its own networks and adds none.');
  const network = { id: 'custom', chainId, name, custom: { name, nodeUrl, chainId } };
  // A node that answers for another chain id is not used.
  try {
    await session.networks.read(network, 'eth_blockNumber', []);
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code !== CODE.chainDisconnected) throw error;
    throw invalidParam('params[0].rpcUrls[0]', `is not a node of chain id ${chainId}: ${error.message}`);
  }
  session.networks.add(network.custom);
  return null;
}

function nodeOf({ rpcUrls }: Fields): string {
  const path = 'params[0].rpcUrls';
  if (!Array.isArray(rpcUrls) || !rpcUrls.length)
    throw invalidParam(path, 'must be a list of at least one URL');
  for (const [index, url] of rpcUrls.entries()) checkUrl(url, `${path}[${index}]`);
  return String(rpcUrls[0]);
}

/**
 * EIP-3085: https only, or pages would send their users' reads unencrypted. A node on this machine is for pages on it, which may also reach
 * it by http; the wallet refuses it to others.
 */
function checkUrl(value: unknown, path: string): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isOwn = !!url && isLoopback(url) && isLoopback(new URL(location.origin));
  if (url?.protocol !== 'https:' && !(isOwn && url.protocol === 'http:'))
    throw invalidParam(path, 'must be an https URL');
}

function checkCurrency({ nativeCurrency }: Fields): void {
  const path = 'params[0].nativeCurrency';
  const coin = fieldsOf(nativeCurrency, path);
  textOf(coin['symbol'], `${path}.symbol`, 16);
  if (coin['decimals'] !== 18) throw invalidParam(`${path}.decimals`, 'must be 18');
}

/** A number, or its text, as pages have it from an input. */
function checkDecimals(value: unknown): void {
  const decimals =
    typeof value === 'string' && /^(\d{1,3}|0x[0-9a-f]{1,2})$/i.test(value) ? Number(value) : value;
  if (!Number.isInteger(decimals) || (decimals as number) < 0 || (decimals as number) > 255)
    throw invalidParam('params.options.decimals', 'must be a whole number from 0 to 255, such as 18 or "18"');
}

/** Whether the wallet shows the token: only those that its operator lists (a page's decimals are not trusted). */
export async function watchAsset(session: Session, params: unknown): Promise<boolean> {
  const asset = fieldsOf(Array.isArray(params) ? params[0] : params, 'params');
  const { type } = asset;
  if (type !== 'ERC20')
    throw invalidParam(
      'params.type',
      typeof type === 'string' ? `is ${type.slice(0, 20)}, but must be ERC20` : 'is required: ERC20',
    );
  const options = fieldsOf(asset['options'], 'params.options');
  const address = addressOf(options['address'], 'params.options.address');
  if (options['symbol'] !== undefined) textOf(options['symbol'], 'params.options.symbol', 32);
  if (options['decimals'] !== undefined) checkDecimals(options['decimals']);
  return (await session.networks.read(await session.current(), 'carabiner_listed', [address])) === true;
}
