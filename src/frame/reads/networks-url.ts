/** Beside the page's folder, whatever path the operator serves it under. */
export const networksUrl = (): URL => new URL('../networks.json', location.href);
