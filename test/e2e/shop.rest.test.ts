import './shop.cases.ts';
