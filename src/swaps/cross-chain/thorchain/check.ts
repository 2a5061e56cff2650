/** Whether coins may be sent to THORChain now, by two nodes that have nothing in common. */
import { type Inbound, type Mimir, voteOn } from './answers.ts';
import { chainOf, NotAvailable, type Pools, type ThorChain } from './assets.ts';
import type { ThorchainEntry } from './entry.ts';
import { noAnswer, type ThorNode, type ThorNodes } from './nodes.ts';
import { isSameAddress, type Offer, vaultOn } from './offer.ts';
import { feeIn } from './pricing.ts';

/** What is about to be sent, offered here or read from a transaction. */
export interface SentOrder extends Pick<Offer, 'from' | 'amount' | 'vault' | 'router' | 'expiry' | 'at'> {
  /** Undefined where the order cannot be read. */
  to: string | undefined;
  /** From where it is sure that a refund comes back; undefined for what was not offered here. */
  minimum: bigint | undefined;
}

/** What two nodes agreed on. */
export interface CheckedOffer {
  offer: SentOrder;
  /** When they were asked, in milliseconds since 1970. */
  at: number;
}

/** Older answers do not count. */
export const ANSWERS_MS = 20_000;
/** An older offer needs another approval. */
export const OFFER_MS = 10 * 60_000;
/** A block comes every 6 seconds. */
const BLOCK_MS = 60_000;
const BLOCKS_APART = 10;

interface Answers {
  inbound: readonly Inbound[];
  vaults: Awaited<ReturnType<ThorNode['vaults']>>;
  mimir: Mimir;
  block: Awaited<ReturnType<ThorNode['block']>>;
  /** Undefined where they are not needed. */
  pools: Pools | undefined;
}

/**
 * Takes one round of 8 requests, 10 for a token that was not offered here, and nothing of what they answer is kept. Throws `NotAvailable` if the offer or anything that the nodes say
 * forbids it.
 */
export async function checkAtTwoNodes(
  offer: SentOrder,
  nodes: ThorNodes,
  routers: ThorchainEntry['routers'],
): Promise<CheckedOffer> {
  const { clock } = nodes;
  const at = clock.date();
  requireOpen(offer, at);
  const source = chainOf(offer.from);
  // Of a token, only the pools tell what a refund costs.
  const hasPools = offer.minimum === undefined && offer.from !== source?.coin;
  const both = await nodes.two((node) => ask(node, hasPools));
  const checked = { offer, at };
  requireFresh(checked, clock.date());

  const bought = offer.to === undefined ? [] : [offer.to];
  const targets = bought.map(chainOf);
  if (!source || !targets.every((target) => target !== undefined))
    throw new NotAvailable('pool', 'The wallet does not have the chain.');
  requireSameChain(both, clock.date());
  requireSameVault(source, both);
  for (const { inbound, vaults, mimir, block, pools } of both) {
    const there = vaultOn(source.name, inbound);
    requireTrading(source, there, mimir, block.height);
    for (const target of targets) requireTrading(target, vaultOn(target.name, inbound), mimir, block.height);
    requireSigning([...targets, source], mimir, block.height);
    requireAsset([offer.from, ...bought], mimir, block.height);
    requireVault(offer, source, there, vaults);
    if (source.hasRouter) requireRouter(offer, there, routers);
    if (offer.amount <= there.dust_threshold)
      throw new NotAvailable('dust', 'It is less than THORChain notices: the coins would be lost.');
    if (pools || offer.from === source.coin) {
      const refundFee = feeIn(offer.from, there.outbound_fee, pools ?? []);
      if (offer.amount <= refundFee + there.dust_threshold)
        throw new NotAvailable('below-minimum', 'If the swap failed, nothing would come back.');
    }
  }
  return checked;
}

/** Throws `NotAvailable` if the answers are too old to sign by. */
export function requireFresh({ offer, at }: CheckedOffer, now: number): void {
  if (!(now - at >= 0 && now - at <= ANSWERS_MS))
    throw new NotAvailable('answers-old', 'What the nodes of THORChain answered is too old.');
  requireOpen(offer, now);
}

function requireOpen({ at, expiry, amount, minimum }: SentOrder, now: number): void {
  if (now - at > OFFER_MS || expiry * 1000 <= now)
    throw new NotAvailable('expired', 'The offer has expired. Get a new one.');
  if (minimum !== undefined && amount < minimum)
    throw new NotAvailable('below-minimum', 'If the swap failed, too little would come back, or nothing.');
}

