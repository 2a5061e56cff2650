/**
 * Whether the page's own `Cross-Origin-Opener-Policy` cuts it off from the windows that it opens: its handle then says `closed` while the
 * window is open. Only the page's response headers show it.
 */
export async function cutsOpener(): Promise<boolean> {
  const { headers } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
  return /^(same-origin|noopener-allow-popups)\s*(;|$)/.test(headers.get('cross-origin-opener-policy') ?? '');
}
