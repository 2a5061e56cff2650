/** What every element takes and fires, by tag. Written by `npm run api` from the comments of the classes. */
import type { ConnectProvider } from './connect-provider/connect-provider.ts';
import type {
  ConnectCancelEvent,
  ConnectErrorEvent,
  ConnectProgressEvent,
  ConnectRequestEvent,
  ConnectResultEvent,
} from './events.ts';
import type { LinkWallets } from './link-wallets/link-wallets.ts';
import type { ManageWallets } from './manage-wallets/manage-wallets.ts';
import type { SignRequest } from './sign-request/sign-request.ts';
import type { SwapPanel } from './swap-panel/swap-panel.ts';
import type { TransferDialog } from './transfer-dialog/transfer-dialog.ts';

export interface ElementTypes {
  'connect-provider': {
    element: ConnectProvider;
    properties:
      | 'connect'
      | 'getAccessToken'
      | 'frame'
      | 'site'
      | 'surface'
      | 'returnTo'
      | 'locale'
      | 'currency'
      | 'theme';
    attributes: {
      frame: string;
      site: string;
      surface: 'auto' | 'iframe' | 'popup' | 'redirect';
      'return-to': string;
      locale: string;
      currency: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent;
      'connect-progress': ConnectProgressEvent;
      'connect-result': ConnectResultEvent;
      'connect-cancel': ConnectCancelEvent;
      'connect-error': ConnectErrorEvent;
    };
  };
  'link-wallets': {
    element: LinkWallets;
    properties:
      | 'secretTypes'
      | 'network'
      | 'layout'
      | 'external'
      | 'connect'
      | 'theme'
      | 'locale';
    attributes: {
      'secret-types': string;
      network: string;
      external: 'on' | 'off';
      layout: 'chips' | 'list';
      locale: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent<'linkWallets'>;
      'connect-progress': ConnectProgressEvent<'linkWallets'>;
      'connect-result': ConnectResultEvent<'linkWallets'>;
      'connect-cancel': ConnectCancelEvent<'linkWallets'>;
      'connect-error': ConnectErrorEvent<'linkWallets'>;
    };
  };
  'manage-wallets': {
    element: ManageWallets;
    properties:
      | 'chain'
      | 'network'
      | 'currency'
      | 'headingLevel'
      | 'connect'
      | 'theme'
      | 'locale';
    attributes: {
      chain: string;
      network: string;
      currency: string;
      'heading-level': number;
      locale: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent<'manageWallets'>;
      'connect-progress': ConnectProgressEvent<'manageWallets'>;
      'connect-result': ConnectResultEvent<'manageWallets'>;
      'connect-cancel': ConnectCancelEvent<'manageWallets'>;
      'connect-error': ConnectErrorEvent<'manageWallets'>;
    };
  };
  'sign-request': {
    element: SignRequest;
    properties:
      | 'type'
      | 'walletId'
      | 'network'
      | 'data'
      | 'messagePrefix'
      | 'hashData'
      | 'format'
      | 'purpose'
      | 'connect'
      | 'theme'
      | 'locale';
    attributes: {
      type: string;
      'wallet-id': string;
      network: string;
      data: string;
      prefix: 'true' | 'false';
      hash: 'true' | 'false';
      format: 'bip322' | 'bip137';
      purpose: 'identification' | 'agreement';
      locale: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent<'sign'>;
      'connect-progress': ConnectProgressEvent<'sign'>;
      'connect-result': ConnectResultEvent<'sign'>;
      'connect-cancel': ConnectCancelEvent<'sign'>;
      'connect-error': ConnectErrorEvent<'sign'>;
    };
  };
  'swap-panel': {
    element: SwapPanel;
    properties:
      | 'walletId'
      | 'fromSecretType'
      | 'toSecretType'
      | 'network'
      | 'fromToken'
      | 'toToken'
      | 'amount'
      | 'orderType'
      | 'destinationWalletId'
      | 'currency'
      | 'headingLevel'
      | 'connect'
      | 'theme'
      | 'locale';
    attributes: {
      'wallet-id': string;
      'from-secret-type': string;
      'to-secret-type': string;
      network: string;
      'from-token': string;
      'to-token': string;
      amount: string;
      'order-type': 'SELL' | 'BUY';
      'destination-wallet-id': string;
      currency: string;
      'heading-level': number;
      locale: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent<'executeAll'>;
      'connect-progress': ConnectProgressEvent<'executeAll'>;
      'connect-result': ConnectResultEvent<'executeAll'>;
      'connect-cancel': ConnectCancelEvent<'executeAll'>;
      'connect-error': ConnectErrorEvent<'executeAll'>;
    };
  };
  'transfer-dialog': {
    element: TransferDialog;
    properties:
      | 'walletId'
      | 'to'
      | 'value'
      | 'secretType'
      | 'network'
      | 'tokenAddress'
      | 'data'
      | 'alias'
      | 'currency'
      | 'order'
      | 'request'
      | 'open'
      | 'connect'
      | 'theme'
      | 'locale';
    attributes: {
      'wallet-id': string;
      to: string;
      value: string;
      'secret-type': string;
      network: string;
      'token-address': string;
      data: string;
      alias: string;
      open: boolean | '';
      currency: string;
      locale: string;
      theme: 'auto' | 'light' | 'dark';
      'defer-hydration': boolean | '';
    };
    events: {
      'connect-request': ConnectRequestEvent<'transfer' | 'execute'>;
      'connect-progress': ConnectProgressEvent<'transfer' | 'execute'>;
      'connect-result': ConnectResultEvent<'transfer' | 'execute'>;
      'connect-cancel': ConnectCancelEvent<'transfer' | 'execute'>;
      'connect-error': ConnectErrorEvent<'transfer' | 'execute'>;
    };
  };
}
