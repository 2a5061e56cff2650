import './hurry.cases.ts';
