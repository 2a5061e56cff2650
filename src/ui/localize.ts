/**
 * `msg` and `str` of `@lit/localize`, from the two files that hold them: the package's index would bring its runtime along.
 * `configureLocalization` installs into the same module.
 */
export { msg } from '@lit/localize/init/install.js';
export { str } from '@lit/localize/internal/str-tag.js';
