// Written by `npm run strings`.
export const pay = {
  de: () => import('./pay/de.ts'),
};
