/**
 * What a flow needs of a browser, whatever drives it. Functions are sent as their source: they know only what they are given, and answer
 * plain data.
 */
export interface Engine {
  /** With its version. */
  readonly name: string;
  /** IntersectionObserver v2: pages of the wallet's own site show it in a dialog, else in a window. */
  readonly seesCover: boolean;
  /** A tab of a new profile. */
  visit(url: string): Promise<Tab>;
  close(): Promise<void>;
}

export type Find<A extends unknown[]> = (...given: A) => Element | undefined;

/** A page, or a frame in one. */
export interface Tab {
  goto(url: string): Promise<void>;
  evaluate<A extends unknown[], R>(work: (...given: A) => R, ...given: A): Promise<Awaited<R>>;
  finds<A extends unknown[]>(find: Find<A>, ...given: A): Promise<boolean>;
  /** Presses what is found, as a pointer does. */
  click<A extends unknown[]>(find: Find<A>, ...given: A): Promise<void>;
  /** Types into what is found, key by key. */
  type<A extends unknown[]>(text: string, find: Find<A>, ...given: A): Promise<void>;
  /** What the frame that is found shows. */
  inside<A extends unknown[]>(find: Find<A>, ...given: A): Promise<Tab>;
  /** The open windows of this profile besides this page. */
  others(): Promise<Tab[]>;
  isClosed(): Promise<boolean>;
}
