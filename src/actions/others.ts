/** External wallets, in a file of their own: most users have none linked. */
export { approveExternally } from './external.ts';
export { resumeExternal } from './link-external.ts';
export { chooseWallet, othersFor } from './wallet-chooser.ts';
