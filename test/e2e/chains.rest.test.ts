import './chains.cases.ts';
