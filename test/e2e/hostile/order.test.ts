import './order.cases.ts';
