/** Why a name leads to no address. The view that asked puts it into words for the user. */
export type NameReason =
  /** It breaks its service's rules for names. */
  | 'form'
  /** Names of its ending lead to addresses of `where`, which is another chain. */
  | 'other-chain'
  /** There is no such name, or it has no address on this chain. */
  | 'unknown'
  /** Its address is on a server of its owner's choice (ERC-3668), which the wallet does not ask. */
  | 'gateway'
  /** The network `where` has no name registry, or none is configured. */
  | 'no-registry';

export class NameProblem extends Error {
  override name = 'NameProblem';
  constructor(
    readonly reason: NameReason,
    /** A network's or a chain's name. */
    readonly where = '',
  ) {
    super(`The name leads to no address: ${reason}.`);
  }
}
