import './replaced.cases.ts';
