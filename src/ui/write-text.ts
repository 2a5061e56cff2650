/**
 * To the clipboard; answers whether it worked. Embedded frames may be refused the clipboard API; then the text is copied by a selection.
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
