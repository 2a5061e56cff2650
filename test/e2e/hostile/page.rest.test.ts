import './page.cases.ts';
