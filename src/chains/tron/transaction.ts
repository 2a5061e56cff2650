/** Preparing a transaction. */
import type { ChainRequest, Known, Node } from '../chain.ts';
import type { Effect } from '../evm/calls.ts';
import { involvedAddresses } from '../evm/token-effect.ts';
import { addressFacts } from '../known.ts';
import { listedToken } from '../listed-token.ts';
import { type TokenFacts, unlistedLabel } from '../token-facts.ts';
import { decodeCall } from './calls.ts';
import { costsOf, feeLimitOf } from './costs.ts';
import { COIN, type Contract, type TronDraft } from './draft.ts';
import { bandwidthOf, rawData } from './envelope.ts';
import { intentOf } from './intent.ts';
import {
  type Account,
  readAccount,
  readHead,
  readParameters,
  readResources,
  readSymbol,
  readTokenBalance,
  tokenAt,
  type Trial,
  tryCall,
} from './node.ts';
import { payloads, type TronRequest } from './payload.ts';

/** Milliseconds a transaction lives after the newest block: renewed while it is shown, and then time to sign and to be sent. */
const LIFE = 10 * 60_000;

/** Every default filled in. One round to the node; two when the site gives a decimal value of a token that nobody lists. */
export async function prepare(
  request: ChainRequest,
  from: string,
  node: Node,
  known: Known,
): Promise<TronDraft> {
  const { contract, memo, scaledBy } = await intentOf(payloads.parse(request) as TronRequest, node);
  const effect = contract.kind === 'call' ? decodeCall(contract.data).effect : undefined;
  const [head, sender, own, price, target, trial, token] = await Promise.all([
    readHead(node),
    readAccount(node, from),
    readResources(node, from),
    readParameters(node),
    readAccount(node, contract.to),
    contract.kind === 'call' ? tryCall(node, { ...contract, from }) : undefined,
    readToken(node, contract, effect, from),
  ]);
  const feeLimit = feeLimitOf(contract, trial, price);
  const envelope = {
    from,
    contract,
    refBlockBytes: `0x${head.id.slice(12, 16)}`,
    refBlockHash: `0x${head.id.slice(16, 32)}`,
    expiration: head.time + LIFE,
    timestamp: uniqueTime(),
    feeLimit,
    memo,
  };
  const costs = costsOf({
    contract,
    feeLimit,
    hasMemo: memo !== '0x',
    bandwidth: bandwidthOf(rawData(envelope)),
    activates: contract.kind !== 'call' && !target.exists,
    own,
    trial,
    price,
  });
  if (token && contract.kind === 'asset') token.balance = sender.assets[contract.token] ?? 0n;
  return {
    secretType: 'TRON',
    network: node.network,
    ...envelope,
    facts: {
      host: node.host,
      balance: sender.balance,
      costs,
      code: target.isContract,
      token,
      scaledBy,
      willFail:
        whyRefused(contract, from, sender, target) ?? whyItFails(trial, feeLimit, price('getEnergyFee')),
      addresses: Object.fromEntries(
        involvedAddresses(contract.to, effect).map((address) => [address, addressFacts(address, known)]),
      ),
    },
  };
}

let last = 0;

/** Two transactions that are otherwise the same need different times: their hash is their identity. */
function uniqueTime(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}

/** In the words of the node, before it is asked. */
function whyRefused(contract: Contract, from: string, sender: Account, target: Account): string | undefined {
  if (!sender.ownKey) return 'the key of this wallet may no longer sign for its account';
  if (contract.kind === 'call') return undefined;
  const what = contract.kind === 'coin' ? 'TRX' : 'asset';
  if (contract.amount === 0n) return 'Amount must be greater than 0.';
  if (contract.to === from) return `Cannot transfer ${what} to yourself.`;
  if (target.isContract) return `Cannot transfer ${what} to a smartContract.`;
  return undefined;
}

/** What a token's `transfer` answers tells nothing: USDT answers false when all went well. */
function whyItFails(trial: Trial | undefined, feeLimit: bigint, energyPrice: bigint): string | undefined {
  if (trial?.willFail !== undefined) return trial.willFail;
  if (trial?.energy !== undefined && trial.energy * energyPrice > feeLimit)
    return `it needs ${trial.energy} energy, more than the network lets a call pay for`;
  return undefined;
}

async function readToken(
  node: Node,
  contract: Contract,
  effect: Effect | undefined,
  owner: string,
): Promise<TokenFacts | undefined> {
  if (contract.kind === 'coin' || effect?.kind === 'other') return undefined;
  const named = effect?.kind === 'approval' ? effect.token : undefined;
  const address = contract.kind === 'asset' ? contract.token : (named ?? contract.to);
  const listed = listedToken(node.network.tokens, address);
  const [symbol, balance] = await Promise.all([
    listed?.symbol ??
      (contract.kind === 'asset'
        ? tokenAt(address, node, 'token').then((token) => token.symbol)
        : readSymbol(node, address)),
    contract.kind === 'asset' ? undefined : readTokenBalance(node, address, owner),
  ]);
  const trusted = [COIN, ...node.network.tokens];
  return {
    address,
    ...(listed ? { symbol: listed.symbol } : unlistedLabel(symbol, address, trusted)),
    decimals: listed?.decimals ?? null,
    balance,
  };
}
