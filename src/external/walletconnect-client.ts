/** The client for pages that bring none. With the script tag it is a separate file beside connect.js; bundled applications bring their own. */
import { RequestInvalidError } from '../base/errors.ts';

/** Set for the script tag. */
declare const __WALLETCONNECT__: string | undefined;

export async function load(): Promise<object> {
  if (typeof __WALLETCONNECT__ === 'string')
    return import(/* @vite-ignore */ new URL(__WALLETCONNECT__, import.meta.url).href);
  throw new RequestInvalidError([
    { path: 'walletConnect.client', message: "must be () => import('@walletconnect/sign-client')" },
  ]);
}
