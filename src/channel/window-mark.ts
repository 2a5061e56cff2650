/**
 * The mark that this tab has opened a window of the wallet, which may outlive the page: `1`, or from when the page is left, the window's
 * name and the time. Kept for the tab and the page's origin alone, because the window belongs to both.
 */

/** Sets it, or removes it by null. Null also where storage is denied: the window is found when it is heard. */
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