async function ask(node: ThorNode, hasPools: boolean): Promise<Answers> {
  const [inbound, vaults, mimir, block, pools] = await Promise.all([
    node.inbound(),
    node.vaults(),
    node.mimir(),
    node.block(),
    hasPools ? node.pools() : undefined,
  ]);
  return { inbound, vaults, mimir, block, pools };
}

/** A node that stands still answers as if nothing was halted. */
function requireSameChain([one, other]: readonly [Answers, Answers], now: number): void {
  if (one.block.chain_id !== other.block.chain_id)
    throw new NotAvailable('nodes-differ', 'Two nodes of THORChain are on different networks.');
  for (const { block } of [one, other])
    if (!(Math.abs(now - Date.parse(block.time)) < BLOCK_MS))
      throw new NotAvailable('node-behind', 'A node of THORChain has no block of the last minute.');
  if (Math.abs(one.block.height - other.block.height) > BLOCKS_APART)
    throw new NotAvailable('node-behind', 'A node of THORChain is behind the other.');
}

/** To send to: whoever answers for one of them would have to answer for the other, too. */
function requireSameVault({ name }: ThorChain, both: readonly [Answers, Answers]): void {
  const [one, other] = both.map(({ inbound }) => vaultOn(name, inbound)) as [Inbound, Inbound];
  if (!isSameAddress(one.address, other.address) || !isSameAddress(one.router ?? '', other.router ?? ''))
    throw new NotAvailable('nodes-differ', 'Two nodes of THORChain name different addresses to send to.');
}

function requireTrading({ name }: ThorChain, there: Inbound, mimir: Mimir, height: number): void {
  const isHalted =
    there.halted ||
    there.global_trading_paused ||
    there.chain_trading_paused ||
    [
      'HALTTRADING',
      `HALT${name}TRADING`,
      'HALTCHAINGLOBAL',
      `HALT${name}CHAIN`,
      `SOLVENCYHALT${name}CHAIN`,
    ].some((vote) => isInEffect(vote, mimir, height)) ||
    // The other way round: paused up to this height.
    readVote('NODEPAUSECHAINGLOBAL', mimir) >= BigInt(height);
  if (isHalted) throw new NotAvailable('halted', `THORChain does not trade on ${name} now.`);
}

/** Which no `halted` tells: coins are swapped, and neither paid out nor sent back. */
function requireSigning(chains: readonly ThorChain[], mimir: Mimir, height: number): void {
  for (const vote of ['HALTSIGNING', ...chains.map(({ name }) => `HALTSIGNING${name}`)])
    if (isInEffect(vote, mimir, height))
      throw new NotAvailable('signing-halted', 'THORChain sends nothing now: the coins would wait there.');
}

function requireAsset(assets: readonly string[], mimir: Mimir, height: number): void {
  for (const asset of assets)
    if (isInEffect(`RAGNAROK-${asset.replace('.', '-')}`, mimir, height))
      throw new NotAvailable('pool', `THORChain gives up ${asset}.`);
}

function requireVault(
  { vault }: SentOrder,
  { name }: ThorChain,
  { address }: Inbound,
  vaults: Answers['vaults'],
): void {
  if (!isSameAddress(address, vault))
    throw new NotAvailable('vault', 'The address to send to has changed. Get a new offer.');
  const isActive = vaults.some(
    ({ status, addresses, frozen }) =>
      status === 'ActiveVault' &&
      !frozen?.includes(name) &&
      addresses.some((each) => each.chain === name && isSameAddress(each.address, vault)),
  );
  if (!isActive) throw new NotAvailable('vault', 'The address to send to is that of no active vault.');
}

function requireRouter({ router }: SentOrder, there: Inbound, routers: ThorchainEntry['routers']): void {
  if (!router || !there.router || !isSameAddress(router, there.router))
    throw new NotAvailable('router', 'The contract to send through has changed. Get a new offer.');
  if (!routers.some(({ address }) => isSameAddress(address, router)))
    throw new NotAvailable('router', 'The wallet does not know the contract that THORChain uses now.');
}

/** Votes are heights from which they hold. */
function isInEffect(vote: string, mimir: Mimir, height: number): boolean {
  const from = readVote(vote, mimir);
  return from > 0n && from <= BigInt(height);
}

function readVote(vote: string, mimir: Mimir): bigint {
  try {
    return voteOn(vote, mimir);
  } catch (error) {
    throw noAnswer(error);
  }
}
