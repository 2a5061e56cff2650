import './pin.cases.ts';
