/** Vite inlines the file as a data: URL. */
declare module '*.wasm?url&inline' {
  const url: string;
  export default url;
}
