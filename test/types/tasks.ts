/** What the frame's flows accept and reject. Compiled by `npm run typecheck`; nothing here runs. */
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { HostRequest } from '../../src/channel/link.ts';
import type { executeAll } from '../../src/frame/approve/execute-all-flow.ts';
import type { sign } from '../../src/frame/approve/sign-flow.ts';
import type { transact } from '../../src/frame/approve/transact-flow.ts';
import type { Flow, Frame, Task } from '../../src/frame/frame.ts';

interface Flows {
  executeAll: typeof executeAll;
  sign: typeof sign;
  transact: typeof transact;
}

/** A flow serves its own actions. */
export function served(flows: Flows): void {
  flows.executeAll satisfies Flow<'executeAll'>;
  flows.sign satisfies Flow<'sign'>;
  flows.transact satisfies Flow<'transfer'>;
  flows.transact satisfies Flow<'execute'>;
  // @ts-expect-error a list is not one transaction
  flows.executeAll satisfies Flow<'execute'>;
  // @ts-expect-error a message is not a transaction
  flows.sign satisfies Flow<'transfer'>;
  // @ts-expect-error nor the other way round
  flows.transact satisfies Flow<'sign'>;
}

/** Each action has its own parameters. */
export function given(manage: Task<'manageWallets'>, link: Task<'linkWallets'>): void {
  manage.params.chain satisfies SecretType;
  link.params.newWallet satisfies 'create' | 'import' | undefined;
  // @ts-expect-error those of linkWallets
  void manage.params.secretTypes;
  // @ts-expect-error those of manageWallets
  void link.params.chain;
}

/** What the page sent is parsed first. */
export function asked(
  frame: Frame,
  flows: Flows,
  request: HostRequest<'sign'>,
  params: Task<'sign'>['params'],
): void {
  void flows.sign(frame, { ...request, params });
  // @ts-expect-error its parameters are not parsed
  void flows.sign(frame, request);
}
