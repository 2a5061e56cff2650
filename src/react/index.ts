'use client';
/** The elements as React components, for React 18 and 19, rendered on a server or not. Importing it registers the elements. */
import * as elements from '../elements/index.ts';
import { component } from './component.ts';

export type * from '../elements/events.ts';

export const ConnectProvider = /* @__PURE__ */ component('connect-provider', elements.ConnectProvider);
export const LinkWallets = /* @__PURE__ */ component('link-wallets', elements.LinkWallets);
export const ManageWallets = /* @__PURE__ */ component('manage-wallets', elements.ManageWallets);
export const TransferDialog = /* @__PURE__ */ component('transfer-dialog', elements.TransferDialog);
export const SignRequest = /* @__PURE__ */ component('sign-request', elements.SignRequest);
export const SwapPanel = /* @__PURE__ */ component('swap-panel', elements.SwapPanel);
