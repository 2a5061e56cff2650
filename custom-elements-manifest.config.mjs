/** What `scripts/api/manifest.ts` asks the analyzer for. */
export default {
  globs: ['src/elements/**/*.ts'],
  outdir: 'types',
  litelement: true,
  quiet: true,
  packagejson: false,
};
