/** In the parent of the page's folder, wherever the operator serves it. */
export const networksUrl = (): URL => new URL('../networks.json', location.href);
