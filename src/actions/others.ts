/** External wallets, in a separate file because most users have none linked. */
export { approveExternally } from './external.ts';
export { resumeExternal } from './link-external.ts';
export { chooseWallet, othersFor } from './wallet-chooser.ts';
