// There are types here, and nothing to run.
export {};
