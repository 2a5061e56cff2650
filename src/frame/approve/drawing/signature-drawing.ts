/** What a drawing of a signature hands to the view that lays it out. Types only: each drawing is loaded for the signatures that need it. */
import type { CSSResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import { msg } from '../../../ui/localize.ts';

export interface Notice {
  level: 'caution' | 'danger';
  title: string;
  text: string;
  /** "I understand the risk: …". Every danger has one. */
  tick?: string | undefined;
}

export interface SignatureDrawing {
  /** What it does, in a line. */
  title: string;
  sub: unknown;
  /** Worst first. */
  notices: Notice[];
  body: unknown;
  /** For the footer: the effect in words, and what belongs to it. `risk`: it tells what could be lost. */
  effect: { term: string; value: string; risk?: boolean };
  /** That it costs nothing, and what is left to say about it. */
  total: { term: string; value: string };
}

/** What a drawing knows of its surroundings. */
export interface Surroundings {
  wallet: Wallet;
  own: readonly Wallet[];
  /** The site that asks, for sentences. */
  site: string;
  networkName: string;
}

/** A drawing's module. */
export interface Draws<S> {
  styles: readonly CSSResult[];
  draw(summary: S, around: Surroundings): SignatureDrawing;
}

/** Of text that is signed without its mark. */
export const unprefixed = (): Notice => ({
  level: 'caution',
  title: msg('This is not marked as a message'),
  text: msg('Without the mark an app could take the signature for something else than these words.'),
});
