/** Which accounts a page may see, and which network it is on: EIP-1102, EIP-2255 and EIP-3326. */
import type { EvmNetwork } from './networks.ts';
import { chainIdOf, fieldsOf, listOf } from './params.ts';
import { CODE, invalidParam, ProviderRpcError } from './rpc-error.ts';
import type { Session } from './session.ts';

interface Permission {
  invoker: string;
  parentCapability: string;
  caveats: { type: string; value: string[] }[];
}

export async function requestAccounts(session: Session): Promise<string[]> {
  const before = await session.accounts();
  if (before.length) return before;
  await session.link(session.networks.chosen);
  return someAccounts(session);
}

export async function requestPermissions(session: Session, params: unknown): Promise<Permission[]> {
  checkPermission(params);
  const { chosen } = session.networks;
  const { portable } = await session.networks.listed();
  const isElsewhere = !portable && (await session.accounts()).length > 0;
  await session.link(isElsewhere ? (await session.current()).id : chosen);
  return permissionFor(await someAccounts(session));
}

export async function getPermissions(session: Session): Promise<Permission[]> {
  const accounts = await session.accounts();
  return accounts.length ? permissionFor(accounts) : [];
}

export async function revokePermissions(session: Session, params: unknown): Promise<null> {
  checkPermission(params);
  for (const { id } of await session.linked()) await session.host.unlink(id);
  session.store.change((contents) => (contents.used = []));
  await session.report();
  return null;
}

export async function switchChain(session: Session, params: unknown): Promise<null> {
  const [chain] = listOf(params, ['chain']);
  const chainId = chainIdOf(fieldsOf(chain, 'params[0]')['chainId'], 'params[0].chainId');
  const target = await session.networks.byChainId(chainId);
  if (!target)
    throw new ProviderRpcError(CODE.unknownChain, `This wallet has no network with the chain id ${chainId}.`);
  if (target.id === (await session.current()).id) return null;
  if ((await session.linked()).length) {
    if ((await session.walletsOn(target)).length) {
      if (!target.custom && (await session.networks.listed()).portable) await session.agree(target);
    } else await linkThere(session, target);
  }
  session.networks.choose(target);
  await session.report();
  return null;
}

/** In a wallet of 0.1.0, where a wallet is on one network; and on the page's own node, for wallets of the service. */
async function linkThere(session: Session, target: EvmNetwork): Promise<void> {
  await session.link(target.id);
  if (!(await session.walletsOn(target)).length)
    throw new ProviderRpcError(CODE.rejected, `No wallet on ${target.name} was linked.`);
}

async function someAccounts(session: Session): Promise<string[]> {
  const accounts = await session.accounts();
  if (accounts.length) return accounts;
  throw new ProviderRpcError(CODE.rejected, 'No wallet was linked.');
}

/** `[{ eth_accounts: {} }]`, the only permission that exists. */
function checkPermission(params: unknown): void {
  const [permissions] = listOf(params, ['permissions']);
  const names = Object.keys(fieldsOf(permissions, 'params[0]'));
  if (names.length === 0) throw invalidParam('params[0]', 'must name a permission: eth_accounts');
  for (const name of names)
    if (name !== 'eth_accounts')
      throw invalidParam(`params[0].${name}`, 'is not a permission that this wallet has');
}

function permissionFor(value: string[]): Permission[] {
  return [
    {
      invoker: location.origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value }],
    },
  ];
}
