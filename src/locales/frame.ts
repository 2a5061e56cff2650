// Written by `npm run strings`.
export const frame = {
  de: () => import('./frame/de.ts'),
};
