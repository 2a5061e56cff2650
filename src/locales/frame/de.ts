// Written by `npm run strings` from locales/de.xlf.
export default {
} as const;
