/**
 * Writes to the clipboard; returns whether it worked. If an embedded frame is denied the clipboard API, it copies a selection instead.
 */
export async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.setProperty('position', 'fixed');
    area.style.setProperty('opacity', '0');
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}
