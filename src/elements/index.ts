/** Registers the elements. Loading it twice, or another copy of it, is harmless. */
import { register } from './connect-element.ts';
import { ConnectProvider } from './connect-provider/connect-provider.ts';
import { LinkWallets } from './link-wallets/link-wallets.ts';
import { followPage } from './language.ts';
import { ManageWallets } from './manage-wallets/manage-wallets.ts';
import { SignRequest } from './sign-request/sign-request.ts';
import { SwapPanel } from './swap-panel/swap-panel.ts';
import { TransferDialog } from './transfer-dialog/transfer-dialog.ts';

export * from './events.ts';
export type { ElementTypes } from './element-types.ts';
export { connectContext } from './connect-element.ts';
export { ConnectProvider, LinkWallets, ManageWallets, SignRequest, SwapPanel, TransferDialog };

followPage();

// The provider comes first, so that it exists when the elements inside it ask for their connect.
register({
  'connect-provider': ConnectProvider,
  'link-wallets': LinkWallets,
  'manage-wallets': ManageWallets,
  'transfer-dialog': TransferDialog,
  'sign-request': SignRequest,
  'swap-panel': SwapPanel,
});
