import type { ComplexAttributeConverter, PropertyDeclarations, PropertyValues } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { SignParams, TypedData } from '../../actions/types.ts';
import type { SignResult } from '../../channel/messages.ts';
import { ConnectError } from '../../base/errors.ts';
import { icon, iconPen } from '../../ui/icons.ts';
import { msg } from '../../base/localize.ts';
import { ConnectElement, type Face, ignore, type ViewClass } from '../connect-element.ts';

/** Absent means the default of the signature type, so the attribute has three states. */
const choice: ComplexAttributeConverter = {
  fromAttribute: (text) => (text === null ? undefined : text !== 'false'),
};

/**
 * Asks the user to sign a message, typed data (EIP-712), or a VeChain certificate.
 *
 * @element sign-request
 * @attr {string} type - `ETHEREUM_TRANSACTION`, `ETHEREUM_RAW`, `ETHEREUM_TYPED_DATA`, `BITCOIN_MESSAGE`, `VECHAIN_CERTIFICATE`, …
 * @attr {string} wallet-id - Wallet to sign with; when absent the only linked one, or the one that the user chooses.
 * @attr {string} network - Id of the network that the signature is for, from the wallet's `networks.json`; the wallet's default one when absent.
 * @attr {string} data - What to sign, as `0x` hex: for a message or a certificate, the UTF-8 bytes of its text. For typed data, its JSON
 *   text; the property also takes the object.
 * @attr {'true'|'false'} prefix - Property `messagePrefix`. Puts the signed-message prefix before the data; `true` when absent.
 * @attr {'true'|'false'} hash - Property `hashData`. Hashes the data first when there is no prefix; `true` when absent.
 * @attr {'bip322'|'bip137'} format - For a `BITCOIN_MESSAGE` or `LITECOIN_MESSAGE`; `bip322` when absent.
 * @attr {'identification'|'agreement'} purpose - For a `VECHAIN_CERTIFICATE`.
 * @fires {ConnectRequestEvent<'sign'>} connect-request - Before anything opens; cancelable.
 * @fires {ConnectProgressEvent<'sign'>} connect-progress - Progress of the request; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'sign'>} connect-result - `result` is `{ success: true, result: { r, s, v, signature } }`; for a message
 *   only `signature`, for a certificate `annex` and `signature`.
 * @fires {ConnectCancelEvent<'sign'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'sign'>} connect-error - `error.code` tells why.
 * @csspart button - Sign, Open in a window.
 * @csspart button-primary - The filled ones of them.
 * @csspart button-quiet - The others.
 * @csspart input - The choice among several wallets.
 * @csspart badge - The badge of a chain.
 * @csspart tag - Who holds a wallet's key.
 * @csspart panel - The outcome of the request.
 * @csspart copy - Copy signature.
 */
export class SignRequest extends ConnectElement {
  static override properties: PropertyDeclarations = {
    type: {},
    walletId: { attribute: 'wallet-id' },
    network: {},
    data: {},
    messagePrefix: { attribute: 'prefix', converter: choice },
    hashData: { attribute: 'hash', converter: choice },
    format: {},
    purpose: {},
    chosen: { state: true },
  };

  declare type: SignParams['type'];
  declare walletId: string | undefined;
  declare network: string | undefined;
  declare data: string | TypedData;
  declare messagePrefix: boolean | undefined;
  declare hashData: boolean | undefined;
  declare format: 'bip322' | 'bip137' | null | undefined;
  declare purpose: 'identification' | 'agreement' | null | undefined;
  /** @internal The user's choice. */
  declare chosen: Wallet | undefined;

  /** @internal The wallets to choose from, if the page names none. */
  get choices(): Wallet[] {
    const chain = this.payloadChain();
    return (this.linked ?? []).filter(({ secretType }) => !this.walletId && secretType === chain);
  }

  /** @internal */
  get choice(): Wallet | undefined {
    const { choices, chosen } = this;
    return (
      choices.find(({ id }) => id === chosen?.id) ?? choices.find(({ primary }) => primary) ?? choices[0]
    );
  }

  protected override payloadChain(): SecretType | undefined {
    return this.type?.split('_')[0] as SecretType | undefined;
  }

  /** Opens the approval. Resolves to the signature. */
  sign(): Promise<SignResult> {
    const { type, network, data, messagePrefix, hashData, format, purpose } = this;
    const walletId = this.walletId || this.choice?.id;
    const flags = {
      ...(network && { network }),
      ...(format && { format }),
      ...(purpose && { purpose }),
      ...(messagePrefix !== undefined && { prefix: messagePrefix }),
      ...(hashData !== undefined && { hash: hashData }),
    };
    // Attributes that contradict each other are refused like any invalid request.
    const request = { type, walletId, data, ...flags } as SignParams;
    return this.start('sign', request, (connect, options) => {
      if (!walletId && type)
        throw new ConnectError('wallet.forbidden', 'No wallet of this chain is linked. Call linkWallets().');
      return connect.sign(request, options);
    });
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const isAnother = ['linked', 'walletId', 'type'].some((name) => changed.has(name));
    if (isAnother && this.choices.length > 1) this.showView().catch(ignore);
  }

  protected override press(): Promise<unknown> {
    return this.sign();
  }

  protected override loadView(): Promise<ViewClass> {
    return import('./sign-request-view.ts').then((view) => view.SignRequestView);
  }

  protected override face(): Face {
    return [msg('Sign'), icon(iconPen()), 'primary'];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'sign-request': SignRequest;
  }
}
