// Written by `npm run strings`.
export const OFFERED = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
];
