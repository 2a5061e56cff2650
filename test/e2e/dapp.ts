/** The libraries that a dApp bundles, for the pages of tests. */
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
