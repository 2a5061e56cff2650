/** The frame in a window. Separate from the other surfaces, because it opens before anything else is loaded. */
import type { Surface } from './surface.ts';

/** Windows that a connect of this page uses, so that no other takes them. */
export const claimedWindows = new WeakSet<object>();

/**
 * A new window; null when the browser blocks it. Must be called inside the user's gesture, before any await.
 * `onFound`: a window of that name may exist already; it is called with that one, which is not reloaded.
 */
export function popup(url: string, name: string, onFound?: (win: Window) => void): Surface | null {
  const [width, height] = [420, 720];
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  const win = window.open(
    onFound ? '' : url,
    name,
    `popup,width=${width},height=${height},left=${left},top=${top}`,
  );
  if (!win) return null;
  claimedWindows.add(win);
  if (onFound) {
    if (isBlank(win)) win.location.replace(url);
    else onFound(win);
  }
  return windowSurface(win);
}

/** Whether its content is still readable, so that it is not yet of another origin. */
function isBlank(win: Window): boolean {
  try {
    return win.location.href === 'about:blank';
  } catch {
    return false;
  }
}

/** An existing window: our popup, or one that an earlier load of this page opened. */
export function windowSurface(win: Window): Surface {
  return {
    kind: 'popup',
    window: win,
    alive: () => !win.closed,
    ready() {},
    present: () => win.focus(),
    hide() {},
    close: () => win.close(),
  };
}

/**
 * The mark that this tab has opened a wallet window, which may outlive the page: `1` or, once the page is
 * left, the window's name and the time. Kept per tab and origin, because the window belongs to both. `value` sets it; null
 * removes it. Returns null also where storage is denied: the window is found once it is heard.
 */
export function windowMark(frameOrigin: string, value?: string | null): string | null {
  const key = `carabiner:${frameOrigin}:window`;
  try {
    if (value) sessionStorage.setItem(key, value);
    else if (value === null) sessionStorage.removeItem(key);
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
