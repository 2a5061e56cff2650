/** The interface between signature drawings, which load on demand, and the view that lays them out. */
import type { CSSResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import { msg } from '../../../base/localize.ts';

export interface Notice {
  level: 'caution' | 'danger';
  title: string;
  text: string;
  /** "I understand the risk: …". Every danger has one. */
  tick?: string | undefined;
}

export interface SignatureDrawing {
  /** What the signature does, in one line. */
  title: string;
  sub: unknown;
  /** Worst first. */
  notices: Notice[];
  /** A check of who asks, then who gets or may take something, and who signs: between dangers and cautions. */
  parties?: unknown;
  body: unknown;
  /** For the footer: the effect in words, and its value. `risk`: the value is what could be lost. */
  effect: { term: string; value: string; risk?: boolean };
  /** For the footer: no cost, with a remark. */
  total: { term: string; value: string };
}

/** The context of a drawing. */
export interface Surroundings {
  wallet: Wallet;
  own: readonly Wallet[];
  /** The requesting site, as named in sentences. */
  site: string;
  networkName: string;
}

/** The module of a drawing. */
export interface Draws<S> {
  styles: readonly CSSResult[];
  draw(summary: S, around: Surroundings): SignatureDrawing;
}

/** For text signed without the prefix that marks it as a message. */
export const unprefixed = (): Notice => ({
  level: 'caution',
  title: msg('This is not marked as a message'),
  text: msg('Without the mark an app could take the signature for something other than these words.'),
});
