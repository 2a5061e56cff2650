import './calls.cases.ts';
