/** Links into the docs, which have an origin of their own. */

/** `data-guide` names the page, empty for the first one. Without docs the links stay hidden. */
export function guideLinks(docs: string | undefined): void {
  if (!docs) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-guide]')) {
    const page = link.dataset['guide'];
    link.href = page ? `${docs}/${page}.html` : docs;
    link.hidden = false;
  }
}
