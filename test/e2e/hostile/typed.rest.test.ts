import './typed.cases.ts';
