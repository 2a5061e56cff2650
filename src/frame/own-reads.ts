/** Reads of the wallet's own data, for a page only about its own requests and wallets. Everything else is read from nodes. */
import type { Action } from '../base/actions.ts';
import { FrameUnreachableError, toWire } from '../base/errors.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { HostLink, HostRequest } from '../channel/link.ts';
import type { Pending, Results } from '../channel/messages.ts';
import { readParams, type ReadParams } from '../channel/read-schema.ts';
import type { ActivityRecord, JournalEntry, Vault } from '../wallets/types.ts';
import { acknowledge, dismissed } from './approve/outcome/delivery.ts';
import { settle } from './approve/outcome/settle.ts';
import type { Reader } from './frame.ts';
import { reader } from './reader.ts';
import { read } from './reads/reads.ts';
import { servesVault } from './shell/place.ts';
import { tellSite } from './shell/site-wallets.ts';

type OwnAction = 'transactionStatus' | 'unlink' | 'pending';

/** A result of undefined means that the vault does not know. */
const OWN: { [A in OwnAction]: (frame: Reader, params: ReadParams<A>) => Promise<Results[A] | undefined> } = {
  /**
   * For transactions that the site sent through this wallet, the network is known, and the bytes show whether they are still valid. Of another
   * `network`, its nodes are asked.
   */
  async transactionStatus(frame, { secretType, hash, network }) {
    const sent = await sentBySite(frame, secretType, hash);
    if (network !== undefined && sent?.draft?.network.id !== network) return undefined;
    // Checked first: the page then knows that this transaction's outcome may not be final.
    if (sent?.replacedBy !== undefined)
      await (await import('./wallets/history-updates.ts')).tellReplaced(frame, await frame.vault());
    if (sent?.expired) return 'failed';
    if (!sent?.draft) return undefined;
    const chain = await frame.chain(secretType);
    return chain.status(hash, chain.node(sent.draft.network), sent.raw);
  },

  async unlink(frame, { walletId }) {
    const vault = await vaultOf(frame);
    await vault.unlink(frame.link.origin, walletId);
    await tellSite(frame.link, frame.networks, vault);
    return null;
  },

  async pending(frame, { requestIds }) {
    const vault = await vaultOf(frame);
    const entries = await vault.journal.pending(frame.link.origin, requestIds);
    return Promise.all(entries.map(async (entry) => toPending(await settle(frame, vault, entry))));
  },
};

/** Rejects a page that cannot be answered from the vault, so that no answer can pass for the vault's. */
function vaultOf(frame: Reader): Promise<Vault> {
  if (servesVault(frame)) return frame.vault();
  throw new FrameUnreachableError('The wallet’s storage is out of reach in this frame.');
}

function isOwn(action: Action): action is OwnAction {
  return Object.hasOwn(OWN, action);
}

export async function readOwn(frame: Reader, request: HostRequest): Promise<void> {
  if (isOwn(request.action))
    try {
      const result = await answer(frame, request.action, request.params);
      if (result !== undefined) return request.resolve(result);
    } catch (error) {
      return request.reject(error);
    }
  await read(frame, request);
}

function answer<A extends OwnAction>(
  frame: Reader,
  action: A,
  params: unknown,
): Promise<Results[A] | undefined> {
  return OWN[action](frame, readParams(action, params));
}

async function sentBySite(
  frame: Reader,
  secretType: SecretType,
  hash: string,
): Promise<ActivityRecord | undefined> {
  if (!servesVault(frame)) return undefined;
  const record = await (await frame.vault()).activity.get(hash);
  return record?.origin === frame.link.origin && record.secretType === secretType ? record : undefined;
}

function toPending(entry: JournalEntry): Pending {
  const { requestId, action, state, result, error } = entry;
  switch (state) {
    case 'done':
      return { requestId, action, state, result };
    case 'signed':
      return { requestId, action, state: 'unsent' };
    case 'failed':
      return { requestId, action, state, error };
    case 'dismissed':
      return { requestId, action, state: 'failed', error: toWire(dismissed(entry)) };
  }
}

/** A hidden frame in a page that may embed the wallet: answers reads, including those of the journal, and draws nothing. */
export async function serveReads(link: HostLink): Promise<void> {
  const frame = await reader(link);
  // Actions that need the user never reach a hidden frame: its end of the channel rejects them.
  link.onRequest = (request) => void readOwn(frame, request);
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});
}
