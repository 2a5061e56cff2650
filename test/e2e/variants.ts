/** What the long tests go through and the others try once. */

/** Set by `npm run test:long hostile variants`. */
export const EVERY_VARIANT = Boolean(process.env['EVERY_VARIANT']);

/** Set by `npm run test:long chains`. */
export const EVERY_CHAIN = Boolean(process.env['EVERY_CHAIN']);
