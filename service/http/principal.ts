/** The holder of an accepted access token. */
export interface Principal {
  /** Account of the user, or of the application itself. */
  accountId: string;
  /** Account of the application that holds the token. */
  applicationId: string;
  /** The token is the application's own (client credentials), not a user's. */
  isApplication: boolean;
  scopes: ReadonlySet<string>;
  /** The client secret with which the token was requested; absent for tokens of users and of other issuers. */
  secretId?: string;
  /** Networks that the operator chose for all applications of another issuer; absent for the service's own. */
  networks?: readonly string[];
  /** The token is of a release in which some calls needed no scope: a new one may have more. */
  isOutdated?: boolean;
}

/** An application may be allowed to see the wallets of all its users. */
export function seesUsersWallets({ isApplication, scopes }: Principal): boolean {
  return isApplication && scopes.has('use:all-wallets');
}
