/** Vite puts the file into the module, as a data: URL. */
declare module '*.wasm?url&inline' {
  const url: string;
  export default url;
}
