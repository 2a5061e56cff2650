/** All text of a wallet view, through its shadow roots, with white space collapsed. */
import type { WalletView } from './harness.ts';

export async function said(view: WalletView): Promise<string> {
  return (await view.frame()).evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    const texts: string[] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*'))
        if (element.shadowRoot) roots.push(element.shadowRoot);
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node.parentElement?.localName !== 'style') texts.push(node.textContent!);
    }
    return texts.join(' ').replace(/\s+/g, ' ');
  });
}
