/** Adds what the elements call and jsdom lacks. A browser has all of it. */
export function completeDom(): void {
  if (typeof window === 'undefined') return;
  if (typeof HTMLDialogElement === 'function') {
    const dialog = HTMLDialogElement.prototype;
    dialog.showModal ??= function () {
      this.open = true;
    };
    dialog.close ??= function () {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    };
  }
  window.matchMedia ??= (media) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as MediaQueryList;
}
