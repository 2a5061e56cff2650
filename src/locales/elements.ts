// Written by `npm run strings`.
export const elements = {
  de: () => import('./elements/de.ts'),
};
