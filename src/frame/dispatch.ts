/** Runs each request's flow, one at a time, and settles the request whatever happens. */
import type { HostRequest } from '../channel/link.ts';
import { type Ask, isAsk } from '../base/actions.ts';
import { askParams } from '../channel/ask-schema.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { acknowledge, pause } from './approve/outcome/delivery.ts';
import { transact } from './approve/transact-flow.ts';
import type { Flow, Frame, Task } from './frame.ts';
import { type Admission, type AdmissionFor, loadObstacles, movedAway, serveOwn } from './shell/admission.ts';
import { seesCover, servesVault } from './shell/place.ts';
import type { RequestList, Waiting } from './shell/queue-flow.ts';
import type { Replacements } from './shell/replacements.ts';
import type { ShellFrame } from './shell/stage.ts';
import type { Turn } from './shell/turn.ts';

/** How long the surface stays open for the next request in the page's queue, in milliseconds. */
const LINGER = 100;

const FLOWS: { [A in Ask]: () => Promise<Flow<A>> } = {
  linkWallets: async () => (await import('./wallets/link-flow.ts')).linkWallets,
  manageWallets: async () => (await import('./wallets/manage-flow.ts')).manageWallets,
  chooseRecipient: async () => (await import('./recipients/recipients-flow.ts')).chooseRecipient,
  transfer: async () => transact,
  execute: async () => transact,
  executeAll: async () => (await import('./approve/execute-all-flow.ts')).executeAll,
  sign: async () => (await import('./approve/sign-flow.ts')).sign,
  resume: async () => (await import('./approve/outcome/resume-flow.ts')).resume,
  useNetwork: async () => (await import('./wallets/link-flow.ts')).useNetwork,
};

/** Serves every request of the link. `approvesHere`: whether this place can show wallets and approve at all. */
export function serve(
  frame: ShellFrame,
  turn: Turn,
  replacements: Replacements,
  approvesHere: boolean = canApprove(frame),
): void {
  const { link } = frame;
  const queue = new RequestQueue(frame, serveOwn(frame, turn, replacements), approvesHere);
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});
  link.onRequest = (request) => queue.receive(request);
}

/** The requests of one page: those that need the user are served one after the other. */
class RequestQueue {
  readonly #frame: ShellFrame;
  readonly #admissionFor: AdmissionFor;
  readonly #approvesHere: boolean;
  /** The current requests, including those already settled; a new list starts when all are. */
  readonly #batch: Waiting[] = [];
  /** Loaded with the second request. */
  #list: RequestList | undefined;
  /** When the last request is answered. Its views may stay. */
  #lastAnswer: Promise<void> = Promise.resolve();
  /** Closes what the previous request still shows. */
  #views = new AbortController();
  /** How many wait, run, or still show something. */
  #open = 0;

  constructor(frame: ShellFrame, admissionFor: AdmissionFor, approvesHere: boolean) {
    this.#frame = frame;
    this.#admissionFor = admissionFor;
    this.#approvesHere = approvesHere;
  }

  receive(request: HostRequest): void {
    if (needsUser(request)) this.#enqueue(request);
    else this.#read(request);
  }

  #read(request: HostRequest): void {
    const answer = answerRead(this.#frame, request);
    // The page's next request must find the wallet unlinked.
    if (request.action === 'unlink')
      this.#lastAnswer = Promise.all([this.#lastAnswer, answer]).then(() => {});
  }

