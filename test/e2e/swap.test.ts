import './swap.cases.ts';
