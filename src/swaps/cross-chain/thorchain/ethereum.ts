/** On Ethereum, coins go to THORChain through a contract, and accounts with code are neither noticed nor paid safely. */
import { keccak256 } from 'ethers/crypto';
import { encodeCall } from '../../../chains/contracts/abi.ts';
import { NOBODY } from '../../../chains/contracts/calls.ts';
import { readCode } from '../../../chains/evm/node.ts';
import type { Node } from '../../../chains/terms.ts';
import { allowanceCall, approval, exactApprovals, readAllowance, uint } from '../../allowance.ts';
import { type Caller, callerOf, type Step } from '../../caller.ts';
import type { ChainAsset } from '../exchange.ts';
import { NotAvailable } from './assets.ts';
import type { ThorchainEntry } from './entry.ts';
import { isSameAddress, type Offer } from './offer.ts';

const DEPOSIT = ['address', 'address', 'uint256', 'string', 'uint256'];
/** THORChain allows as much; a node that names a later time would have a deposit wait for a vault that is gone. */
const EXPIRY_S = 15 * 60;

export interface Deposit {
  /** The exchange. */
  name: string;
  offer: Offer;
  token: ChainAsset;
  /** In the token's smallest units. */
  amount: bigint;
  sender: string;
  /** Those of the network. */
  routers: ThorchainEntry['routers'];
}

/**
 * What brings the coins to the vault, in order: older routers' allowances are taken back, this one's is set to exactly the amount, and it is
 * spent. Takes two round trips, and none to THORChain. Throws `NotAvailable`, `swap.<dex>.allowance-error` and
 * `transaction.insufficient-funds`.
 */
export async function depositSteps(deposit: Deposit, node: Node): Promise<Step[]> {
  const { offer, token, amount, sender, routers } = deposit;
  const router = routers.find(({ address }) => isSameAddress(address, offer.router ?? ''));
  if (!router)
    throw new NotAvailable('router', 'The wallet does not know the contract that THORChain uses now.');
  const isCoin = token.address === '';
  const [, , before] = await Promise.all([
    requireNoCode(sender, node),
    requireCode(router, node),
    isCoin ? [] : approvalSteps(deposit, router.address, node),
  ]);
  const expiry = Math.min(offer.expiry, Math.floor(offer.at / 1000) + EXPIRY_S);
  const asset = isCoin ? NOBODY : token.address;
  const values = [offer.vault, asset, amount, offer.memo, BigInt(expiry)];
  const data = encodeCall('depositWithExpiry', DEPOSIT, values);
  const steps = [...before, { to: router.address, value: isCoin ? amount : 0n, data }];
  await tryOut(sender, steps, node);
  return steps;
}

async function approvalSteps(
  { name, token, amount, sender, routers }: Deposit,
  router: string,
  node: Node,
): Promise<Step[]> {
  const caller = (await callerOf('ETHEREUM', node))!;
  const [allowance, former] = await Promise.all([
    readAllowance(caller, token, sender, { name, router }, amount),
    formerAllowances({ routers, router, token: token.address, owner: sender }, caller),
  ]);
  return [
    ...former.map(({ spender }) => approval(token, spender, 0n)),
    ...exactApprovals(allowance, token, { name, router }, amount),
  ];
}

interface TokenOwner {
  /** Those of the network. */
  routers: ThorchainEntry['routers'];
  /** The one that is used now. */
  router: string;
  token: string;
  owner: string;
}

/** What other contracts of the exchange may still take, in smallest units. Takes one round trip. */
export async function formerAllowances(
  { routers, router, token, owner }: TokenOwner,
  caller: Caller,
): Promise<{ spender: string; allowed: bigint }[]> {
  const spenders = routers.map(({ address }) => address).filter((address) => !isSameAddress(address, router));
  const answers = await caller.read(
    spenders.map((spender) => ({ to: token, data: allowanceCall(owner, spender) })),
  );
  return spenders
    .map((spender, i) => ({ spender, allowed: uint(answers[i]) ?? 0n }))
    .filter(({ allowed }) => allowed > 0n);
}

/** Of a sender or a recipient: contracts, and accounts delegated to one (EIP-7702). Throws `NotAvailable`. */
export async function requireNoCode(address: string, node: Node): Promise<void> {
  if ((await readCode(node, address)) !== '0x')
    throw new NotAvailable(
      'contract',
      `${address} is a contract, or acts as one: THORChain notices no coins from there, and those sent there may bounce.`,
    );
}

/** Of a listed contract: it is the one that was listed. Throws `NotAvailable`. */
export async function requireCode(
  { address, codeHash }: ThorchainEntry['routers'][number],
  node: Node,
): Promise<void> {
  if (keccak256(await readCode(node, address)) !== codeHash)
    throw new NotAvailable('router', `The contract at ${address} is not the one that the wallet knows.`);
}

/** Throws `NotAvailable` if the node can tell that a step would fail. */
async function tryOut(sender: string, steps: readonly Step[], node: Node): Promise<void> {
  const outcomes = await (await callerOf('ETHEREUM', node))!.trial(sender, steps);
  for (const outcome of outcomes ?? [])
    if ('failed' in outcome)
      throw new NotAvailable('router', `The deposit would fail: ${outcome.failed.slice(0, 200)}.`);
}
