/**
 * The mark that this tab has opened a wallet window, which may outlive the page: `1` or, once the page is
 * left, the window's name and the time. Kept per tab and origin, because the window belongs to both.
 */

/** Sets it; null removes it. Null also where storage is denied: the window is found once it is heard. */
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
