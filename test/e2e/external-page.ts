/** What an extension puts into a page of a test. */
import { demoWallet } from '../../demo/wallets/eip6963.ts';

declare global {
  interface Window {
    demoWallet: typeof demoWallet;
    /** Of the local network, by the test. */
    askNode: (method: string, params: readonly unknown[]) => Promise<unknown>;
    theirs: ReturnType<typeof demoWallet>;
    refusing: boolean;
  }
}
window.demoWallet = demoWallet;