  #enqueue(request: HostRequest<Ask>): void {
    const { stage } = this.#frame;
    const { opening } = stage;
    // An earlier Close was not for this request.
    stage.left = false;
    this.#open++;
    if (this.#isSettled) this.#batch.length = 0;
    const rejected = opening?.requestId === request.id ? opening.rejected : new AbortController();
    const item: Waiting = { request, rejected, approved: false, over: false };
    this.#batch.push(item);
    this.#updateList();
    const before = this.#lastAnswer;
    this.#lastAnswer = new Promise((next) => {
      const finish = (): void => {
        item.over = true;
        this.#updateList();
        next();
      };
      void before.then(() => this.#serve(item, finish));
    });
  }

  get #isSettled(): boolean {
    return this.#batch.every(({ over }) => over);
  }

  /** Shows the requests that wait, if there are several. */
  #updateList(): void {
    if (this.#batch[1])
      this.#loadList()
        .then((list) => list.update())
        .catch(() => {});
  }

  async #loadList(): Promise<RequestList> {
    const { RequestList } = await import('./shell/queue-flow.ts');
    return (this.#list ??= new RequestList(this.#frame, this.#batch));
  }

  /** Serves a request whose turn it is. `finish` lets the next one begin. */
  async #serve(item: Waiting, finish: () => void): Promise<void> {
    const { request, rejected } = item;
    const views = this.#closeViews();
    const admission = this.#admissionFor(() => rejected.abort(movedAway()));
    const signal = AbortSignal.any([request.signal, views, rejected.signal]);
    request.signal.addEventListener('abort', finish);
    if (request.signal.aborted) finish();
    let failure: unknown;
    try {
      rejected.signal.throwIfAborted();
      await this.#carryOut(this.#taskOf(item, signal, admission, finish), admission);
    } catch (error) {
      request.reject(error);
      item.over = true;
      failure = error;
    }
    this.#conclude(item, admission, failure);
    if (failure) await this.#askRest(signal, failure);
    finish();
    this.#open--;
    admission.rest();
    await this.#idle(request);
  }

  /** Closes what the previous request still shows, such as its confirmation. Returns the signal for that of the next one. */
  #closeViews(): AbortSignal {
    this.#views.abort(new UserRejectedError());
    this.#views = new AbortController();
    return this.#views.signal;
  }

  /** The request as its flow gets it. */
  #taskOf(item: Waiting, signal: AbortSignal, admission: Admission, finish: () => void): Task {
    const { request } = item;
    return {
      ...request,
      signal,
      params: askParams(request.action, request.params),
      progress: (stage, hash) => {
        item.approved = stage !== 'approval';
        admission.note(item.approved);
        request.progress(stage, hash);
      },
      resolve: (result) => {
        item.approved = true;
        request.resolve(result);
        finish();
        if (request.action === 'manageWallets') return;
        admission.note(true);
        if (this.#isSettled) admission.rest();
      },
      reject: (error) => {
        request.reject(error);
        admission.end('failed');
        finish();
      },
    };
  }

  async #carryOut(task: Task, admission: Admission): Promise<void> {
    const frame = this.#frame;
    if (!this.#approvesHere) return (await loadObstacles()).needsWindow(frame, task);
    // Other apps' browsers are on phones.
    if (navigator.maxTouchPoints > 0) await (await loadObstacles()).standInApp(frame, task);
    await admission.admit(task);
    await run(frame, task);
  }

  /** What its end means for the requests that follow. */
  #conclude({ request, approved }: Waiting, admission: Admission, failure: unknown): void {
    if (approved) admission.note(true);
    // Close aborts a request that is still loading, just as the page can, but that is the user's doing.
    else if (request.signal.aborted) admission.end(this.#frame.stage.left ? 'rejected' : 'withdrawn');
    else admission.end(failure instanceof UserRejectedError ? 'rejected' : 'failed');
  }

  /** After a rejection: whether to reject those that still wait, too. */
  async #askRest(signal: AbortSignal, failure: unknown): Promise<void> {
    if (!this.#batch[1]) return;
    await this.#loadList()
      .then((list) => list.askRest(signal, failure))
      .catch(() => {});
  }

  async #idle({ signal }: HostRequest): Promise<void> {
    const { link, stage, clock } = this.#frame;
    if (!this.#open) stage.clear();
    // After an abort, what happens to the iframe is up to the page.
    if (signal.aborted && link.surface === 'iframe') return;
    await pause(clock, LINGER);
    if (!this.#open) stage.onIdle();
  }
}

function needsUser(request: HostRequest): request is HostRequest<Ask> {
  return isAsk(request.action);
}

async function run<A extends Ask>(frame: Frame, task: Task<A>): Promise<void> {
  const flow = await FLOWS[task.action]();
  for (;;)
    try {
      return await flow(frame, task);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'storage.unavailable') throw error;
      await (await loadObstacles()).untilStored(frame, task, error);
    }
}

function canApprove(frame: Frame): boolean {
  return servesVault(frame) && (frame.link.surface === 'popup' || seesCover());
}

async function answerRead(frame: Frame, request: HostRequest): Promise<void> {
  try {
    const { readOwn } = await import('./own-reads.ts');
    await readOwn(frame, request);
  } catch (error) {
    request.reject(error);
  }
}
