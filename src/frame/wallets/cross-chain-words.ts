/** How far a swap between chains is, in words. */
import type { CrossChainSwap } from '../../api/history.ts';
import type { Amount } from '../../chains/coin.ts';
import { msg, str } from '../../base/localize.ts';
import type { ActivityRecord } from '../../wallets/types.ts';

/** What a list needs of one. */
export type SwapProgress = Pick<
  CrossChainSwap,
  | 'exchange'
  | 'stage'
  | 'confirmations'
  | 'secretType'
  | 'network'
  | 'recipient'
  | 'estimatedSeconds'
  | 'payouts'
  | 'refunds'
  | 'reason'
  | 'parts'
>;

/** Undefined for another transaction. What another version stored is as if nothing was known yet. */
export function progressOf({
  crossChain,
  summary,
}: Pick<ActivityRecord, 'crossChain' | 'summary'>): SwapProgress | undefined {
  if (crossChain?.version === 1) return crossChain;
  const { exchange, outlook } = summary.crossChain ?? {};
  if (!exchange || !outlook) return undefined;
  const { secretType, network, recipient, seconds: estimatedSeconds } = outlook;
  return {
    exchange,
    stage: 'waiting',
    secretType,
    network,
    recipient,
    estimatedSeconds,
    payouts: [],
    refunds: [],
  };
}

/** After three times as long as it takes, a swap is late. */
const LATE_TIMES = 3;

export function isLate({ estimatedSeconds }: SwapProgress, at: number, now: number): boolean {
  return now - at > LATE_TIMES * estimatedSeconds * 1000;
}

/** `Seen 2 of 3 blocks`. Undefined before the exchange has seen it, and once it is over. */
export function stageWord({ stage, confirmations }: SwapProgress): string | undefined {
  switch (stage) {
    case 'confirming':
      return confirmations
        ? msg(str`Block ${confirmations.seen} of ${confirmations.needed}`)
        : msg('Waiting for blocks');
    case 'swapping':
      return msg('Swapping');
    case 'paying-out':
      return msg('Being paid out');
    default:
      return undefined;
  }
}

/** How far it is in full, and why something came back. */
export function progressText(swap: SwapProgress): string {
  const more = [partsSentence(swap), reasonSentence(swap)].filter((sentence) => sentence !== undefined);
  return more.reduce((text, sentence) => msg(str`${text} ${sentence}`), stageSentence(swap));
}

function partsSentence({ parts }: SwapProgress): string | undefined {
  return parts && msg(str`Parts that came back: ${parts.returned} of ${parts.all}.`);
}

function reasonSentence({ exchange, reason }: SwapProgress): string | undefined {
  switch (reason) {
    case 'limit':
      return msg('The price moved past your limit.');
    case 'halted':
      return msg('Trading was halted.');
    case 'pool':
      return msg(str`${exchange} did not trade one of the assets.`);
    case 'order':
      return msg(str`${exchange} did not accept the order.`);
    case 'vault':
      return msg(str`${exchange} no longer used the address that the coins went to.`);
    case undefined:
      return undefined;
  }
}

function stageSentence({ exchange, stage, confirmations }: SwapProgress): string {
  switch (stage) {
    case 'waiting':
      return msg(str`${exchange} has not seen the coins yet.`);
    case 'confirming': {
      if (!confirmations) return msg(str`${exchange} has seen the coins, and waits for more blocks.`);
      const { seen, needed } = confirmations;
      return msg(str`${exchange} has seen block ${seen} of ${needed}.`);
    }
    case 'swapping':
      return msg(str`${exchange} is swapping the coins.`);
    case 'paying-out':
      return msg(str`${exchange} has yet to pay out.`);
    case 'paid':
      return msg('It was paid out.');
    case 'refunded':
      return msg('It was not swapped. The coins came back, less a fee.');
    case 'part-refunded':
      return msg('A part was swapped, and the rest came back, each less a fee.');
  }
}

/** What was sent by the exchange, with the decimals that the operator lists. */
export function amountOf({ amount }: CrossChainSwap['payouts'][number]): Amount {
  const { raw, decimals, symbol, tokenAddress: token } = amount;
  return { raw: BigInt(raw), decimals, symbol: symbol ?? '', ...(token !== undefined && { token }) };
}
