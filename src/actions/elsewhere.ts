/** Wallets outside the browser that this page offers. */
import type { Found } from '../external/types.ts';
import type { WalletConnectOptions } from '../external/walletconnect-client.ts';
import type { Context } from './context.ts';

const WALLETCONNECT = 'WalletConnect';
const BY = 'walletconnect';

/** Whether this maker's wallets are reachable only from pages that offer them, not from every page in the browser. */
export const isElsewhere = (by: string): boolean => by === BY;

export function elsewhere({ options, url, ended }: Context): Found[] {
  const walletConnect = options.walletConnect ?? ofScript();
  if (!walletConnect) return [];
  return [
    {
      by: BY,
      name: WALLETCONNECT,
      pairs: true,
      secretTypes: ['ETHEREUM', 'GOCHAIN'],
      async open(host) {
        const { openWalletConnect } = await import('../external/walletconnect.ts');
        return openWalletConnect(walletConnect, WALLETCONNECT, host, {
          frame: url.origin,
          ended: ended.signal,
        });
      },
    },
  ];
}

/** Finds `<script … data-wallet-connect="project id">`. Here rather than in connect.js, which every page downloads. */
function ofScript(): WalletConnectOptions | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[data-wallet-connect]');
  const projectId = script?.dataset['walletConnect'];
  return projectId ? { projectId } : undefined;
}
