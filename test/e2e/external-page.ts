/** What extensions put into a page of a test. */
import { demoWallet } from '../../demo/wallets/eip6963.ts';
import { demoSatsConnect } from '../../demo/wallets/sats-connect.ts';
import { demoSuperhero } from '../../demo/wallets/superhero.ts';
import { demoTronLink } from '../../demo/wallets/tronlink.ts';
import { demoVeworld } from '../../demo/wallets/veworld.ts';
import { demoWalletStandard } from '../../demo/wallets/wallet-standard.ts';

const makers = {
  demoWallet,
  demoSatsConnect,
  demoSuperhero,
  demoTronLink,
  demoVeworld,
  demoWalletStandard,
};

declare global {
  interface Window {
    makers: typeof makers;
    /** Of the local network, by the test. */
    askNode: (method: string, params: readonly unknown[]) => Promise<unknown>;
    theirs: ReturnType<typeof demoWallet>;
    refusing: boolean;
    /** Wallets in which the user was asked. */
    asked: string[];
    /** What its extension repeats all the time. */
    announceSuperhero: () => void;
  }
}
window.makers = makers;
