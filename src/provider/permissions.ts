/** Which accounts a page may see, and which network it is on: EIP-1102, EIP-2255 and EIP-3326. */
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
  await session.link((await session.accounts()).length ? (await session.current()).id : chosen);
  return permissionFor(await someAccounts(session));
}

export async function getPermissions(session: Session): Promise<Permission[]> {
  const accounts = await session.accounts();
  return accounts.length ? permissionFor(accounts) : [];
}

export async function revokePermissions(session: Session, params: unknown): Promise<null> {
  checkPermission(params);
  for (const { id } of await session.linked()) await session.host.unlink(id);
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
  // A user with wallets here, but none there, chooses or creates one: a chain without accounts would end
  // the page's session.
  if ((await session.linked()).length && !(await session.walletsOn(target)).length) {
    await session.link(target.id);
    if (!(await session.walletsOn(target)).length)
      throw new ProviderRpcError(CODE.rejected, `No wallet on ${target.name} was linked.`);
  }
  session.networks.choose(target);
  await session.report();
  return null;
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
