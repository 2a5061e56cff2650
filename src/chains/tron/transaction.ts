/** Preparing a transaction. */
import type { Known, Node } from '../terms.ts';
import { type TokenQuestion, involvedIn, tokenQuestions } from '../contracts/deeds.ts';
import { readTokenFacts } from '../contracts/token-reads.ts';
import { addressFacts, NOTHING_KNOWN } from '../approval/known.ts';
import { checkCoins } from '../requests/build-body.ts';
import { claimOf, listedToken } from '../contracts/listed-token.ts';
import { invalid } from '../requests/payloads.ts';
import { type TokenFacts, unlistedLabel } from '../contracts/token-facts.ts';
import { checkFrom } from '../approval/owner.ts';
import { readAddress, toEvm } from './address.ts';
import { readingOf } from './calls.ts';
import { costsOf, feeLimitOf, requiredOf, type Payer } from './costs.ts';
import { COIN, coinsOf, type Contract, type TronDraft } from './draft.ts';
import { bandwidthOf, rawData, sizeWithoutSignature } from './envelope.ts';
import { type Intent, intentOf } from './intent.ts';
import {
  type Deployer,
  type Trial,
  readWord,
  readDeployer,
  readSymbol,
  readTokenBalance,
  tokenAt,
  tryCall,
} from './contract-reads.ts';
import { type Account, readAccount, readHead, readParameters, readResources } from './node.ts';
import type { TronRequest } from './payload.ts';

/**
 * A transaction's lifetime in milliseconds after the newest block: it is renewed while shown, and then needs
 * time to be signed and sent.
 */
const LIFE = 10 * 60_000;

/** Maximum bytes, without its signature, of a transaction that creates an account, if the node does not say. */
const MAX_CREATION_BYTES = 1000n;

/**
 * Every default filled in. One round trip to the node; two if the site gives a decimal value of an unlisted
 * token, or a contract's deployer pays for its callers.
 */
export async function prepare(
  request: TronRequest,
  from: string,
  node: Node,
  known: Known = NOTHING_KNOWN,
): Promise<TronDraft> {
  checkFrom(from, readAddress);
  const intent = await intentOf(request, from, node);
  const { contract, memo, feeLimit: requestedLimit } = intent;
  const reading = await readingOf(contract, from);
  const state = await readState(intent, reading ? tokenQuestions(reading) : [], from, node);
  const { head, sender, own, price, target, trial, deployer, knownPayer, tokens } = state;
  checkCoins(request, sender.balance, COIN);
  const maxFeeLimit = price('getMaxFeeLimit');
  if (requestedLimit !== undefined && requestedLimit > maxFeeLimit)
    throw invalid('feeLimit', `must be at most ${maxFeeLimit} sun, as the network has it`);
  const payer = knownPayer ?? (await payerOf(node, deployer));
  const activates = contract.kind !== 'call' && !target.exists;
  const frame = {
    from,
    contract,
    refBlockBytes: `0x${head.id.slice(12, 16)}`,
    refBlockHash: `0x${head.id.slice(16, 32)}`,
    expiration: head.time + LIFE,
    timestamp: uniqueTime(),
    memo,
  };
  const underLimit = (feeLimit: bigint) => {
    const envelope = { ...frame, feeLimit };
    const raw = rawData(envelope);
    if (activates) assertCreationSize(contract, raw, price('getMaxCreateAccountTxSize', MAX_CREATION_BYTES));
    const hasMemo = memo !== '0x';
    const bandwidth = bandwidthOf(raw);
    const terms = { contract, feeLimit, hasMemo, bandwidth, activates, own, trial, price, payer };
    return { envelope, costs: costsOf(terms) };
  };
  // A deployer may run out of energy before the call is in a block. A wallet that can then pays for all of
  // it; any other pays its part.
  const full = underLimit(requestedLimit ?? feeLimitOf(contract, trial, price));
  const { envelope, costs } =
    payer && requestedLimit === undefined && coinsOf(contract) + requiredOf(full.costs) > sender.balance
      ? underLimit(feeLimitOf(contract, trial, price, payer))
      : full;
  const [token] = tokens;
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
      ...(reading?.nested || tokens.length > 1
        ? { tokens: Object.fromEntries(tokens.map((one) => [one.address, one])) }
        : { token }),
      willFail:
        whyRefused(contract, from, sender, target) ??
        whyItFails(
          trial,
          costs.energy * price('getEnergyFee'),
          envelope.feeLimit,
          requestedLimit !== undefined,
        ),
      addresses: Object.fromEntries(
        involvedIn(contract.to, reading?.deeds ?? []).map((address) => [
          address,
          addressFacts(address, known),
        ]),
      ),
    },
  };
}

