import { Component, CUSTOM_ELEMENTS_SCHEMA, inject } from '@angular/core';
import type { ConnectErrorEvent, ConnectResultEvent } from 'carabiner/elements';
import { Shop } from './shop';

@Component({
  selector: 'app-pay',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <link-wallets secret-types="ETHEREUM" (connect-result)="linked($event)"></link-wallets>
    <transfer-dialog
      [walletId]="shop.walletId()"
      [to]="to"
      value="0.1"
      secret-type="ETHEREUM"
      (connect-result)="done($event)"
      (connect-error)="failed($event)"
    ></transfer-dialog>
    <sign-request
      type="ETHEREUM_RAW"
      [walletId]="shop.walletId()"
      data="0x48656c6c6f"
      (connect-result)="done($event)"
      (connect-error)="failed($event)"
    ></sign-request>
  `,
})
export class Pay {
  readonly shop = inject(Shop);
  readonly to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

  linked(event: ConnectResultEvent): void {
    if (event.action !== 'linkWallets') return;
    this.shop.walletId.set(event.result[0]?.id ?? '');
    this.shop.note(event.action);
  }

  done({ action }: ConnectResultEvent): void {
    this.shop.note(action);
  }

  failed({ error }: ConnectErrorEvent): void {
    this.shop.note(error.code);
  }
}
