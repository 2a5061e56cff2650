import type { Ask } from '../base/actions.ts';
import type { AskParams } from '../channel/ask-schema.ts';
import type { HostRequest } from '../channel/link.ts';
import type { Frame } from './frame.ts';

/** A page's request with its parameters parsed. */
export interface Task<A extends Ask = Ask> extends Omit<HostRequest<A>, 'params'> {
  params: AskParams<A>;
}

/** Takes the user through one action. */
export type Flow<A extends Ask> = (frame: Frame, task: Task<A>) => Promise<void>;
