/** Runs a payload as a page would: with an element if there is one for it, otherwise with the page's connect. */
import type { Connect } from '../../src/actions/types.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { failure } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import type { BadCase } from './scenarios/bad-input.ts';
import type { Payload } from './scenarios/index.ts';

/** An element on the page with its request set, and the method that runs it. Only `run` if there is no element. */
export interface Mounted {
  element?: HTMLElement;
  run: () => Promise<unknown>;
  /** Called when the wallet's balance may have changed. */
  refresh?: () => void;
  /** The promise's name in the log. */
  call: string;
}

type Fields = Record<string, unknown>;

/** Attributes for what HTML can express, properties for the rest. */
function element(tag: string, attributes: Fields, properties: Fields = {}): HTMLElement {
  const made = document.createElement(tag);
  const kept: Fields = { ...properties };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (typeof value === 'object' || typeof value === 'number') kept[name] = value;
    else made.setAttribute(attribute, String(value));
  }
  return Object.assign(made, kept);
}

function method(made: HTMLElement, name: string): Mounted {
  const run = (): Promise<unknown> => (made as unknown as Record<string, () => Promise<unknown>>)[name]!();
  return { element: made, run, call: `${name}()` };
}

function filled(fields: Fields, walletId: string | undefined): Fields {
  return 'walletId' in fields || walletId === undefined ? fields : { walletId, ...fields };
}

/** Every action of the promise API, with arguments from the payload. */
function calls(
  connect: Connect,
  fields: Fields,
  walletId: string | undefined,
): Record<string, (signal?: AbortSignal) => Promise<unknown>> {
  const own = filled(fields, walletId);
  const id = String(own['walletId']);
  const request = filled((fields['request'] ?? {}) as Fields, walletId);
  // The editor may hold anything: the wallet validates it.
  const any = (value: unknown): never => value as never;
  const signalled = (signal?: AbortSignal) => (signal ? { signal } : {});
  return {
    linkWallets: (signal) => connect.linkWallets(any(fields), signalled(signal)),
    manageWallets: (signal) => connect.manageWallets(any(fields), signalled(signal)),
    transfer: (signal) => connect.transfer(any(own), signalled(signal)),
    execute: (signal) => connect.execute(any(request), signalled(signal)),
    executeAll: (signal) =>
      connect.executeAll(
        ((fields['requests'] ?? []) as Fields[]).map((each) => any(filled(each, walletId))),
        signalled(signal),
      ),
    sign: (signal) => connect.sign(any(own), signalled(signal)),
    build: (signal) =>
      connect.build(any(filled((fields['body'] ?? {}) as Fields, walletId)), signalled(signal)),
    swapPairs: (signal) => connect.swapPairs(id, signalled(signal)),
    swapRates: (signal) => connect.swapRates(any(own), signalled(signal)),
    createSwap: (signal) => connect.createSwap(any(own), signalled(signal)),
    wallets: () => connect.wallets(),
    balance: (signal) => connect.balance(id, signalled(signal)),
    tokenBalances: (signal) => connect.tokenBalances(id, signalled(signal)),
    tokenBalance: (signal) => connect.tokenBalance(id, String(own['token']), signalled(signal)),
    transactionStatus: (signal) =>
      connect.transactionStatus(any(fields['hash']), any(fields['secretType']), signalled(signal)),
    pending: () => connect.pending(),
    resume: (signal) => connect.resume(any(fields['requestId']), signalled(signal)),
    unlink: (signal) => connect.unlink(id, signalled(signal)),
    profile: (signal) => connect.profile(signalled(signal)),
  };
}

export const ACTIONS = [...Object.keys(calls({} as Connect, {}, undefined)), 'swap', 'refused', 'whiteLabel'];

/** A request that is not refused opens the wallet; after this time it is closed again. */
const OPENED = 3000;

async function refused(
  connect: Connect,
  { name, code, path, payload }: BadCase,
  walletId: string | undefined,
  log: EventLog,
): Promise<boolean> {
  const { action, ...fields } = payload;
  const stop = AbortSignal.timeout(OPENED);
  let outcome = 'it was not refused';
  try {
    await calls(connect, fields, walletId ?? 'wallet')[action]!(stop);
  } catch (error) {
    const { code: got, details } = error as { code?: string; details?: { issues?: { path: string }[] } };
    const named = path === undefined || details?.issues?.some((issue) => issue.path === path);
    if (got === code && named) {
      log.add('refused', `${name} → ${failure(error)}`, 'done');
      return true;
    }
    if (!stop.aborted) outcome = failure(error);
  }
  log.add('not refused', `${name} → ${outcome}, expected ${code}${path ? ` at ${path}` : ''}`, 'error');
  return false;
}

/** In sequence, so that the log reads like the list. */
async function allRefused(
  connect: Connect,
  { secretType, cases }: { secretType?: SecretType; cases?: BadCase[] },
  walletId: string | undefined,
  log: EventLog,
): Promise<string> {
  if (!cases) throw new Error('cases: is required');
  // A wallet in a window has to open within the click, so only schemas that are loaded by then can refuse a request first.
  if (secretType) await connect.preload(secretType);
  let right = 0;
  for (const each of cases) right += Number(await refused(connect, each, walletId, log));
  const all = `${right} of ${cases.length} refused as documented`;
  if (right < cases.length) throw new Error(all);
  return all;
}

export function mount(
  connect: Connect,
  payload: Payload,
  walletId: string | undefined,
  log: EventLog,
): Mounted {
  const { action, ...fields } = payload;
  switch (action) {
    case 'linkWallets': {
      const { secretTypes, layout } = fields;
      return method(
        element('link-wallets', {
          'secret-types': Array.isArray(secretTypes) ? secretTypes.join(' ') : secretTypes,
          layout,
        }),
        'link',
      );
    }
    case 'manageWallets':
      return method(element('manage-wallets', { chain: fields['chain'] }), 'manage');
    case 'transfer':
      return method(element('transfer-dialog', filled(fields, walletId)), 'show');
    case 'execute':
      return method(
        element('transfer-dialog', {}, { request: filled((fields['request'] ?? {}) as Fields, walletId) }),
        'show',
      );
    case 'sign':
      return method(element('sign-request', filled(fields, walletId)), 'sign');
    case 'swap':
      return method(element('swap-panel', filled(fields, walletId)), 'swap');
    case 'refused':
      return {
        run: () => allRefused(connect, fields, walletId, log),
        call: 'bad input',
      };
    default:
      return { run: calls(connect, fields, walletId)[action]!, call: `connect.${action}()` };
  }
}
