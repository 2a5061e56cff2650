/** The kinds of exchange between chains. Each is a folder and a line here. */
export * as thorchain from './thorchain/entry.ts';