/** One round trip, but for a deployer who is known only then. */
async function readState(
  { contract, deployer: deployerOfToken }: Intent,
  questions: readonly TokenQuestion[],
  from: string,
  node: Node,
) {
  // Already known if the decimals were read: then the deployer's remaining energy is read with the rest.
  const knownDeployer = await deployerOfToken;
  const [head, sender, own, price, target, trial, deployer, knownPayer, tokens] = await Promise.all([
    readHead(node),
    readAccount(node, from),
    readResources(node, from),
    readParameters(node),
    readAccount(node, contract.to),
    contract.kind === 'call' ? tryCall(node, { ...contract, from }) : undefined,
    contract.kind === 'call' && !deployerOfToken ? readDeployer(node, contract.to, from) : undefined,
    payerOf(node, knownDeployer),
    Promise.all(
      contract.kind === 'asset'
        ? [readAsset(node, contract.token)]
        : questions.map((question) => readToken(node, question, from)),
    ),
  ]);
  return { head, sender, own, price, target, trial, deployer, knownPayer, tokens };
}

/** What the deployer of a contract can pay now; undefined where that is nothing. */
async function payerOf(node: Node, deployer: Deployer | undefined): Promise<Payer | undefined> {
  if (!deployer) return undefined;
  const { energy: left } = await readResources(node, deployer.address);
  const energy = left < deployer.limit ? left : deployer.limit;
  return energy === 0n ? undefined : { ...deployer, energy };
}

function assertCreationSize({ kind }: Contract, raw: Uint8Array, limit: bigint): void {
  const over = sizeWithoutSignature(raw) - Number(limit);
  if (over > 0)
    throw invalid(
      kind === 'coin' ? 'data' : 'memo',
      `is too long for a recipient without an account: the network takes ${limit} bytes of transaction then, and this is ${over} over`,
    );
}

let last = 0;

/** Otherwise identical transactions need different times: their hash is their identity. */
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

/** A token's return value from `transfer` means nothing: USDT returns false on success. */
function whyItFails(
  trial: Trial | undefined,
  energySun: bigint,
  feeLimit: bigint,
  given: boolean,
): string | undefined {
  if (trial?.willFail !== undefined) return trial.willFail;
  if (trial?.energy !== undefined && energySun > feeLimit)
    return `it needs ${trial.energy} energy, more than ${given ? 'its fee limit pays for' : 'the network lets a call pay for'}`;
  return undefined;
}

function readToken(node: Node, question: TokenQuestion, owner: string): Promise<TokenFacts> {
  const reads = {
    network: node.network,
    coin: COIN,
    word: (contract: string, data: string) => readWord(node, contract, data),
    balance: (token: string, of: string) => readTokenBalance(node, token, of),
    symbol: (token: string) => readSymbol(node, token),
    hasCode: (address: string) =>
      readAccount(node, address).then(
        ({ isContract }) => isContract,
        () => undefined,
      ),
    hex: toEvm,
  };
  return readTokenFacts(reads, question, owner);
}

/** A TRC-10 token. */
async function readAsset(node: Node, id: string): Promise<TokenFacts> {
  const { tokens } = node.network;
  const listed = listedToken(tokens, id);
  if (listed) return { address: id, symbol: listed.symbol, decimals: listed.decimals };
  const { symbol, decimals } = await tokenAt(id, node, 'token');
  const label = unlistedLabel(symbol, id, [COIN, ...tokens]);
  return { address: id, ...label, decimals: null, ...claimOf(decimals) };
}
