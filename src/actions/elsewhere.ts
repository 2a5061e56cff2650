/** Wallets that the browser does not have, and that this page offers all the same. */
import type { Found } from '../external/types.ts';
import type { WalletConnectOptions } from '../external/walletconnect-types.ts';
import type { Context } from './context.ts';

const WALLETCONNECT = 'WalletConnect';

export function elsewhere({ options, url, ended }: Context): Found[] {
  const walletConnect = options.walletConnect ?? ofScript();
  if (!walletConnect) return [];
  return [
    {
      by: 'walletconnect',
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

/** `<script … data-wallet-connect="project id">`: looked for here, so that pages without it do not download what looks for it. */
function ofScript(): WalletConnectOptions | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[data-wallet-connect]');
  const projectId = script?.dataset['walletConnect'];
  return projectId ? { projectId } : undefined;
}
