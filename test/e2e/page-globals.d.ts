/** Globals of the tests' pages; see hosts.ts and raw-host.ts. */
import type { Connect } from '../../src/actions/types.ts';
import type { Stage } from '../../src/channel/messages.ts';
import type { Answer, HostEvent } from './harness.ts';
import type { RawWindow } from './raw-host.ts';

declare global {
  interface Window {
    next: () => unknown;
    answer: Promise<Answer<unknown>>;
    events: HostEvent[];
    /** Stages of requests by promise, which fire no events. */
    stages: Stage[];
    hostReady: boolean;
    /** Pending checks whether this page may embed the wallet. */
    asked: Promise<unknown>[];
    connect: Connect;
    raw: RawWindow;
  }
}
