import './words.cases.ts';
