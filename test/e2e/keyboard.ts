/** A user who has only a keyboard. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { poll, within } from '../waiting.ts';
import { evaluateIn } from './harness.ts';

/** The name of the focused element of whichever document has focus; empty if it is not one of `kind`, a selector. */
export async function focused(page: Page, kind = '*'): Promise<string> {
  for (const frame of page.frames().toReversed()) {
    const name = await evaluateIn(frame)((kind) => {
      let element = document.activeElement;
      if (!document.hasFocus()) return null;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (!element || element.localName === 'iframe' || element === document.body) return null;
      if (!element.matches(kind)) return '';
      const root = element.getRootNode() as ShadowRoot | Document;
      const labels = element
        .getAttribute('aria-labelledby')
        ?.split(' ')
        .map((id) => root.getElementById(id)?.textContent);
      return (
        element.ariaLabel ??
        labels?.join(' ') ??
        (element as HTMLInputElement).labels?.[0]?.textContent ??
        element.textContent ??
        ''
      ).trim();
    }, kind).catch((error: unknown) => {
      // The wallet may close meanwhile.
      if (frame.isDetached() || /context was destroyed/.test(String(error))) return null;
      throw error;
    });
    if (name !== null) return name;
  }
  return '';
}

/** `kind`: a selector, for a name that several elements have, such as a radio button and its field. */
export async function tabTo(page: Page, name: RegExp, kind?: string): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 120; presses++) {
    const now = await focused(page, kind);
    if (name.test(now)) return;
    seen.push(now);
    await within(page.keyboard.press('Tab'), 'the next thing by Tab');
  }
  assert.fail(`Tab never reached ${name}; it went through ${[...new Set(seen)].join(' · ')}`);
}

export async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  // Not awaited: the frame that gets the key may be gone before it acknowledges it.
  page.keyboard.press(key).catch(() => {});
}

/** Whether a view in any frame waits for a consent, and would take one now. */
async function waits(page: Page): Promise<boolean> {
  for (const frame of page.frames()) {
    const found = await evaluateIn(frame)(() => {
      const roots: (Document | ShadowRoot)[] = [document];
      for (const root of roots)
        for (const element of root.querySelectorAll<HTMLElement & { armed?: boolean; busy?: boolean }>('*')) {
          if (element.shadowRoot) roots.push(element.shadowRoot);
          if (element.armed && !element.busy) return true;
        }
      return false;
    }).catch(() => false);
    if (found) return true;
  }
  return false;
}

/**
 * A key pressed in the first moments does not count as consent, so a user presses it again. Never once the wallet has taken it: then the
 * key would reach the page and open the wallet again.
 */
export async function consent(page: Page, done: () => Promise<boolean>): Promise<void> {
  await poll(async () => {
    if (await done()) return true;
    if (!(await waits(page))) return false;
    const pressed = page.keyboard.press('Enter').catch(() => {});
    // A frame that is gone acknowledges no key.
    await Promise.race([pressed, poll(async () => !(await waits(page)), 'the consent by key')]);
    return false;
  }, 'the consent by key');
}
