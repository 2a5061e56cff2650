import { Injectable, signal } from '@angular/core';

/** What all pages know. */
@Injectable({ providedIn: 'root' })
export class Shop {
  readonly walletId = signal('');
  readonly log = signal<string[]>([]);

  note(line: string): void {
    this.log.update((lines) => [...lines, line]);
  }
}
