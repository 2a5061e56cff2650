/** What a dApp bundles, for a page of a test. */
import { BrowserProvider } from 'ethers';
import { createWalletClient, custom, publicActions } from 'viem';
import { foundry } from 'viem/chains';

export const dapp = { BrowserProvider, createWalletClient, custom, foundry, publicActions };

declare global {
  interface Window {
    dapp: typeof dapp;
  }
}
window.dapp = dapp;
