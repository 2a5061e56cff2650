import './provider.cases.ts';
