/**
 * Batches of calls (https://eips.ethereum.org/EIPS/eip-5792), through `executeAll`: shown as one list, each
 * approved and sent once the previous one is confirmed. They are not atomic, and say so.
 */
import type { TransactionRequest } from '../chains/requests.ts';
import { ConnectError, mayBeSent } from '../base/errors.ts';
import { hexDigits } from '../base/bytes.ts';
import type { EvmNetwork } from './networks.ts';
import { addressOf, chainIdOf, fieldsOf, type Fields, hexOf, listOf, only, textOf } from './params.ts';
import { CODE, invalidParam, ProviderRpcError, toRpcError } from './rpc-error.ts';
import type { Session } from './session.ts';
import type { Batch } from './store.ts';
import { requestOf } from './transaction.ts';

const VERSION = '2.0.0';
/** `executeAll` takes no more. */
const MAX = 20;

const PATH = 'params[0]';

export async function getCapabilities(session: Session, params: unknown): Promise<Record<string, unknown>> {
  const [address, chainIds] = listOf(params, ['address', 'chainIds'], 1);
  addressOf(address, PATH);
  if (chainIds !== undefined && !Array.isArray(chainIds)) throw invalidParam('params[1]', 'must be a list');
  const wanted = (chainIds as unknown[] | undefined)?.map((id, index) =>
    chainIdOf(id, `params[1][${index}]`),
  );
  const all = await session.networks.all();
  const own = await Promise.all(
    all.map((network) =>
      session.walletAt(address, PATH, network).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!own.includes(true)) await session.walletAt(address, PATH, await session.current());
  return Object.fromEntries(
    all
      .filter(({ chainId }, index) => own[index] && (wanted?.includes(chainId) ?? true))
      .map(({ chainId }) => [hexOf(chainId), { atomic: { status: 'unsupported' } }]),
  );
}

export async function sendCalls(session: Session, params: unknown): Promise<{ id: string }> {
  const [request] = listOf(params, ['batch']);
  const fields = fieldsOf(request, PATH);
  const { calls, network, id } = await checked(session, fields);
  const sender = { chain: session.chain, network: await session.nameOf(network) };
  const bodies = calls.map((call, index) => requestOf(call, `${PATH}.calls[${index}]`, sender));
  const from = fields['from'] ?? (await firstAccount(session));
  const wallet = await session.walletAt(from, `${PATH}.from`, network);
  const requests = bodies.map((body) => ({ ...body, walletId: wallet.id }) as TransactionRequest);
  const batch: Batch = {
    requestId: hexDigits(crypto.getRandomValues(new Uint8Array(16))),
    from: wallet.address,
    network: network.id,
    chainId: network.chainId,
    calls: calls.length,
    hashes: [],
    ended: false,
    at: session.clock.date(),
  };
  const save = (): void => session.store.change(({ batches }) => void (batches[id] = batch));
  const sent = (hash: string | undefined): void => {
    if (!hash || batch.hashes.includes(hash)) return;
    batch.hashes.push(hash);
    save();
  };
  const end = (results: readonly { transactionHash: string }[]): void => {
    for (const { transactionHash } of results) sent(transactionHash);
    batch.ended = true;
    save();
  };
  save();
  return new Promise((resolve, reject) => {
    const run = session.prompt.ask(
      'approve',
      (options) =>
        session.host.executeAll(requests, {
          ...options,
          requestId: batch.requestId,
          onProgress(progress) {
            options.onProgress?.(progress);
            sent(progress.transactionHash);
            // The first is on its way: the batch's status covers the others.
            if (batch.hashes.length) resolve({ id });
          },
        }),
      (path) => path.replace(/^requests\.(\d+)/, `${PATH}.calls[$1]`),
    );
    run.then(
      (results) => {
        end(results);
        resolve({ id });
      },
      (error: unknown) => {
        // More may have been sent: it is looked up when the status is requested.
        if (!isLost(error)) end(completedOf(error));
        if (batch.hashes.length) return resolve({ id });
        if (batch.ended) session.store.change(({ batches }) => void delete batches[id]);
        reject(error);
      },
    );
  });
}

/** Everything that needs no account. */
async function checked(
  session: Session,
  fields: Fields,
): Promise<{ calls: Fields[]; network: EvmNetwork; id: string }> {
  only(fields, ['version', 'chainId', 'from', 'id', 'atomicRequired', 'calls', 'capabilities'], PATH);
  if (fields['version'] !== VERSION) throw invalidParam(`${PATH}.version`, `must be ${VERSION}`);
  if (typeof fields['atomicRequired'] !== 'boolean')
    throw invalidParam(`${PATH}.atomicRequired`, 'is required: true or false');
  const chainId = chainIdOf(fields['chainId'], `${PATH}.chainId`);
  const network = await session.networks.byChainId(chainId);
  if (!network)
    throw new ProviderRpcError(CODE.chainOfCalls, `This wallet has no network with the chain id ${chainId}.`);
  if (fields['atomicRequired'])
    throw new ProviderRpcError(CODE.atomicity, 'This wallet sends calls one after another, not as one.');
  const list = fields['calls'];
  if (!Array.isArray(list) || !list.length) throw invalidParam(`${PATH}.calls`, 'must be a list of calls');
  if (list.length > MAX)
    throw new ProviderRpcError(
      CODE.tooLarge,
      `A batch has at most ${MAX} calls; this one has ${list.length}.`,
    );
  checkCapabilities(fields['capabilities'], `${PATH}.capabilities`);
  const calls = list.map((each, index) => {
    const path = `${PATH}.calls[${index}]`;
    const { capabilities, ...call } = fieldsOf(each, path);
    only(call, ['to', 'data', 'value'], path);
    checkCapabilities(capabilities, `${path}.capabilities`);
    return call;
  });
  const id = fields['id'] === undefined ? newId() : textOf(fields['id'], `${PATH}.id`);
  if (Object.hasOwn(session.store.read().batches, id))
    throw new ProviderRpcError(CODE.duplicateId, 'There is a batch with this id already.');
  return { calls, network, id };
}

/** None are supported, so only optional ones may be requested. */
function checkCapabilities(capabilities: unknown, path: string): void {
  if (capabilities === undefined) return;
  for (const [name, capability] of Object.entries(fieldsOf(capabilities, path)))
    if ((capability as { optional?: unknown } | null)?.optional !== true)
      throw new ProviderRpcError(CODE.capability, `The capability ${name} is not supported.`);
}

function newId(): string {
  return `0x${hexDigits(crypto.getRandomValues(new Uint8Array(32)))}`;
}

async function firstAccount(session: Session): Promise<unknown> {
  const [first] = await session.accounts();
  if (first) return first;
  throw new ProviderRpcError(
    CODE.unauthorized,
    'No wallet is linked to this site. Call eth_requestAccounts.',
  );
}

/** What was sent before a failure. */
function completedOf(error: unknown): { transactionHash: string }[] {
  const { cause } = error as { cause?: unknown };
  const completed = cause instanceof ConnectError ? cause.details['completed'] : undefined;
  return Array.isArray(completed) ? (completed as { transactionHash: string }[]) : [];
}

/** Perhaps approved, but no answer came. */
function isLost(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof ConnectError && mayBeSent(cause);
}

interface Receipt {
  logs: { address: string; data: string; topics: string[] }[];
  status: string;
  blockHash: string;
  blockNumber: string;
  gasUsed: string;
  transactionHash: string;
}

export async function getCallsStatus(session: Session, params: unknown): Promise<Record<string, unknown>> {
  const { id, batch, network } = await batchOf(session, params);
  const answers = await Promise.all(
    batch.hashes.map((hash) => session.networks.read(network, 'eth_getTransactionReceipt', [hash])),
  );
  const receipts = (answers as (Receipt | null)[]).filter((receipt) => receipt !== null).map(shown);
  return {
    version: VERSION,
    id,
    chainId: hexOf(batch.chainId),
    status: statusOf(batch, receipts),
    atomic: false,
    ...(receipts.length && { receipts }),
  };
}

/** Codes of EIP-5792. */
function statusOf({ calls, hashes, ended }: Batch, receipts: readonly Receipt[]): number {
  const good = receipts.filter(({ status }) => status === '0x1').length;
  if (good === calls) return 200;
  // After a failure no more are sent.
  if (good < receipts.length) return good ? 600 : 500;
  if (!ended || receipts.length < hashes.length) return 100;
  return good ? 600 : 400;
}

function shown({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }: Receipt): Receipt {
  return {
    logs: logs.map(({ address, data, topics }) => ({ address, data, topics })),
    status,
    blockHash,
    blockNumber,
    gasUsed,
    transactionHash,
  };
}

/** Opens the explorer's page of the latest transaction, where the network has an explorer. */
export async function showCallsStatus(session: Session, params: unknown): Promise<null> {
  const { batch, network } = await batchOf(session, params);
  const hash = batch.hashes.at(-1);
  const url = hash && !network.custom && (await session.host.transactionUrl(hash, network.id));
  if (url) window.open(url, '_blank', 'noopener');
  return null;
}

async function batchOf(
  session: Session,
  params: unknown,
): Promise<{ id: string; batch: Batch; network: EvmNetwork }> {
  const id = textOf(listOf(params, ['id'])[0], PATH);
  const { batches } = session.store.read();
  const batch = Object.hasOwn(batches, id) ? batches[id]! : undefined;
  const network = (await session.networks.all()).find((each) => each.id === batch?.network);
  if (!batch || !network) throw new ProviderRpcError(CODE.unknownId, 'There is no batch with this id.');
  if (!batch.ended) await recover(session, id, batch);
  return { id, batch, network };
}

/** The page was reloaded while the batch was in the wallet: its answer waits there. */
async function recover(session: Session, id: string, batch: Batch): Promise<void> {
  try {
    const [answer] = await session.host.pending(({ requestId }) => requestId === batch.requestId);
    if (answer?.state !== 'done' && answer?.state !== 'failed') return;
    const results = answer.result ?? answer.error?.details?.['completed'] ?? [];
    for (const { transactionHash } of results as { transactionHash: string }[])
      if (!batch.hashes.includes(transactionHash)) batch.hashes.push(transactionHash);
    batch.ended = true;
    session.store.change(({ batches }) => void (batches[id] = batch));
  } catch (error) {
    throw toRpcError(error);
  }
}
