import { Component, CUSTOM_ELEMENTS_SCHEMA, inject } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';
import type { ConnectResultEvent } from 'carabiner/elements';
import { Shop } from './shop';

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  host: { '(document:connect-result)': 'hear($event)' },
  template: `
    <connect-provider frame="https://connect.example">
      <h1>Shop</h1>
      <nav><a routerLink="/">Pay</a> <a routerLink="/about">About</a></nav>
      <main><router-outlet /></main>
      <ol id="log">
        @for (line of shop.log(); track $index) {
          <li>{{ line }}</li>
        }
      </ol>
    </connect-provider>
  `,
})
export class App {
  readonly shop = inject(Shop);

  /** What was asked on a page that the user has left since. */
  hear(event: ConnectResultEvent): void {
    if (event.target !== document) return;
    event.preventDefault();
    this.shop.note(`${event.action} from another page`);
  }
}
